#include "headrace/optim/adam.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

class Adam final : public Optimizer {
 public:
  Adam(const AdamMoments& moments, double weight_decay) : moments_(moments), weight_decay_(weight_decay) {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    return AdamMoments::Slots(parameter.type);
  }

  Update Step(const StepInput& in) const override {
    auto [direction, slots] = moments_.Step(in);
    if (weight_decay_ != 0 && in.decays) direction = direction + weight_decay_ * in.parameter;
    return {in.parameter - in.learning_rate * direction, std::move(slots)};
  }

 private:
  AdamMoments moments_;
  double weight_decay_;
};

}  // namespace

Value BiasCorrection(double decay, Value count, int ahead, DType dtype) {
  const Value terms = Convert(count, dtype) + static_cast<double>(ahead);
  return 1.0 - Pow(Scalar(count.graph(), dtype, decay), terms);
}

AdamMoments::Result AdamMoments::Step(const StepInput& in) const {
  const Value g = in.gradient;
  const Value mu = in.Kept((1 - b1) * g + b1 * in.slots[0], in.slots[0]);
  const Value nu = in.Kept((1 - b2) * (g * g) + b2 * in.slots[1], in.slots[1]);
  Value mu_hat;
  if (nesterov) {
    mu_hat = b1 * (mu / BiasCorrection(b1, in.count, 2, g.dtype())) +
             (1 - b1) * (g / BiasCorrection(b1, in.count, 1, g.dtype()));
  } else {
    mu_hat = mu / BiasCorrection(b1, in.count, 1, g.dtype());
  }
  Value nu_hat = nu / BiasCorrection(b2, in.count, 1, g.dtype());
  if (eps_root != 0) nu_hat = nu_hat + eps_root;
  return {mu_hat / (Sqrt(nu_hat) + eps), {mu, nu}};
}

void AdamConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("b1", moments.b1, "Decay of the mean of the gradients", config::Between(0, 1));
  v.Field("b2", moments.b2, "Decay of the mean of their squares", config::Between(0, 1));
  v.Field("eps", moments.eps, "Added to the root, for stability", config::AtLeast(0));
  v.Field("eps_root", moments.eps_root, "Added under the root", config::AtLeast(0));
  v.Field("nesterov", moments.nesterov, "Nesterov momentum (NAdam)");
}

std::unique_ptr<Optimizer> AdamConfig::Make() const { return std::make_unique<Adam>(moments, 0); }

void AdamwConfig::Fields(config::Visitor& v) {
  AdamConfig::Fields(v);
  v.Field("weight_decay", weight_decay, "Decoupled weight decay, scaled by the learning rate",
          config::AtLeast(0));
}

std::unique_ptr<Optimizer> AdamwConfig::Make() const { return std::make_unique<Adam>(moments, weight_decay); }

}  // namespace headrace::optim
