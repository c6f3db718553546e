#include "headrace/graph/ops/monoid.h"

#include <limits>

#include "headrace/graph/ops/bitwise.h"
#include "headrace/graph/ops/elementwise.h"

namespace headrace {
namespace {

// The largest finite value of the integer types; floats have infinity.
double Extreme(DType dtype, bool largest) {
  if (IsFloat(dtype)) {
    if (dtype == DType::kF8E4M3FN) return largest ? 448.0 : -448.0;  // no infinity in this format
    const double infinity = std::numeric_limits<double>::infinity();
    return largest ? infinity : -infinity;
  }
  return 0;
}

template <class T>
HostTensor Limit(bool largest) {
  return HostTensor::Scalar<T>(largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min());
}

// The identity of minimum (largest) or maximum (smallest).
HostTensor ExtremeScalar(DType dtype, bool largest) {
  switch (dtype) {
    case DType::kPred:
      return HostTensor::Scalar<bool>(largest);
    case DType::kI8:
      return Limit<int8_t>(largest);
    case DType::kI16:
      return Limit<int16_t>(largest);
    case DType::kI32:
      return Limit<int32_t>(largest);
    case DType::kI64:
      return Limit<int64_t>(largest);
    case DType::kU8:
      return Limit<uint8_t>(largest);
    case DType::kU16:
      return Limit<uint16_t>(largest);
    case DType::kU32:
      return Limit<uint32_t>(largest);
    case DType::kU64:
      return Limit<uint64_t>(largest);
    default: {
      HostTensor scalar({dtype, {}});
      scalar.Set(0, Extreme(dtype, largest));
      return scalar;
    }
  }
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
