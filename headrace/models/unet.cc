#include "headrace/models/unet.h"

#include <cmath>
#include <vector>

#include "headrace/graph/ops.h"
#include "headrace/models/torch_layers.h"
#include "headrace/nn/activations.h"

namespace headrace::models {
namespace {

// Two 3×3 convolutions, each normalized and rectified. [N, H, W, in] -> [N, H, W, out]
class DoubleConv {
 public:
  DoubleConv(nn::Scope scope, int64_t in, int64_t out)
      : first_(scope / 0, scope / 1, in, out, Around(), NormOptions()),
        second_(scope / 3, scope / 4, out, out, Around(), NormOptions()) {}

  Value operator()(Value x) const { return nn::Relu(second_(nn::Relu(first_(x)))); }

 private:
  static nn::ConvShape Around() { return {.kernel = {3, 3}, .padding = Padding{{1, 1}, {1, 1}}}; }

  ConvNorm first_, second_;
};

// The transposed convolution of kernel and stride 2: each pixel becomes four, by one matrix product. `weight`
// [in, out, 2, 2], as torch.nn.ConvTranspose2d has it, and `bias`. [N, H, W, in] -> [N, 2 H, 2 W, out]
class Doubling {
 public:
  Doubling(nn::Scope scope, int64_t in, int64_t out)
      : scope_(scope),
        weight_(scope.Param("weight", {{in, "embed"}, {out, "mlp"}, 2, 2},
                            nn::NormalInit(1 / std::sqrt(static_cast<double>(in))))),
        bias_(scope.Param("bias", {{out, "mlp"}}, nn::Zeros())) {}

  Value operator()(Value x) const {
    auto entered = scope_.Enter();
    const Value pixels = DotGeneral(x, weight_, {{}, {}, {3}, {0}});  // [N, H, W, out, 2, 2]
    const Value turned = Transpose(pixels, {0, 1, 4, 2, 5, 3});       // [N, H, 2, W, 2, out]
    return Reshape(turned, {x.dim(0), 2 * x.dim(1), 2 * x.dim(2), -1}) + bias_;
  }

 private:
  nn::Scope scope_;
  Value weight_, bias_;
};

// Doubles the size, and joins what had that size on the way down.
class Up {
 public:
  Up(nn::Scope scope, int64_t in)
      : up_(scope / "up", in, in / 2), conv_(scope / "conv" / "double_conv", in, in / 2) {}

  Value operator()(Value x, Value before) const { return conv_(Concatenate({before, up_(x)}, 3)); }

 private:
  Doubling up_;
  DoubleConv conv_;
};

}  // namespace

class Unet::Body {
 public:
  Body(const UnetConfig& config, nn::Scope scope, int64_t channels)
      : levels_(config.levels),
        out_(scope / "outc" / "conv", {config.width, "embed"}, config.classes, {.kernel = {1, 1}}),
        out_bias_((scope / "outc" / "conv").Param("bias", {config.classes}, nn::Zeros())) {
    int64_t width = config.width;
    downs_.emplace_back(scope / "inc" / "double_conv", channels, width);
    for (int64_t level = 1; level <= levels_; ++level, width *= 2) {
      const nn::Scope down = scope / fmt::format("down{}", level) / "maxpool_conv" / 1 / "double_conv";
      downs_.emplace_back(down, width, 2 * width);
    }
    for (int64_t level = 1; level <= levels_; ++level, width /= 2)
      ups_.emplace_back(scope / fmt::format("up{}", level), width);
  }

  Value operator()(Value x) const {
    const int64_t multiple = int64_t{1} << levels_;
    Require(x.rank() == 4 && x.dim(1) % multiple == 0 && x.dim(2) % multiple == 0,
            "unet: takes images [N, height, width, channels] whose height and width are multiples of {}, not "
            "{}",
            multiple, x.shape().ToString());
    Values sizes;  // what there was at each size, the largest first
    for (const DoubleConv& down : downs_) {
      if (!sizes.empty()) x = MaxPool(x, {.window = {2, 2}, .strides = {2, 2}});
      x = down(x);
      sizes.push_back(x);
    }
    for (const Up& up : ups_) {
      sizes.pop_back();
      x = up(x, sizes.back());
    }
    return out_(x) + out_bias_;
  }

 private:
  int64_t levels_;
  std::vector<DoubleConv> downs_;
  std::vector<Up> ups_;
  TorchConv out_;
  Value out_bias_;
};

Unet::Unet(const UnetConfig& config, nn::Scope scope, int64_t channels)
    : body_(std::make_unique<Body>(config, scope, channels)) {}
Unet::~Unet() = default;
Value Unet::operator()(Value x) const { return (*body_)(x); }

std::unique_ptr<Model> UnetConfig::Make(nn::Scope scope, const Shape& input) const {
  const int64_t multiple = int64_t{1} << levels;
  Require(input.rank() == 3 && input[0] % multiple == 0 && input[1] % multiple == 0,
          "unet: takes images [height, width, channels] whose height and width are multiples of {}, not {}; "
          "change the images' size (data.source.image.size) or model.levels",
          multiple, input.ToString());
  return std::make_unique<Unet>(*this, scope, input[2]);
}

void UnetConfig::Fields(config::Visitor& v) {
  v.Field("classes", classes, "Values a pixel: its classes, or channels", config::AtLeast(1));
  v.Field("width", width, "Channels at full size; doubled each time that the size is halved",
          config::AtLeast(1));
  v.Field("levels", levels, "How often the size is halved", config::Between(1, 8));
}

}  // namespace headrace::models
