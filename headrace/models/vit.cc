#include "headrace/models/vit.h"

#include "headrace/graph/ops.h"
#include "headrace/models/encoder_attention.h"
#include "headrace/models/layer_stack.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/norm.h"
#include "headrace/nn/projection.h"

namespace headrace::models {
namespace {

nn::Initializer InitialWeight(const VitConfig& config) {
  return nn::TruncatedNormalInit(config.initializer_range);
}

nn::Projection Dense(const VitConfig& config, nn::Scope scope, nn::Dim in, nn::Dim out) {
  return {scope, std::move(in), std::move(out), InitialWeight(config), true};
}

// Images to a vector a patch. A convolution whose windows do not overlap is one matrix product.
class PatchEmbeddings {
 public:
  PatchEmbeddings(const VitConfig& config, nn::Scope scope)
      : scope_(scope),
        weight_(scope.Param(
            "weight",
            {{config.hidden_size, "embed"}, config.num_channels, config.patch_size, config.patch_size},
            InitialWeight(config))),
        bias_(scope.Param("bias", {{config.hidden_size, "embed"}}, nn::Zeros())) {}

  // [B, H, W, C] -> [B, patches, D], row by row.
  Value operator()(Value x) const {
    auto entered = scope_.Enter();
    const int64_t patch = weight_.dim(2), rows = x.dim(1) / patch, columns = x.dim(2) / patch;
    const Value cut = Reshape(x, {x.dim(0), rows, patch, columns, patch, x.dim(3)});
    const Value patches = Transpose(cut, {0, 1, 3, 5, 2, 4});  // [B, rows, columns, C, patch, patch]
    const Value y = DotGeneral(patches, weight_, {{}, {}, {3, 4, 5}, {1, 2, 3}});
    return Reshape(y, {x.dim(0), rows * columns, -1}) + bias_;
  }

 private:
  nn::Scope scope_;
  Value weight_, bias_;
};

class Embeddings {
 public:
  Embeddings(const VitConfig& config, nn::Scope scope)
      : scope_(scope),
        cls_token_(scope.Param("cls_token", {1, 1, {config.hidden_size, "embed"}}, InitialWeight(config))),
        positions_(scope.Param("position_embeddings", {1, Positions(config), {config.hidden_size, "embed"}},
                               InitialWeight(config))),
        patches_(config, scope / "patch_embeddings" / "projection"),
        dropout_(scope / "dropout", config.hidden_dropout_prob) {}

  // [B, H, W, C] -> [B, 1 + patches, D]; the first stands for the whole image.
  Value operator()(Value x) const {
    const Value patches = patches_(x);
    auto entered = scope_.Enter();
    const Value first = BroadcastTo(cls_token_, {x.dim(0), 1, patches.dim(2)});
    return dropout_(Concatenate({first, patches}, 1) + positions_);
  }

 private:
  static int64_t Positions(const VitConfig& config) {
    const int64_t side = config.image_size / config.patch_size;
    return 1 + side * side;
  }

  nn::Scope scope_;
  Value cls_token_, positions_;
  PatchEmbeddings patches_;
  nn::Dropout dropout_;
};

class Layer {
 public:
  Layer(const VitConfig& config, nn::Scope scope)
      : scope_(scope / "attention"),
        layernorm_before_(scope / "layernorm_before", {config.hidden_size, "embed"}, config.layer_norm_eps),
        attention_(scope_, "attention", config.hidden_size, config.num_attention_heads,
                   InitialWeight(config)),
        dropout_probs_(config.attention_probs_dropout_prob),
        attention_dropout_(scope_ / "output" / "dropout", config.hidden_dropout_prob),
        layernorm_after_(scope / "layernorm_after", {config.hidden_size, "embed"}, config.layer_norm_eps),
        intermediate_(Dense(config, scope / "intermediate" / "dense", {config.hidden_size, "embed"},
                            {config.intermediate_size, "mlp"})),
        output_(Dense(config, scope / "output" / "dense", {config.intermediate_size, "mlp"},
                      {config.hidden_size, "embed"})),
        dropout_(scope / "output" / "dropout", config.hidden_dropout_prob) {}

  Value operator()(Value x) const {
    x = x + Attended(layernorm_before_(x));
    return x + dropout_(output_(nn::Gelu(intermediate_(layernorm_after_(x)))));
  }

