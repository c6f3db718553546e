#include "headrace/models/torch_layers.h"

#include <algorithm>
#include <cmath>

#include "headrace/graph/ops.h"

namespace headrace::models {
namespace {

// [out, in, height, width] drawn as [height, width, out, in], whose fan-in is the fan-out of the former.
nn::Initializer ByFanOut() {
  return [](Value key, const TensorType& type) {
    const Shape& shape = type.shape;
    const TensorType turned = {type.dtype, {shape[2], shape[3], shape[0], shape[1]}};
    return Transpose(nn::HeNormal()(key, turned), Ints{2, 3, 0, 1});
  };
}

// NHWC with OIHW.
ConvDims Dims() {
  ConvDims dims = ConvDims::ChannelsLast(2);
  dims.rhs_output = 0;
  dims.rhs_input = 1;
  dims.rhs_spatial = {2, 3};
  return dims;
}

}  // namespace

TorchConv::TorchConv(nn::Scope scope, nn::Dim in, nn::Dim out, nn::ConvShape shape)
    : scope_(scope),
      shape_(std::move(shape)),
      weight_(scope.Param("weight",
                          {out, {in.size / shape_.groups, in.axis}, shape_.kernel[0], shape_.kernel[1]},
                          ByFanOut())) {}

Value TorchConv::operator()(Value x) const {
  auto entered = scope_.Enter();
  return Convolution(x, weight_, Dims(),
                     {.strides = shape_.strides, .padding = shape_.padding, .feature_groups = shape_.groups});
}

nn::Initializer TorchLinearInit() {
  return [](Value key, const TensorType& type) {
    const double bound = 1 / std::sqrt(static_cast<double>(type.shape[1]));
    return Uniform(key, type, -bound, bound);
  };
}

int64_t ScaledChannels(int64_t channels, double width) {
  constexpr int64_t kMultiple = 8;
  const double wanted = static_cast<double>(channels) * width;
  const int64_t rounded =
      std::max(kMultiple, static_cast<int64_t>(wanted + kMultiple / 2.0) / kMultiple * kMultiple);
  return static_cast<double>(rounded) < 0.9 * wanted ? rounded + kMultiple : rounded;
}

}  // namespace headrace::models
