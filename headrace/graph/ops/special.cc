#include "headrace/graph/ops/special.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/element_function.h"

namespace headrace {
namespace {

// 2 / sqrt(pi)
constexpr double kErfSlope = 1.1283791670955126;

constexpr UnaryRow kUnary[] = {
    {"erf", "chlo.erf", kFloats, [](Value x, Value) { return kErfSlope * Exp(-(x * x)); }},
    {"erf_inv", "chlo.erf_inv", kFloats, [](Value, Value y) { return Exp(y * y) / kErfSlope; }},
};

}  // namespace

std::vector<OpEntry> SpecialOps() { return EntriesOf(kUnary); }

Value Erf(Value x) { return ApplyRow(kUnary, "erf", x); }
Value ErfInv(Value x) { return ApplyRow(kUnary, "erf_inv", x); }

}  // namespace headrace
