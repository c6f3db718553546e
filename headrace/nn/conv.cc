#include "headrace/nn/conv.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {
namespace {

Dims WeightDims(const ConvShape& shape, const Dim& in, const Dim& out) {
  Dims dims;
  for (int64_t size : shape.kernel) dims.emplace_back(size);
  dims.push_back({in.size / shape.groups, in.axis});
  dims.push_back(out);
  return dims;
}

}  // namespace

Conv::Conv(Scope scope, Dim in, Dim out, ConvShape shape, Initializer weight)
    : scope_(scope),
      shape_(std::move(shape)),
      weight_(scope.Param("weight", WeightDims(shape_, in, out), std::move(weight))),
      bias_(shape_.bias ? scope.Param("bias", {out}, Zeros()) : Value()) {}

Value Conv::operator()(Value x) const {
  auto entered = scope_.Enter();
  const Value y =
      Convolution(x, weight_, ConvDims::ChannelsLast(static_cast<int>(shape_.kernel.size())),
                  {.strides = shape_.strides, .padding = shape_.padding, .feature_groups = shape_.groups});
  return bias_ ? y + bias_ : y;
}

}  // namespace headrace::nn
