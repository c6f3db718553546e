#include "headrace/optim/rmsprop.h"

#include "headrace/graph/ops.h"
#include "headrace/optim/adam.h"

namespace headrace::optim {
namespace {

class Rmsprop final : public Optimizer {
 public:
  explicit Rmsprop(const RmspropConfig& config) : config_(config) {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    std::vector<SlotSpec> slots = {{.name = "nu", .type = parameter.type, .initial = config_.initial_scale}};
    if (config_.centered) slots.push_back({"mu", parameter.type});
    if (config_.momentum != 0) slots.push_back({"trace", parameter.type});
    return slots;
  }

  Update Step(const StepInput& in) const override {
    const Value g = in.gradient;
    const double decay = config_.decay;
    Values slots = {in.Kept((1 - decay) * (g * g) + decay * in.slots[0], in.slots[0])};
    Value variance = Corrected(slots[0], in.count);
    if (config_.centered) {
      slots.push_back(in.Kept((1 - decay) * g + decay * in.slots[1], in.slots[1]));
      const Value mean = Corrected(slots[1], in.count);
      variance = variance - mean * mean;
    }
    const Value scale =
        config_.eps_in_sqrt ? Rsqrt(variance + config_.eps) : 1.0 / (Sqrt(variance) + config_.eps);
    Value move = in.learning_rate * (scale * g);
    if (config_.momentum != 0) {
      slots.push_back(in.Kept(move + config_.momentum * in.slots.back(), in.slots.back()));
      move = config_.nesterov ? move + config_.momentum * slots.back() : slots.back();
    }
    return {in.parameter - move, std::move(slots)};
  }

 private:
  Value Corrected(Value average, Value count) const {
    if (!config_.bias_correction) return average;
    return average / BiasCorrection(config_.decay, count, 1, average.dtype());
  }

  RmspropConfig config_;
};

}  // namespace

void RmspropConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("decay", decay, "Decay of the mean of the squared gradients", config::Between(0, 1));
  v.Field("eps", eps, "Added for stability", config::AtLeast(0));
  v.Field("initial_scale", initial_scale, "What the mean of the squares starts at", config::AtLeast(0));
  v.Field("eps_in_sqrt", eps_in_sqrt, "Add eps under the root rather than to it");
  v.Field("centered", centered, "Subtract the square of the mean gradient: divide by the standard deviation");
  v.Field("momentum", momentum, "Share of the previous move that is kept; 0 for none", config::Between(0, 1));
  v.Field("nesterov", nesterov, "Nesterov momentum");
  v.Field("bias_correction", bias_correction, "Correct the means for their start at 0");
}

std::unique_ptr<Optimizer> RmspropConfig::Make() const { return std::make_unique<Rmsprop>(*this); }

}  // namespace headrace::optim
