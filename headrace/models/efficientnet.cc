#include "headrace/models/efficientnet.h"

#include <array>
#include <cmath>
#include <optional>

#include "headrace/graph/ops.h"
#include "headrace/models/inverted_residual.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/projection.h"

namespace headrace::models {
namespace {

struct Variant {
  double width, depth, dropout;
};
constexpr std::array kVariants = {Variant{1.0, 1.0, 0.2}, Variant{1.0, 1.1, 0.2}, Variant{1.1, 1.2, 0.3},
                                  Variant{1.2, 1.4, 0.3}, Variant{1.4, 1.8, 0.3}};

struct Stage {
  int64_t blocks, kernel, stride, expansion, channels;
};
constexpr std::array kStages = {Stage{1, 3, 1, 1, 16}, Stage{2, 3, 2, 6, 24},  Stage{2, 5, 2, 6, 40},
                                Stage{3, 3, 2, 6, 80}, Stage{3, 5, 1, 6, 112}, Stage{4, 5, 2, 6, 192},
                                Stage{1, 3, 1, 6, 320}};
constexpr int64_t kStemChannels = 32, kHeadChannels = 1280;
constexpr NormOptions kNorm = {.momentum = 0.99, .epsilon = 1e-3};

nn::ConvShape Square(int64_t kernel, int64_t stride) {
  return {.kernel = {kernel, kernel}, .strides = {stride, stride}, .padding = PaddingMode::kSame};
}

// The norms count on from whichever comes first.
InvertedResidualScopes Scopes(nn::Scope block) {
  return {.expand = block / "_expand_conv",
          .expand_norm = block / "_bn0",
          .depthwise = block / "_depthwise_conv",
          .depthwise_norm = block / "_bn1",
          .project = block / "_project_conv",
          .project_norm = block / "_bn2"};
}

// The first and the last stage keep their depth.
int64_t BlocksOf(size_t stage, double depth) {
  const int64_t blocks = kStages[stage].blocks;
  if (stage == 0 || stage + 1 == kStages.size()) return blocks;
  return static_cast<int64_t>(std::ceil(static_cast<double>(blocks) * depth));
}

class EfficientnetLite final : public Model {
 public:
  EfficientnetLite(const EfficientnetLiteConfig& config, const Variant& variant, nn::Scope scope,
                   int64_t channels)
      : stem_(scope / "_conv_stem", scope / "_bn0", channels, kStemChannels, Square(3, 2), kNorm),
        dropout_(scope / "_dropout", config.dropout.value_or(variant.dropout)) {
    int64_t in = kStemChannels;
    for (size_t s = 0; s < kStages.size(); ++s) {
      const Stage& stage = kStages[s];
      const int64_t out = ScaledChannels(stage.channels, variant.width);
      for (int64_t block = 0; block < BlocksOf(s, variant.depth); ++block) {
        blocks_.emplace_back(
            Scopes(scope / "_blocks" / static_cast<int64_t>(blocks_.size())),
            InvertedResidualShape{.in = in,
                                  .out = out,
                                  .expansion = stage.expansion,
                                  .depthwise = Square(stage.kernel, block == 0 ? stage.stride : 1)},
            kNorm);
        in = out;
      }
    }
    head_.emplace(scope / "_conv_head", scope / "_bn1", in, kHeadChannels, Square(1, 1), kNorm);
    classifier_.emplace(scope / "_fc", kHeadChannels, config.classes, TorchLinearInit(), /*bias=*/true);
  }

  Value operator()(Value x) const override {
    x = nn::Relu6(stem_(x));
    for (const InvertedResidual& block : blocks_) x = block(x);
    return (*classifier_)(dropout_(GlobalAvgPool(nn::Relu6((*head_)(x)))));
  }

 private:
  ConvNorm stem_;
  std::vector<InvertedResidual> blocks_;
  std::optional<ConvNorm> head_;
  nn::Dropout dropout_;
  std::optional<nn::Projection> classifier_;
};

}  // namespace

void EfficientnetLiteConfig::Fields(config::Visitor& v) {
  v.Field("classes", classes, "Number of classes", config::AtLeast(1));
  v.Field("variant", variant, "0 to 4, for images of 224, 240, 260, 280 and 300 pixels",
          config::Between(0, 4));
  v.Field("dropout", dropout,
          "Share of elements dropped before the logits in training; by default the variant's",
          config::Between(0, 0.99));
}

std::unique_ptr<Model> EfficientnetLiteConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 3, "efficientnet_lite: takes images [height, width, channels], not {}",
          input.ToString());
  Require(variant >= 0 && variant < static_cast<int64_t>(kVariants.size()),
          "efficientnet_lite: there is no variant {}", variant);
  return std::make_unique<EfficientnetLite>(*this, kVariants[static_cast<size_t>(variant)], scope, input[2]);
}

}  // namespace headrace::models
