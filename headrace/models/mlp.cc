#include "headrace/models/mlp.h"

#include <array>

#include "headrace/graph/ops.h"
#include "headrace/nn/activations.h"
#include "headrace/nn/dropout.h"
#include "headrace/nn/linear.h"

namespace headrace::models {
namespace {

constexpr std::array<std::string_view, 3> kActivations = {"relu", "gelu", "tanh"};

Value Activate(const std::string& name, Value x) {
  if (name == "gelu") return nn::Gelu(x);
  return name == "tanh" ? Tanh(x) : nn::Relu(x);
}

class Mlp final : public Model {
 public:
  Mlp(const MlpConfig& config, nn::Scope scope, int64_t inputs) : activation_(config.activation) {
    nn::Dim in = {inputs, "embed"};
    int64_t index = 0;
    for (int64_t width : config.hidden) {
      const nn::Dim out = {width, "mlp"};
      layers_.emplace_back(scope / "layers" / index, in, out, nn::HeNormal());
      dropouts_.emplace_back(scope / "dropouts" / index, config.dropout);
      in = {width, "embed"};
      ++index;
    }
    layers_.emplace_back(scope / "layers" / index, in, nn::Dim(config.classes));
  }

  Value operator()(Value x) const override {
    Value h = Reshape(x, Ints{x.dim(0), -1});  // [N, inputs]
    for (size_t i = 0; i + 1 < layers_.size(); ++i) h = dropouts_[i](Activate(activation_, layers_[i](h)));
    return layers_.back()(h);  // [N, classes]
  }

 private:
  std::string activation_;
  std::vector<nn::Linear> layers_;
  std::vector<nn::Dropout> dropouts_;
};

}  // namespace

void MlpConfig::Fields(config::Visitor& v) {
  v.Field("classes", classes, "Number of classes", config::AtLeast(1));
  v.Field("hidden", hidden, "Width of each hidden layer", config::AtLeast(1));
  v.OneOf("activation", activation, kActivations, "Activation between layers");
  v.Field("dropout", dropout, "Share of hidden elements dropped in training", config::Between(0, 0.99));
}

std::unique_ptr<Model> MlpConfig::Make(nn::Scope scope, const Shape& input) const {
  return std::make_unique<Mlp>(*this, scope, input.ElementCount());
}

}  // namespace headrace::models
