#include "headrace/optim/lion.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

class Lion final : public Optimizer {
 public:
  explicit Lion(const LionConfig& config) : config_(config) {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    return {{"mu", parameter.type}};
  }

  Update Step(const StepInput& in) const override {
    const Value g = in.gradient, mu = in.slots[0];
    Value direction = Sign((1 - config_.b1) * g + config_.b1 * mu);
    if (config_.weight_decay != 0 && in.decays) direction = direction + config_.weight_decay * in.parameter;
    const Value next = in.Kept((1 - config_.b2) * g + config_.b2 * mu, mu);
    return {in.parameter - in.learning_rate * direction, {next}};
  }

 private:
  LionConfig config_;
};

}  // namespace

void LionConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("b1", b1, "Weight of the momentum against the gradient in the direction", config::Between(0, 1));
  v.Field("b2", b2, "Decay of the momentum", config::Between(0, 1));
  v.Field("weight_decay", weight_decay, "Decoupled weight decay, scaled by the learning rate",
          config::AtLeast(0));
}

std::unique_ptr<Optimizer> LionConfig::Make() const { return std::make_unique<Lion>(*this); }

}  // namespace headrace::optim
