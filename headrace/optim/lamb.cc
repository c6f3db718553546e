#include "headrace/optim/lamb.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

class Lamb final : public Optimizer {
 public:
  explicit Lamb(const LambConfig& config) : config_(config) {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    return AdamMoments::Slots(parameter.type);
  }

  Update Step(const StepInput& in) const override {
    auto [direction, slots] = config_.moments.Step(in);
    if (config_.weight_decay != 0 && in.decays) direction = direction + config_.weight_decay * in.parameter;
    const Value rate = in.learning_rate * TrustRatio(in.parameter, direction);
    return {in.parameter - rate * direction, std::move(slots)};
  }

 private:
  // |parameter| / |direction|; 1 where either is 0, so that a parameter can leave 0.
  static Value TrustRatio(Value parameter, Value direction) {
    const Value own = Sqrt(Sum(parameter * parameter)), of = Sqrt(Sum(direction * direction));
    const Value zero = ZerosLike(own);
    return Select(Or(Equal(own, zero), Equal(of, zero)), OnesLike(own), own / of);
  }

  LambConfig config_;
};

}  // namespace

void LambConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("b1", moments.b1, "Decay of the mean of the gradients", config::Between(0, 1));
  v.Field("b2", moments.b2, "Decay of the mean of their squares", config::Between(0, 1));
  v.Field("eps", moments.eps, "Added to the root, for stability", config::AtLeast(0));
  v.Field("eps_root", moments.eps_root, "Added under the root", config::AtLeast(0));
  v.Field("weight_decay", weight_decay, "Weight decay, a part of the direction that is scaled",
          config::AtLeast(0));
}

std::unique_ptr<Optimizer> LambConfig::Make() const { return std::make_unique<Lamb>(*this); }

}  // namespace headrace::optim
