#include "headrace/models/mobilenet.h"

#include <algorithm>
#include <array>
#include <optional>

#include "headrace/graph/ops.h"
#include "headrace/models/inverted_residual.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/projection.h"

namespace headrace::models {
namespace {

struct Stage {
  int64_t expansion, channels, blocks, stride;
};
// Table 2 of the paper.
constexpr std::array kStages = {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2},
                                Stage{6, 64, 4, 2}, Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2},
                                Stage{6, 320, 1, 1}};
constexpr int64_t kStemChannels = 32, kHeadChannels = 1280;

nn::ConvShape Three(int64_t stride) {
  return {.kernel = {3, 3}, .strides = {stride, stride}, .padding = Padding{{1, 1}, {1, 1}}};
}

// torchvision numbers the layers of a block; one that does not expand begins with the next.
InvertedResidualScopes Scopes(nn::Scope block, bool expands) {
  const nn::Scope layers = block / "conv";
  const int64_t depthwise = expands ? 1 : 0;
  return {.expand = layers / 0 / 0,
          .expand_norm = layers / 0 / 1,
          .depthwise = layers / depthwise / 0,
          .depthwise_norm = layers / depthwise / 1,
          .project = layers / (depthwise + 1),
          .project_norm = layers / (depthwise + 2)};
}

class MobilenetV2 final : public Model {
 public:
  MobilenetV2(const MobilenetV2Config& config, nn::Scope scope, int64_t channels)
      : dropout_(scope / "classifier" / 0, config.dropout) {
    const nn::Scope features = scope / "features";
    int64_t in = ScaledChannels(kStemChannels, config.width);
    stem_.emplace(features / 0 / 0, features / 0 / 1, channels, in, Three(2), NormOptions());
    for (const Stage& stage : kStages) {
      const int64_t out = ScaledChannels(stage.channels, config.width);
      for (int64_t block = 0; block < stage.blocks; ++block) {
        const nn::Scope place = features / (static_cast<int64_t>(blocks_.size()) + 1);
        blocks_.emplace_back(Scopes(place, stage.expansion != 1),
                             InvertedResidualShape{.in = in,
                                                   .out = out,
                                                   .expansion = stage.expansion,
                                                   .depthwise = Three(block == 0 ? stage.stride : 1)},
                             NormOptions());
        in = out;
      }
    }
    const nn::Scope head = features / (static_cast<int64_t>(blocks_.size()) + 1);
    const int64_t last = ScaledChannels(kHeadChannels, std::max(1.0, config.width));
    head_.emplace(head / 0, head / 1, in, last, nn::ConvShape{.kernel = {1, 1}}, NormOptions());
    classifier_.emplace(scope / "classifier" / 1, last, config.classes, TorchLinearInit(), /*bias=*/true);
  }

  Value operator()(Value x) const override {
    x = nn::Relu6((*stem_)(x));
    for (const InvertedResidual& block : blocks_) x = block(x);
    return (*classifier_)(dropout_(GlobalAvgPool(nn::Relu6((*head_)(x)))));
  }

 private:
  std::optional<ConvNorm> stem_, head_;
  std::vector<InvertedResidual> blocks_;
  nn::Dropout dropout_;
  std::optional<nn::Projection> classifier_;
};

}  // namespace

void MobilenetV2Config::Fields(config::Visitor& v) {
  v.Field("classes", classes, "Number of classes", config::AtLeast(1));
  v.Field("width", width, "Channels of every layer against the paper's", config::Between(0.1, 4));
  v.Field("dropout", dropout, "Share of elements dropped before the logits in training",
          config::Between(0, 0.99));
}

std::unique_ptr<Model> MobilenetV2Config::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 3, "mobilenet_v2: takes images [height, width, channels], not {}",
          input.ToString());
  return std::make_unique<MobilenetV2>(*this, scope, input[2]);
}

}  // namespace headrace::models
