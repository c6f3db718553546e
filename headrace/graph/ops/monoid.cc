#include "headrace/graph/ops/monoid.h"

#include <limits>

#include "headrace/graph/ops/bitwise.h"
#include "headrace/graph/ops/elementwise.h"

namespace headrace {
namespace {

// The identity of minimum (largest) or maximum (smallest).
HostTensor ExtremeScalar(DType dtype, bool largest) {
  const int unused = 64 - BitWidth(dtype);
  if (IsSigned(dtype)) {
    const int64_t highest = std::numeric_limits<int64_t>::max() >> unused;
    return HostTensor::Scalar<int64_t>(largest ? highest : -highest - 1).ConvertTo(dtype);
  }
  if (IsUnsigned(dtype)) {
    const uint64_t highest = std::numeric_limits<uint64_t>::max() >> unused;
    return HostTensor::Scalar<uint64_t>(largest ? highest : 0).ConvertTo(dtype);
  }
  HostTensor scalar({dtype, {}});
  if (dtype == DType::kPred) {
    scalar.Set(0, largest ? 1 : 0);
  } else {
    const double most = HasInfinity(dtype) ? std::numeric_limits<double>::infinity() : LargestFinite(dtype);
    scalar.Set(0, largest ? most : -most);
  }
  return scalar;
}

// Every bit set: the identity of bitwise and.
HostTensor AllOnes(DType dtype) {
  HostTensor scalar({dtype, {}});
  for (std::byte& b : scalar.mutable_bytes()) b = dtype == DType::kPred ? std::byte{1} : std::byte{0xff};
  return scalar;
}

}  // namespace

std::string_view MlirReduction(Reduction reduction) {
  switch (reduction) {
    case Reduction::kAdd:
      return "stablehlo.add";
    case Reduction::kMul:
      return "stablehlo.multiply";
    case Reduction::kMax:
      return "stablehlo.maximum";
    case Reduction::kMin:
      return "stablehlo.minimum";
    case Reduction::kAnd:
      return "stablehlo.and";
    case Reduction::kOr:
      return "stablehlo.or";
  }
  return {};
}

Value Combine(Reduction reduction, Value a, Value b) {
  switch (reduction) {
    case Reduction::kAdd:
      return Add(a, b);
    case Reduction::kMul:
      return Mul(a, b);
    case Reduction::kMax:
      return Maximum(a, b);
    case Reduction::kMin:
      return Minimum(a, b);
    case Reduction::kAnd:
      return And(a, b);
    case Reduction::kOr:
      return Or(a, b);
  }
  return {};
}

HostTensor InitialValue(Reduction reduction, DType dtype) {
  HostTensor scalar({dtype, {}});
  switch (reduction) {
    case Reduction::kMul:
      scalar.Set(0, 1);
      break;
    case Reduction::kMax:
      return ExtremeScalar(dtype, false);
    case Reduction::kMin:
      return ExtremeScalar(dtype, true);
    case Reduction::kAnd:
      return AllOnes(dtype);
    default:
      break;  // zero
  }
  return scalar;
}

void RequireReducible(Reduction reduction, DType dtype) {
  Require(dtype != DType::kF8E8M0FNU, "f8e8m0fnu has no 0 and no sign to reduce from; convert it");
  const bool bitwise = reduction == Reduction::kAnd || reduction == Reduction::kOr;
  if (bitwise) {
    Require(dtype == DType::kPred || IsInteger(dtype), "'{}' reduces integers or pred",
            kReductionNames[static_cast<size_t>(reduction)]);
  } else {
    Require(dtype != DType::kPred, "'{}' reduces numbers; use 'and' or 'or' for pred",
            kReductionNames[static_cast<size_t>(reduction)]);
    Require(!IsComplex(dtype) || reduction == Reduction::kAdd || reduction == Reduction::kMul,
            "'{}' reduces real numbers; complex ones have no order",
            kReductionNames[static_cast<size_t>(reduction)]);
  }
}

}  // namespace headrace
