#include "headrace/models/convnet.h"

#include <optional>

#include "headrace/graph/ops.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/conv.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/linear.h"
#include "headrace/nn/norm.h"

namespace headrace::models {
namespace {

// [N, H, W, in] -> [N, ⌈H/s⌉, ⌈W/s⌉, out], s the stride of the convolution or, where it has none, of
// pooling, 2.
class Block {
 public:
  Block(const ConvnetConfig& config, nn::Scope scope, nn::Dim in, nn::Dim out, std::optional<int64_t> stride)
      : conv_(scope / "conv", in, out,
              {.kernel = {config.kernel, config.kernel},
               .strides = {stride.value_or(1), stride.value_or(1)},
               .bias = !config.batch_norm},
              nn::HeNormal()),
        pools_(!stride) {
    if (config.batch_norm) norm_.emplace(scope / "norm", out, /*momentum=*/0.9);
  }

  Value operator()(Value x) const {
    const Value y = conv_(x);
    const Value z = nn::Relu(norm_ ? (*norm_)(y) : y);
    if (!pools_) return z;
    return MaxPool(z, {.window = {2, 2}, .strides = {2, 2}, .padding = PaddingMode::kSame});
  }

 private:
  nn::Conv conv_;
  bool pools_;
  std::optional<nn::BatchNorm> norm_;
};

class Convnet final : public Model {
 public:
  Convnet(const ConvnetConfig& config, nn::Scope scope, const Shape& input)
      : dropout_(scope / "dropout", config.dropout) {
    int64_t height = input[0], width = input[1], channels = input[2];
    for (size_t i = 0; i < config.channels.size(); ++i) {
      const int64_t out = config.channels[i];
      std::optional<int64_t> stride;
      if (!config.strides.empty()) stride = config.strides[i];
      blocks_.emplace_back(config, scope / "blocks" / static_cast<int64_t>(i), nn::Dim(channels, "embed"),
                           nn::Dim(out, "mlp"), stride);
      channels = out;
      height = (height + stride.value_or(2) - 1) / stride.value_or(2);
      width = (width + stride.value_or(2) - 1) / stride.value_or(2);
    }
    int64_t features = height * width * channels;
    if (config.hidden > 0) {
      hidden_.emplace(scope / "hidden", nn::Dim(features, "embed"), nn::Dim(config.hidden, "mlp"),
                      nn::HeNormal());
      features = config.hidden;
    }
    classifier_.emplace(scope / "classifier", nn::Dim(features, "embed"), nn::Dim(config.classes));
  }

  Value operator()(Value x) const override {
    for (const Block& block : blocks_) x = block(x);
    x = Reshape(x, Ints{x.dim(0), -1});  // [N, features]
    if (hidden_) x = nn::Relu((*hidden_)(x));
    return (*classifier_)(dropout_(x));  // [N, classes]
  }

 private:
  std::vector<Block> blocks_;
  std::optional<nn::Linear> hidden_, classifier_;
  nn::Dropout dropout_;
};

}  // namespace

void ConvnetConfig::Fields(config::Visitor& v) {
  v.Field("classes", classes, "Number of classes", config::AtLeast(1));
  v.Field("channels", channels, "Channels of each block", config::AtLeast(1));
  v.Field("strides", strides,
          "Stride of each block; none: blocks pool, and every one halves height and width",
          config::AtLeast(1));
  v.Field("kernel", kernel, "Height and width of the filters", config::AtLeast(1));
  v.Field("hidden", hidden, "Width of the layer before the logits; 0 for none", config::AtLeast(0));
  v.Field("batch_norm", batch_norm, "Normalize over the batch after each convolution");
  v.Field("dropout", dropout, "Share of elements dropped before the logits in training",
          config::Between(0, 0.99));
}

Status ConvnetConfig::Validate() const {
  if (strides.empty() || strides.size() == channels.size()) return Ok();
  return InvalidArgument("strides: {} of them for {} blocks; give one for each of channels, or none",
                         strides.size(), channels.size());
}

std::unique_ptr<Model> ConvnetConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 3, "convnet: takes images [height, width, channels], not {}", input.ToString());
  return std::make_unique<Convnet>(*this, scope, input);
}

}  // namespace headrace::models
