#include "headrace/graph/ops/sort.h"

#include <algorithm>
#include <limits>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/gather_dims.h"
#include "headrace/graph/ops/sort_key.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

std::shared_ptr<const Function> Traced(std::string name, TypeSpan types, const ValueFn& body) {
  return std::make_shared<const Function>(Trace(std::move(name), types, body));
}

// a0, b0, a1, b1, …: two scalars of each value.
Types ComparedScalars(TypeSpan x) {
  Types scalars;
  for (const TensorType& type : x) scalars.insert(scalars.end(), 2, {type.dtype, {}});
  return scalars;
}

struct SortOp final : OpOf<SortOp> {
  static constexpr std::string_view kName = "sort";
  int64_t dimension = 0;
  bool descending = false;
  int64_t num_keys = 1;
  bool stable = true;
  bool positions = false;                      // one more result: where the elements stood, i32
  std::shared_ptr<const Function> comparator;  // null: the order of the keys

  void Attributes(AttributeVisitor& v) override {
    v.Visit("dimension", dimension);
    v.Visit("descending", descending);
    v.Visit("num_keys", num_keys);
    v.Visit("stable", stable);
    v.Visit("positions", positions);
    if (comparator) v.Visit("comparator", comparator);
  }
  int Arity() const override { return -1; }

  Types Infer(TypeSpan x) const override {
    Require(!x.empty(), "needs at least one operand");
    for (const TensorType& type : x) Require(type.shape == x[0].shape, "shapes differ");
    Require(dimension >= 0 && dimension < x[0].shape.rank(), "dimension {} is not one of the operands'",
            dimension);
    Require(x[0].shape[static_cast<int>(dimension)] <= std::numeric_limits<int32_t>::max(),
            "dimension {} is too long for positions in i32", dimension);
    if (comparator) {
      RequireComparator(x);
    } else {
      const auto operands = static_cast<int64_t>(x.size());
      Require(num_keys >= 1 && num_keys <= operands, "{} keys of {} operands", num_keys, operands);
      for (const TensorType& key : x.first(static_cast<size_t>(num_keys)))
        Require(!IsComplex(key.dtype), "complex numbers have no order");
    }
    Types types(x.begin(), x.end());
    if (positions) types.push_back({DType::kI32, x[0].shape});
    return types;
  }

  void Emit(const Node& node, Emitter& e) const override {
    const Types types = TypesOf(node.operands);
    if (!IsPlain(types)) {
      return e.Expand(node, Trace("sort", types, [this](std::span<const Value> x) { return InPlain(x); }));
    }
    e.Op("stablehlo.sort", node,
         {{"dimension", fmt::format("{} : i64", dimension)}, {"is_stable", stable ? "true" : "false"}},
         e.Region(*(comparator ? comparator : KeyComparator(types))));
  }

