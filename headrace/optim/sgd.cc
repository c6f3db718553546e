#include "headrace/optim/sgd.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

class Sgd final : public Optimizer {
 public:
  explicit Sgd(const SgdConfig& config) : config_(config) {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    if (config_.momentum == 0) return {};
    return {{"trace", parameter.type}};
  }

  Update Step(const StepInput& in) const override {
    if (config_.momentum == 0) return {in.parameter - in.learning_rate * in.gradient, {}};
    const Value trace = in.Kept(in.gradient + config_.momentum * in.slots[0], in.slots[0]);
    const Value direction = config_.nesterov ? in.gradient + config_.momentum * trace : trace;
    return {in.parameter - in.learning_rate * direction, {trace}};
  }

 private:
  SgdConfig config_;
};

}  // namespace

void SgdConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("momentum", momentum, "Share of the previous direction that is kept; 0 for none",
          config::Between(0, 1));
  v.Field("nesterov", nesterov, "Nesterov momentum");
}

std::unique_ptr<Optimizer> SgdConfig::Make() const { return std::make_unique<Sgd>(*this); }

}  // namespace headrace::optim
