#include "headrace/optim/adam.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

class Adam final : public Optimizer {
 public:
  Adam(const AdamConfig& config, double weight_decay) : config_(config), weight_decay_(weight_decay) {}

  std::vector<SlotSpec> Slots(const TensorType& parameter) const override {
    return {{"mu", parameter}, {"nu", parameter}};
  }

  Update Step(const StepInput& in) const override {
    const Value g = in.gradient;
    const Value mu = (1 - config_.beta1) * g + config_.beta1 * in.slots[0];
    const Value nu = (1 - config_.beta2) * (g * g) + config_.beta2 * in.slots[1];
    const Value count = Convert(in.count, g.dtype()) + 1.0;
    const Value mu_hat = mu / (1.0 - Pow(Scalar(g.graph(), g.dtype(), config_.beta1), count));
    const Value nu_hat = nu / (1.0 - Pow(Scalar(g.graph(), g.dtype(), config_.beta2), count));
    Value direction = mu_hat / (Sqrt(nu_hat) + config_.epsilon);
    if (weight_decay_ != 0) direction = direction + weight_decay_ * in.parameter;
    return {in.parameter - in.learning_rate * direction, {mu, nu}};
  }

 private:
  AdamConfig config_;
  double weight_decay_;
};

}  // namespace

void AdamConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("beta1", beta1, "Decay of the mean of the gradients", config::Between(0, 1));
  v.Field("beta2", beta2, "Decay of the mean of their squares", config::Between(0, 1));
  v.Field("epsilon", epsilon, "Added to the root, for stability", config::AtLeast(0));
}

std::unique_ptr<Optimizer> AdamConfig::Make() const { return std::make_unique<Adam>(*this, 0); }

void AdamwConfig::Fields(config::Visitor& v) {
  AdamConfig::Fields(v);
  v.Field("weight_decay", weight_decay, "Decoupled weight decay, scaled by the learning rate",
          config::AtLeast(0));
}

std::unique_ptr<Optimizer> AdamwConfig::Make() const { return std::make_unique<Adam>(*this, weight_decay); }

}  // namespace headrace::optim
