#include "headrace/models/resnet.h"

#include <algorithm>
#include <array>
#include <optional>

#include "headrace/graph/ops.h"
#include "headrace/models/torch_layers.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/projection.h"

namespace headrace::models {
namespace {

struct Variant {
  int64_t depth;
  std::array<int64_t, 4> blocks;  // of each stage
  bool bottleneck;                // blocks of three convolutions, not two
};
constexpr std::array kVariants = {Variant{18, {2, 2, 2, 2}, false}, Variant{34, {3, 4, 6, 3}, false},
                                  Variant{50, {3, 4, 6, 3}, true}, Variant{101, {3, 4, 23, 3}, true},
                                  Variant{152, {3, 8, 36, 3}, true}};
constexpr int64_t kExpansion = 4;  // of a bottleneck's output over its middle

nn::ConvShape Square(int64_t kernel, int64_t stride) {
  const int64_t around = kernel / 2;
  return {.kernel = {kernel, kernel},
          .strides = {stride, stride},
          .padding = Padding{{around, around}, {around, around}}};
}

// [N, H, W, in] -> [N, ⌈H/stride⌉, ⌈W/stride⌉, out]
class Block {
 public:
  Block(nn::Scope scope, int64_t in, int64_t width, int64_t stride, bool bottleneck) {
    const int64_t out = bottleneck ? kExpansion * width : width;
    const auto add = [&](int64_t from, int64_t to, nn::ConvShape shape) {
      const int64_t number = static_cast<int64_t>(layers_.size()) + 1;
      layers_.emplace_back(scope / fmt::format("conv{}", number), scope / fmt::format("bn{}", number), from,
                           to, std::move(shape), NormOptions());
    };
    if (bottleneck) {
      add(in, width, Square(1, 1));
      add(width, width, Square(3, stride));
      add(width, out, Square(1, 1));
    } else {
      add(in, width, Square(3, stride));
      add(width, width, Square(3, 1));
    }
    if (stride != 1 || in != out) {
      const nn::Scope downsample = scope / "downsample";
      downsample_.emplace(downsample / 0, downsample / 1, in, out, Square(1, stride), NormOptions());
    }
  }

  Value operator()(Value x) const {
    Value y = x;
    for (size_t i = 0; i < layers_.size(); ++i) {
      y = layers_[i](y);
      if (i + 1 < layers_.size()) y = nn::Relu(y);
    }
    return nn::Relu(y + (downsample_ ? (*downsample_)(x) : x));
  }

 private:
  std::vector<ConvNorm> layers_;
  std::optional<ConvNorm> downsample_;
};

class Resnet final : public Model {
 public:
  Resnet(nn::Scope scope, const Variant& variant, int64_t channels, int64_t classes)
      : scope_(scope),
        stem_(scope / "conv1", scope / "bn1", channels, kStemWidth, Square(7, 2), NormOptions()) {
    int64_t in = kStemWidth;
    for (size_t stage = 0; stage < variant.blocks.size(); ++stage) {
      const int64_t width = kStemWidth << stage;
      for (int64_t block = 0; block < variant.blocks[stage]; ++block) {
        const int64_t stride = stage > 0 && block == 0 ? 2 : 1;
        blocks_.emplace_back(scope / fmt::format("layer{}", stage + 1) / block, in, width, stride,
                             variant.bottleneck);
        in = variant.bottleneck ? kExpansion * width : width;
      }
    }
    classifier_.emplace(scope / "fc", in, classes, TorchLinearInit(), /*bias=*/true);
  }

  Value operator()(Value x) const override {
    x = nn::Relu(stem_(x));
    x = MaxPool(x, {.window = {3, 3}, .strides = {2, 2}, .padding = Padding{{1, 1}, {1, 1}}});
    for (const Block& block : blocks_) x = scope_.Remat([&](auto v) { return Values{block(v[0])}; }, {x})[0];
    return (*classifier_)(GlobalAvgPool(x));
  }

 private:
  static constexpr int64_t kStemWidth = 64;

  nn::Scope scope_;
  ConvNorm stem_;
  std::vector<Block> blocks_;
  std::optional<nn::Projection> classifier_;
};

}  // namespace

void ResnetConfig::Fields(config::Visitor& v) {
  v.Field("classes", classes, "Number of classes", config::AtLeast(1));
  v.Field("depth", depth, "Layers: 18, 34, 50, 101 or 152");
}

Status ResnetConfig::Validate() const {
  if (std::ranges::find(kVariants, depth, &Variant::depth) != kVariants.end()) return Ok();
  return InvalidArgument("depth: there is a ResNet of 18, 34, 50, 101 and 152 layers, not of {}", depth);
}

std::unique_ptr<Model> ResnetConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 3, "resnet: takes images [height, width, channels], not {}", input.ToString());
  const auto variant = std::ranges::find(kVariants, depth, &Variant::depth);
  Require(variant != kVariants.end(), "resnet: there is none of {} layers", depth);
  return std::make_unique<Resnet>(scope, *variant, input[2], classes);
}

}  // namespace headrace::models