  // Each cotangent goes back to where its element stood.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const SortOp op = *this;  // the node is about to get another
    if (node.types[0].shape.ElementCount() == 0) return Values(node.operands.size());
    Value order;
    if (op.positions) {
      order = node.result(static_cast<int>(node.operands.size()));
    } else {
      SortOp extended = op;
      extended.positions = true;
      const TensorType type = {DType::kI32, node.operands[0].shape()};
      order = node.graph->Extend(node, std::make_shared<const SortOp>(std::move(extended)), {type})[0];
    }
    const GatherDims dims = AlongAxis(order.rank(), op.dimension);
    Values cotangents;
    for (size_t i = 0; i < node.operands.size(); ++i) {
      cotangents.push_back(dy[i] ? Scatter(ZerosLike(dy[i]), order, dy[i], dims, ScatterMode::kSet, true)
                                 : Value());
    }
    return cotangents;
  }

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    SortOp batched = *this;
    ++batched.dimension;
    return ApplyMany(std::move(batched), BroadcastBatch(x, size));
  }

 private:
  void RequireComparator(TypeSpan x) const {
    Require(TypesOf(comparator->parameters()) == ComparedScalars(x),
            "the comparator does not take two scalars of each operand");
    const Types results = TypesOf(comparator->results);
    Require(results == Types{{DType::kPred, {}}}, "the comparator gives {}; it must be one pred[]",
            results.empty() ? "nothing" : results[0].ToString());
  }

  // Whether it is emitted as it is. On CPUs XLA is many times faster where the comparator is one comparison
  // of integers and there are no more than two operands. So other sorts find out where the elements stood, by
  // integers that have the order of the keys, and then gather them.
  bool IsPlain(TypeSpan x) const {
    if (positions) return false;
    if (comparator) return true;
    const auto keys = static_cast<size_t>(num_keys);
    const bool integers =
        std::ranges::none_of(x.first(keys), [](const TensorType& type) { return IsFloat(type.dtype); });
    return integers && (x.size() <= 2 || x.size() == keys + 1);
  }

  Values InPlain(std::span<const Value> x) const {
    SortOp plain = *this;
    plain.positions = false;
    const TensorType counter = {DType::kI32, x[0].shape()};
    const auto with_counter = [&](Values operands) {
      operands.push_back(Iota(x[0].graph(), counter, static_cast<int>(dimension)));
      return operands;
    };
    if (comparator) {
      plain.comparator = WithCounter(*comparator);
      return ApplyMany(std::move(plain), with_counter(Values(x.begin(), x.end())));
    }
    if (x.size() == 1 && !positions)
      return {FromSortKey(Apply(plain, {SortKey(x[0], Zeros::kApart)}), x[0].dtype())};
    Values keys;
    for (Value key : x.first(static_cast<size_t>(num_keys)))
      keys.push_back(IsFloat(key.dtype()) ? SortKey(key, Zeros::kEqual) : key);
    const Values sorted = ApplyMany(std::move(plain), with_counter(keys));
    Values results;
    for (size_t i = 0; i < x.size(); ++i) {
      const bool is_there = i < keys.size() && keys[i] == x[i];
      results.push_back(
          is_there ? sorted[i]
                   : TakeAlongAxis(x[i], sorted.back(), static_cast<int>(dimension), OutOfRange::kClamp));
    }
    if (positions) results.push_back(sorted.back());
    return results;
  }

  // The comparator of the same operands and a counter, which it does not look at.
  static std::shared_ptr<const Function> WithCounter(const Function& comparator) {
    Types types = TypesOf(comparator.parameters());
    types.insert(types.end(), 2, {DType::kI32, {}});
    return Traced(comparator.name, types, [&](std::span<const Value> x) {
      return Inline(comparator, x.first(x.size() - 2), x[0].graph());
    });
  }

  std::shared_ptr<const Function> KeyComparator(TypeSpan x) const {
    const Comparison before = descending ? Comparison::kGt : Comparison::kLt;
    return Traced("comparator", ComparedScalars(x), [&](std::span<const Value> v) {
      Value result;
      for (size_t i = static_cast<size_t>(num_keys); i-- > 0;) {
        const Value a = v[2 * i], b = v[2 * i + 1];
        const Value first = Compare(a, b, before);
        result = result ? Or(first, And(Equal(a, b), result)) : first;
      }
      return Values{result};
    });
  }
};

SortOp MakeSort(Value like, int axis, const SortOptions& options) {
  SortOp op;
  op.dimension = axis < 0 ? axis + like.rank() : axis;
  op.descending = options.descending;
  op.num_keys = options.num_keys;
  op.stable = options.stable;
  return op;
}

}  // namespace

std::vector<OpEntry> SortOps() { return EntriesOf<SortOp>(); }

Value Sort(Value x, int axis, SortOptions options) { return SortTogether({x}, axis, options)[0]; }

Values SortTogether(Values values, int axis, SortOptions options) {
  SortOp op = MakeSort(values.at(0), axis, options);
  return ApplyMany(std::move(op), std::move(values));
}

Value Argsort(Value x, int axis, SortOptions options) {
  SortOp op = MakeSort(x, axis, options);
  op.positions = true;
  return ApplyMany(std::move(op), {x}).back();
}

Values SortBy(const ValueFn& comes_before, Values values, int axis, bool stable) {
  SortOp op = MakeSort(values.at(0), axis, {.stable = stable});
  op.comparator = Traced("comparator", ComparedScalars(TypesOf(values)), comes_before);
  return ApplyMany(std::move(op), std::move(values));
}

}  // namespace headrace
