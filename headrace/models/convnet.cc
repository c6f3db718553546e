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

// [N, H, W, in] -> [N, ⌈H/2⌉, ⌈W/2⌉, out]
class Block {
 public:
  Block(const ConvnetConfig& config, nn::Scope scope, nn::Dim in, nn::Dim out)
      : conv_(scope / "conv", in, out, {.kernel = {config.kernel, config.kernel}, .bias = !config.batch_norm},
              nn::HeNormal()) {
    if (config.batch_norm) norm_.emplace(scope / "norm", out, /*momentum=*/0.9);
  }

  Value operator()(Value x) const {
    const Value y = conv_(x);
    return MaxPool(nn::Relu(norm_ ? (*norm_)(y) : y),
                   {.window = {2, 2}, .strides = {2, 2}, .padding = PaddingMode::kSame});
  }

 private:
  nn::Conv conv_;
  std::optional<nn::BatchNorm> norm_;
};

class Convnet final : public Model {
 public:
  Convnet(const ConvnetConfig& config, nn::Scope scope, const Shape& input)
      : dropout_(scope / "dropout", config.dropout) {
    int64_t height = input[0], width = input[1], channels = input[2], index = 0;
    for (int64_t out : config.channels) {
      blocks_.emplace_back(config, scope / "blocks" / index++, nn::Dim(channels, "embed"),
                           nn::Dim(out, "mlp"));
      channels = out;
      height = (height + 1) / 2;
      width = (width + 1) / 2;
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
  v.Field("channels", channels, "Channels of each block; every block halves height and width",
          config::AtLeast(1));
  v.Field("kernel", kernel, "Height and width of the filters", config::AtLeast(1));
  v.Field("hidden", hidden, "Width of the layer before the logits; 0 for none", config::AtLeast(0));
  v.Field("batch_norm", batch_norm, "Normalize over the batch after each convolution");
  v.Field("dropout", dropout, "Share of elements dropped before the logits in training",
          config::Between(0, 0.99));
}

std::unique_ptr<Model> ConvnetConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 3, "convnet: takes images [height, width, channels], not {}", input.ToString());
  return std::make_unique<Convnet>(*this, scope, input);
}

}  // namespace headrace::models
