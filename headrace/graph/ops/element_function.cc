#include "headrace/graph/ops/element_function.h"

#include <algorithm>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"

namespace headrace {
namespace {

bool Accepts(unsigned kinds, DType dtype) {
  if (IsFloat(dtype)) return kinds & kFloats;
  if (IsInteger(dtype)) return kinds & kInts;
  if (IsComplex(dtype)) return kinds & kComplex;
  return dtype == DType::kPred && (kinds & kPreds);
}

std::string_view KindNames(unsigned kinds) {
  switch (kinds) {
    case kFloats:
      return "floating-point";
    case kInts:
      return "integers";
    case kInexact:
      return "floating-point or complex";
    case kReals:
      return "real numbers";
    case kNumbers:
      return "numbers";
    case kBits:
      return "integers or pred";
    default:
      return "real numbers or pred";
  }
}

// CHLO has no short form.
void EmitRow(std::string_view mlir, const Node& node, Emitter& e) {
  if (mlir.starts_with("chlo.")) return e.Op(mlir, node);
  e.Elementwise(mlir, node);
}

struct UnaryOp final : Op {
  explicit UnaryOp(const UnaryRow& row) : row(&row) {}
  const UnaryRow* row;

  std::string_view name() const override { return row->name; }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    RequireElements(row->kinds, x);
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override { EmitRow(row->mlir, node, e); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (!row->derivative) return {Value()};
    return {dy[0] * row->derivative(node.operands[0], node.result())};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    return {headrace::Apply(*this, {x[0].value})};
  }
};

struct BinaryOp final : Op {
  explicit BinaryOp(const BinaryRow& row) : row(&row) {}
  const BinaryRow* row;

  std::string_view name() const override { return row->name; }
  int Arity() const override { return 2; }
  Types Infer(TypeSpan x) const override {
    RequireElements(row->kinds, x);
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override { EmitRow(row->mlir, node, e); }
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    if (!row->gradient) return {Value(), Value()};
    const auto [da, db] = row->gradient(node.operands[0], node.operands[1], node.result(), dy[0]);
    return {da, db};
  }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return {headrace::Apply(*this, BroadcastBatch(x, size))};
  }
};

}  // namespace

void RequireElements(unsigned kinds, TypeSpan operands) {
  Require(Accepts(kinds, operands[0].dtype), "takes {}", KindNames(kinds));
  for (const TensorType& type : operands) {
    Require(type.dtype == operands[0].dtype, "element types differ; convert one of them");
    Require(type.shape == operands[0].shape, "shapes differ");
  }
}

std::vector<OpEntry> EntriesOf(std::span<const UnaryRow> unary, std::span<const BinaryRow> binary) {
  std::vector<OpEntry> entries;
  for (const UnaryRow& row : unary)
    entries.push_back({row.name, [&row] { return std::make_unique<UnaryOp>(row); }});
  for (const BinaryRow& row : binary)
    entries.push_back({row.name, [&row] { return std::make_unique<BinaryOp>(row); }});
  return entries;
}

Value ApplyRow(std::span<const UnaryRow> table, std::string_view name, Value x) {
  return Apply(UnaryOp(*std::ranges::find(table, name, &UnaryRow::name)), {x});
}

Value ApplyRow(std::span<const BinaryRow> table, std::string_view name, Value a, Value b) {
  return Apply(BinaryOp(*std::ranges::find(table, name, &BinaryRow::name)), BroadcastTogether({a, b}));
}

}  // namespace headrace
