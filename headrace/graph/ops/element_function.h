// Ops whose result is a function of the operands' elements in the same place, and of their type, as rows of
// tables: one line an op. For ops/ only.
//
//   constexpr UnaryRow kUnary[] = {{"ceil", "stablehlo.ceil", kFloats, nullptr}};
//   std::vector<OpEntry> RoundingOps() { return EntriesOf(kUnary); }
//   Value Ceil(Value x) { return ApplyRow(kUnary, "ceil", x); }
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "headrace/graph/graph.h"
#include "headrace/graph/registry.h"

namespace headrace {

// Which element types an op takes.
enum Kinds : unsigned {
  kFloats = 1,
  kInts = 2,
  kPreds = 4,
  kComplex = 8,
  kInexact = kFloats | kComplex,
  kReals = kFloats | kInts,
  kNumbers = kReals | kComplex,
  kBits = kInts | kPreds
};

// Names are the field's; those of StableHLO or CHLO are what is emitted.
struct UnaryRow {
  std::string_view name;
  std::string_view mlir;
  unsigned kinds;
  Value (*derivative)(Value x, Value y);  // dy/dx at y = f(x); null where it is zero or there is none
};

struct BinaryRow {
  std::string_view name;
  std::string_view mlir;
  unsigned kinds;
  // Cotangents of a and b at y = f(a, b); null where both are zero or there are none.
  std::array<Value, 2> (*gradient)(Value a, Value b, Value y, Value dy);
};

std::vector<OpEntry> EntriesOf(std::span<const UnaryRow> unary, std::span<const BinaryRow> binary = {});

// Fails unless the operands have one type, whose elements are of these kinds.
void RequireElements(unsigned kinds, TypeSpan operands);

// A node of the row of that name; the operands of binary ops are broadcast together.
Value ApplyRow(std::span<const UnaryRow> table, std::string_view name, Value x);
Value ApplyRow(std::span<const BinaryRow> table, std::string_view name, Value a, Value b);

}  // namespace headrace
