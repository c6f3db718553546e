// Convolutions whose weights lie as PyTorch lays them, for families whose weights people have from there:
// their files load here as they are, and files of ours load there. (nn::Projection is the linear layer of
// that kind.)
#pragma once

#include <optional>

#include "headrace/nn/conv.h"
#include "headrace/nn/norm.h"

namespace headrace::models {

// As nn::Conv, with `weight` [out, in / groups, height, width] and no bias. The weights begin normal with
// variance 2 / fan-out (He et al., 2015), as torchvision's.
class TorchConv {
 public:
  TorchConv(nn::Scope scope, nn::Dim in, nn::Dim out, nn::ConvShape shape);
  Value operator()(Value x) const;  // [N, H, W, in] -> [N, H', W', out]

 private:
  nn::Scope scope_;
  nn::ConvShape shape_;
  Value weight_;
};

// The initializer of torch.nn.Linear's weight, [out, in]: uniform with variance 1 / (3 in).
nn::Initializer TorchLinearInit();

// The numbers of BatchNorm in a family; momentum as in nn::BatchNorm, which is 1 less PyTorch's.
struct NormOptions {
  double momentum = 0.9;
  double epsilon = 1e-5;
};

// A convolution and what normalizes it, under two names.
class ConvNorm {
 public:
  ConvNorm(nn::Scope conv, nn::Scope norm, int64_t in, int64_t out, nn::ConvShape shape,
           const NormOptions& options)
      : conv_(conv, {in, "embed"}, {out, "mlp"}, std::move(shape)),
        norm_(norm, {out, "mlp"}, options.momentum, options.epsilon) {}
  Value operator()(Value x) const { return norm_(conv_(x)); }

 private:
  TorchConv conv_;
  nn::BatchNorm norm_;
};

// As much of `channels` as `width` says, in multiples of 8, never less than nine tenths of it: what
// MobileNets and EfficientNets round to.
int64_t ScaledChannels(int64_t channels, double width);

}  // namespace headrace::models