 private:
  Value Attended(Value x) const {
    nn::AttentionOptions options;
    if (scope_.train() && dropout_probs_ > 0) {
      options.dropout = dropout_probs_;
      options.dropout_key = (scope_ / "attention" / "dropout").Key();
    }
    return attention_dropout_(attention_(x, options));
  }

  nn::Scope scope_;  // of the attention
  nn::LayerNorm layernorm_before_;
  EncoderAttention attention_;
  double dropout_probs_;
  nn::Dropout attention_dropout_;
  nn::LayerNorm layernorm_after_;
  nn::Projection intermediate_, output_;
  nn::Dropout dropout_;
};

class Vit final : public Model {
 public:
  Vit(const VitConfig& config, nn::Scope scope)
      : scope_(scope),
        scan_layers_(config.scan_layers),
        embeddings_(config, scope / "vit" / "embeddings"),
        layernorm_(scope / "vit" / "layernorm", {config.hidden_size, "embed"}, config.layer_norm_eps),
        classifier_(Dense(config, scope / "classifier", {config.hidden_size, "embed"}, config.classes)) {
    for (int64_t layer = 0; layer < config.num_hidden_layers; ++layer)
      layers_.emplace_back(config, scope / "vit" / "encoder" / "layer" / layer);
  }

  Value operator()(Value x) const override {
    x = embeddings_(x);
    const auto layer = [&](int64_t i, Value v) { return Values{layers_[static_cast<size_t>(i)](v)}; };
    x = RunLayers(scope_, scan_layers_, static_cast<int64_t>(layers_.size()), layer, x).x;
    const Value first = Reshape(Slice(x, 1, 0, 1), {x.dim(0), x.dim(2)});  // of it alone, norms are cheap
    return classifier_(layernorm_(first));
  }

 private:
  nn::Scope scope_;
  bool scan_layers_;
  Embeddings embeddings_;
  std::vector<Layer> layers_;
  nn::LayerNorm layernorm_;
  nn::Projection classifier_;
};

}  // namespace

void VitConfig::Fields(config::Visitor& v) {
  v.Field("classes", classes, "Number of classes", config::AtLeast(1));
  v.Field("image_size", image_size, "Height and width of the images", config::AtLeast(1));
  v.Field("patch_size", patch_size, "Height and width of the patches that they are cut into",
          config::AtLeast(1));
  v.Field("num_channels", num_channels, "Channels of the images", config::AtLeast(1));
  v.Field("hidden_size", hidden_size, "Width of the embeddings", config::AtLeast(1));
  v.Field("num_hidden_layers", num_hidden_layers, "Number of layers", config::AtLeast(1));
  v.Field("num_attention_heads", num_attention_heads, "Attention heads of a layer; they share its width",
          config::AtLeast(1));
  v.Field("intermediate_size", intermediate_size, "Width inside of the feed-forward part",
          config::AtLeast(1));
  v.Field("hidden_dropout_prob", hidden_dropout_prob, "Dropout of the embeddings and of what each layer adds",
          config::Between(0, 0.99));
  v.Field("attention_probs_dropout_prob", attention_probs_dropout_prob, "Dropout of the attention weights",
          config::Between(0, 0.99));
  v.Field("layer_norm_eps", layer_norm_eps, "Added to variances", config::Positive());
  v.Field("initializer_range", initializer_range, "Standard deviation of the initial weights",
          config::Positive());
  v.Field("scan_layers", scan_layers,
          "Run the layers as a loop: programs and compile times do not grow with their number");
}

Status VitConfig::Validate() const {
  if (hidden_size % num_attention_heads != 0) {
    return InvalidArgument("num_attention_heads: a width of {} does not divide over {} heads", hidden_size,
                           num_attention_heads);
  }
  if (image_size % patch_size == 0) return Ok();
  return InvalidArgument("patch_size: images of {} pixels do not divide into patches of {}", image_size,
                         patch_size);
}

std::unique_ptr<Model> VitConfig::Make(nn::Scope scope, const Shape& input) const {
  Require(input.rank() == 3, "vit: takes images [height, width, channels], not {}", input.ToString());
  const Shape wanted = {image_size, image_size, num_channels};
  Require(input == wanted,
          "vit: is for images {}, but the data's are {}: say model.image_size and model.num_channels",
          wanted.ToString(), input.ToString());
  return std::make_unique<Vit>(*this, scope);
}

}  // namespace headrace::models
