#include "headrace/optim/clip.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {

Value SquaredNorm(Value gradient) {
  const Value g = Convert(gradient, DType::kF32);
  return Sum(g * g);
}

Value NormOf(std::span<const Value> squared_norms) {
  // A reduction, which compilers do once. A chain of additions they would repeat in the loop over each
  // parameter that its sum scales: work and code by the square of the number of parameters.
  return Sqrt(Sum(Stack({squared_norms.begin(), squared_norms.end()})));
}

Value GlobalNorm(std::span<const Value> gradients) {
  Values squared_norms;
  for (Value gradient : gradients) squared_norms.push_back(SquaredNorm(gradient));
  return NormOf(squared_norms);
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
  const Value factor = Select(Less(norm, FullLike(norm, limit)), OnesLike(norm), limit / norm);
  Values clipped;
  for (Value gradient : gradients) clipped.push_back(gradient * Convert(factor, gradient.dtype()));
  return clipped;
}

}  // namespace headrace::optim
