#include "headrace/graph/ops/dot.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/precision.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

bool Contains(const Ints& axes, int64_t axis) { return std::ranges::find(axes, axis) != axes.end(); }

// The dimensions of an operand that are neither batch nor contracted, rising.
Ints Free(int rank, const Ints& batch, const Ints& contract) {
  Ints free;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!Contains(batch, axis) && !Contains(contract, axis)) free.push_back(axis);
  }
  return free;
}

Ints Range(int64_t from, size_t count) {
  Ints range;
  for (size_t i = 0; i < count; ++i) range.push_back(from + static_cast<int64_t>(i));
  return range;
}

Ints Joined(std::initializer_list<Ints> parts) {
  Ints joined;
  for (const Ints& part : parts) joined.insert(joined.end(), part.begin(), part.end());
  return joined;
}

Ints Inverse(const Ints& permutation) {
  Ints inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    inverse[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  return inverse;
}

void RequireDistinct(std::string_view side, const Ints& batch, const Ints& contract, int rank) {
  Ints all = Joined({batch, contract});
  std::ranges::sort(all);
  const bool in_range = all.empty() || (all.front() >= 0 && all.back() < rank);
  Require(in_range && std::ranges::adjacent_find(all) == all.end(),
          "{} batch {} and contracting {} are not distinct dimensions of it", side, Bracketed(batch),
          Bracketed(contract));
}

void RequirePaired(std::string_view what, const Shape& lhs, const Ints& left, const Shape& rhs,
                   const Ints& right) {
  Require(left.size() == right.size(), "{} dimensions {} and {} do not pair up", what, Bracketed(left),
          Bracketed(right));
  for (size_t i = 0; i < left.size(); ++i) {
    const int64_t a = lhs[static_cast<int>(left[i])];
    const int64_t b = rhs[static_cast<int>(right[i])];
    Require(a == b, "{} dimensions differ in size: {} of the left is {}, {} of the right is {}", what,
            left[i], a, right[i], b);
  }
}

// Sums of small floats in wider ones, of small integers in wider ones of their sign, and so on.
bool MayAccumulate(DType from, DType to) {
  const bool same_kind = (IsFloat(from) && IsFloat(to)) || (IsSigned(from) && IsSigned(to)) ||
                         (IsUnsigned(from) && IsUnsigned(to)) || (IsComplex(from) && IsComplex(to));
  return from == to || (same_kind && ByteSize(from) < ByteSize(to));
}

// As text, "" for none.
void VisitElementType(AttributeVisitor& v, std::string_view name, std::optional<DType>& value) {
  std::string text(value ? Name(*value) : "");
  v.Visit(name, text);
  value = ParseDType(text);
  Require(value || text.empty(), "attribute {}: '{}' is not an element type", name, text);
}

struct DotGeneralOp final : OpOf<DotGeneralOp> {
  static constexpr std::string_view kName = "dot_general";
  DotDims dims;
  Precision precision = Precision::kDefault;
  std::optional<DType> preferred_element_type;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("lhs_batch", dims.lhs_batch);
    v.Visit("rhs_batch", dims.rhs_batch);
    v.Visit("lhs_contract", dims.lhs_contract);
    v.Visit("rhs_contract", dims.rhs_contract);
    v.Visit("precision", precision, kPrecisionNames);
    VisitElementType(v, "preferred_element_type", preferred_element_type);
  }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    const Shape& lhs = x[0].shape;
    const Shape& rhs = x[1].shape;
    Require(x[0].dtype == x[1].dtype, "element types differ; convert one of them");
    const DType dtype = preferred_element_type.value_or(x[0].dtype);
    Require(MayAccumulate(x[0].dtype, dtype), "products of {} cannot be summed in {}", Name(x[0].dtype),
            Name(dtype));
    RequireDistinct("left", dims.lhs_batch, dims.lhs_contract, lhs.rank());
    RequireDistinct("right", dims.rhs_batch, dims.rhs_contract, rhs.rank());
    RequirePaired("batch", lhs, dims.lhs_batch, rhs, dims.rhs_batch);
    RequirePaired("contracting", lhs, dims.lhs_contract, rhs, dims.rhs_contract);
    std::vector<int64_t> out;
    for (int64_t axis : dims.lhs_batch) out.push_back(lhs[static_cast<int>(axis)]);
    for (int64_t axis : Free(lhs.rank(), dims.lhs_batch, dims.lhs_contract))
      out.push_back(lhs[static_cast<int>(axis)]);
    for (int64_t axis : Free(rhs.rank(), dims.rhs_batch, dims.rhs_contract))
      out.push_back(rhs[static_cast<int>(axis)]);
    return {{dtype, Shape(out)}};
  }
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.dot_general", node,
         {{"dot_dimension_numbers",
           fmt::format("#stablehlo.dot<lhs_batching_dimensions = {}, rhs_batching_dimensions = {}, "
                       "lhs_contracting_dimensions = {}, rhs_contracting_dimensions = {}>",
                       Bracketed(dims.lhs_batch), Bracketed(dims.rhs_batch), Bracketed(dims.lhs_contract),
                       Bracketed(dims.rhs_contract))},
          {"precision_config", PrecisionConfig(e.PrecisionOf(precision))}});
  }

  // Each cotangent is a product of dy with the other operand, contracted over the other's free dimensions;
  // what comes out is (batch, own free, own contracted) and is put back into the operand's order.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const Value lhs = Convert(node.operands[0], dy[0].dtype());
    const Value rhs = Convert(node.operands[1], dy[0].dtype());
    const Ints lhs_free = Free(lhs.rank(), dims.lhs_batch, dims.lhs_contract);
    const Ints rhs_free = Free(rhs.rank(), dims.rhs_batch, dims.rhs_contract);
    const size_t batch = dims.lhs_batch.size();
    const Ints dy_batch = Range(0, batch);
    const Ints dy_lhs = Range(static_cast<int64_t>(batch), lhs_free.size());
    const Ints dy_rhs = Range(static_cast<int64_t>(batch + lhs_free.size()), rhs_free.size());

    const Value d_lhs = DotGeneral(dy[0], rhs, {dy_batch, dims.rhs_batch, dy_rhs, rhs_free}, precision);
    const Value d_rhs = DotGeneral(dy[0], lhs, {dy_batch, dims.lhs_batch, dy_lhs, lhs_free}, precision);
    const DType dtype = node.operands[0].dtype();
    return {
        Convert(Restore(d_lhs, dims.lhs_batch, lhs_free, dims.lhs_contract, dims.rhs_contract), dtype),
        Convert(Restore(d_rhs, dims.rhs_batch, rhs_free, dims.rhs_contract, dims.lhs_contract), dtype),
    };
  }

  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    const BatchOperand& lhs = x[0];
    const BatchOperand& rhs = x[1];
    DotDims batched = dims;
    if (lhs.batched) {
      batched.lhs_batch = ShiftedByBatch(dims.lhs_batch);
      batched.lhs_contract = ShiftedByBatch(dims.lhs_contract);
    }
    if (rhs.batched) {
      batched.rhs_batch = ShiftedByBatch(dims.rhs_batch);
      batched.rhs_contract = ShiftedByBatch(dims.rhs_contract);
    }
    if (lhs.batched && rhs.batched) {
      batched.lhs_batch.insert(batched.lhs_batch.begin(), 0);
      batched.rhs_batch.insert(batched.rhs_batch.begin(), 0);
      return {DotGeneral(lhs.value, rhs.value, batched, precision, preferred_element_type)};
    }
    // One side only: its batch is one more free dimension, which the result has behind its own batch
    // dimensions.
    const Value y = DotGeneral(lhs.value, rhs.value, batched, precision, preferred_element_type);
    const int64_t own_batch = static_cast<int64_t>(dims.lhs_batch.size());
    const int64_t lhs_free = lhs.value.rank() - own_batch - static_cast<int64_t>(dims.lhs_contract.size());
    const int64_t at = lhs.batched ? own_batch : own_batch + lhs_free;
    Ints order = {at};
    for (int64_t axis = 0; axis < y.rank(); ++axis) {
      if (axis != at) order.push_back(axis);
    }
    return {Transpose(y, order)};
  }

 private:
  // `d` has dimensions (batch, free, contracted); the contracted ones are in the order in which they stand in
  // the other operand, since they were its free dimensions.
  static Value Restore(Value d, const Ints& batch, const Ints& free, const Ints& contract,
                       const Ints& other_contract) {
    Ints by_other(contract.size());
    for (size_t i = 0; i < by_other.size(); ++i) by_other[i] = static_cast<int64_t>(i);
    std::ranges::sort(by_other, {}, [&](int64_t i) { return other_contract[static_cast<size_t>(i)]; });
    Ints contracted;
    for (int64_t i : by_other) contracted.push_back(contract[static_cast<size_t>(i)]);
    return Transpose(d, Inverse(Joined({batch, free, contracted})));
  }
};

}  // namespace

std::vector<OpEntry> DotOps() { return EntriesOf<DotGeneralOp>(); }

Value DotGeneral(Value lhs, Value rhs, DotDims dims, Precision precision,
                 std::optional<DType> preferred_element_type) {
  DotGeneralOp op;
  op.dims = std::move(dims);
  op.precision = precision;
  op.preferred_element_type = preferred_element_type;
  return Apply(op, {lhs, rhs});
}

Value Dot(Value x, Value w, Precision precision, std::optional<DType> preferred_element_type) {
  Require(x.rank() >= 1 && w.rank() == 2, "dot: takes [..., k] and [k, n], not {} and {}",
          x.type().ToString(), w.type().ToString());
  return DotGeneral(x, w, {{}, {}, {x.rank() - 1}, {0}}, precision, preferred_element_type);
}

}  // namespace headrace
