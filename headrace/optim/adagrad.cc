#include "headrace/optim/adagrad.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

class Adagrad final : public Optimizer {
 public:
  explicit Adagrad(const AdagradConfig& config) : config_(config) {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    return {{.name = "sum_of_squares", .type = parameter.type, .initial = config_.initial_accumulator_value}};
  }

  Update Step(const StepInput& in) const override {
    const Value sum = in.Kept(in.gradient * in.gradient + in.slots[0], in.slots[0]);
    const Value zero = ZerosLike(sum);
    const Value scale = Select(Greater(sum, zero), Rsqrt(sum + config_.eps), zero);
    return {in.parameter - in.learning_rate * (scale * in.gradient), {sum}};
  }

 private:
  AdagradConfig config_;
};

}  // namespace

void AdagradConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("initial_accumulator_value", initial_accumulator_value, "What the sum of squares starts at",
          config::AtLeast(0));
  v.Field("eps", eps, "Added under the root, for stability", config::AtLeast(0));
}

std::unique_ptr<Optimizer> AdagradConfig::Make() const { return std::make_unique<Adagrad>(*this); }

}  // namespace headrace::optim
