#include "headrace/optim/clip.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {

Value GlobalNorm(std::span<const Value> gradients) {
  Value sum;
  for (Value gradient : gradients) {
    const Value g = Convert(gradient, DType::kF32);
    const Value squares = Sum(g * g);
    sum = sum ? sum + squares : squares;
  }
  return Sqrt(sum);
}

Values ClipByValue(std::span<const Value> gradients, double limit) {
  Values clipped;
  for (Value gradient : gradients) clipped.push_back(Maximum(Minimum(gradient, limit), -limit));
  return clipped;
}

Values ClipByLeafNorm(std::span<const Value> gradients, double limit) {
  Values clipped;
  for (const Value& gradient : gradients) {
    clipped.push_back(ClipByGlobalNorm({&gradient, 1}, GlobalNorm({&gradient, 1}), limit).at(0));
  }
  return clipped;
}

Values ClipByGlobalNorm(std::span<const Value> gradients, Value norm, double limit) {
  const Value within = Less(norm, FullLike(norm, limit));
  Values clipped;
  for (Value gradient : gradients) {
    const Value scaled = gradient / Convert(norm, gradient.dtype()) * limit;
    clipped.push_back(Select(within, gradient, scaled));
  }
  return clipped;
}

}  // namespace headrace::optim
