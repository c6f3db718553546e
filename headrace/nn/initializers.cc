#include "headrace/nn/initializers.h"

#include <cmath>

#include "headrace/graph/ops.h"

namespace headrace::nn {
namespace {

// Standard deviation of a standard normal cut at -2 and 2.
constexpr float kCutDeviation = 0.87962566103423978f;

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

double InverseOfIn(const Fans& fans) { return 1 / fans.in; }
double TwiceInverseOfIn(const Fans& fans) { return 2 / fans.in; }
double InverseOfMean(const Fans& fans) { return 2 / (fans.in + fans.out); }

// The factors are rounded to f32 step by step, as in JAX, for the same numbers.
Initializer CutNormal(double (*variance)(const Fans&)) {
  return [variance](Value key, const TensorType& type) {
    const float deviation = std::sqrt(static_cast<float>(variance(FansOf(type.shape))));
    return TruncatedNormal(key, -2, 2, type) * static_cast<double>(deviation / kCutDeviation);
  };
}

Initializer ScaledUniform(double (*variance)(const Fans&)) {
  return [variance](Value key, const TensorType& type) {
    const float limit = std::sqrt(3 * static_cast<float>(variance(FansOf(type.shape))));
    return Uniform(key, type, -1, 1) * static_cast<double>(limit);
  };
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

Initializer UniformInit(double bound) {
  return [bound](Value key, const TensorType& type) { return Uniform(key, type, -bound, bound); };
}

Initializer LecunNormal() { return CutNormal(InverseOfIn); }
Initializer LecunUniform() { return ScaledUniform(InverseOfIn); }
Initializer HeNormal() { return CutNormal(TwiceInverseOfIn); }
Initializer HeUniform() { return ScaledUniform(TwiceInverseOfIn); }
Initializer GlorotNormal() { return CutNormal(InverseOfMean); }
Initializer GlorotUniform() { return ScaledUniform(InverseOfMean); }

}  // namespace headrace::nn
