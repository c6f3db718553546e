#include "headrace/nn/initializers.h"

#include <cmath>

#include "headrace/graph/ops.h"

namespace headrace::nn {
namespace {

// Standard deviation of a standard normal cut at -2 and 2.
constexpr double kCutDeviation = 0.87962566103423978;

struct Fans {
  double in = 1;
  double out = 1;
};

Fans FansOf(const Shape& shape) {
  Require(shape.rank() >= 2, "fan-in and fan-out need two dimensions; the shape is {}", shape.ToString());
  double field = 1;
  for (int axis = 0; axis + 2 < shape.rank(); ++axis) field *= static_cast<double>(shape[axis]);
  return {static_cast<double>(shape[shape.rank() - 2]) * field,
          static_cast<double>(shape[shape.rank() - 1]) * field};
}

Value CutNormal(Value key, const TensorType& type, double stddev) {
  return TruncatedNormal(key, -2, 2, type) * (stddev / kCutDeviation);
}

}  // namespace

Initializer ConstantInit(double value) {
  return [value](Value key, const TensorType& type) { return Full(key.graph(), type, value); };
}
Initializer Zeros() { return ConstantInit(0); }
Initializer Ones() { return ConstantInit(1); }

Initializer NormalInit(double stddev) {
  return [stddev](Value key, const TensorType& type) { return Normal(key, type) * stddev; };
}

Initializer TruncatedNormalInit(double stddev) {
  return [stddev](Value key, const TensorType& type) { return TruncatedNormal(key, -2, 2, type) * stddev; };
}

Initializer LecunNormal() {
  return [](Value key, const TensorType& type) {
    return CutNormal(key, type, std::sqrt(1 / FansOf(type.shape).in));
  };
}

Initializer HeNormal() {
  return [](Value key, const TensorType& type) {
    return CutNormal(key, type, std::sqrt(2 / FansOf(type.shape).in));
  };
}

Initializer GlorotUniform() {
  return [](Value key, const TensorType& type) {
    const Fans fans = FansOf(type.shape);
    const double limit = std::sqrt(6 / (fans.in + fans.out));
    return Uniform(key, type, -1, 1) * limit;
  };
}

Initializer GlorotNormal() {
  return [](Value key, const TensorType& type) {
    const Fans fans = FansOf(type.shape);
    return CutNormal(key, type, std::sqrt(2 / (fans.in + fans.out)));
  };
}

}  // namespace headrace::nn
