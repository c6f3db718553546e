// Optimizer: how a parameter moves along its gradient. Names, defaults and numbers are optax's.
//
// An optimizer is a rule on Values with a few numbers; its memory lies in slots, tensors beside each
// parameter, which the training state holds. Stateless and immutable. To add one: one file, and its config in
// `optimizers.h`.
//
//   std::unique_ptr<Optimizer> optimizer = AdamwConfig{.weight_decay = 0.01}.Make();
//   Update update = optimizer->Step({.parameter = w, .gradient = g, .slots = slots, .count = step,
//   .learning_rate = lr});
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/graph/value.h"

namespace headrace::optim {

// A tensor that the optimizer keeps for one parameter, zero at the start.
struct SlotSpec {
  std::string name;  // "mu"
  TensorType type;
};

struct StepInput {
  Value parameter;
  Value gradient;                // of the parameter's type
  std::span<const Value> slots;  // as Slots() listed them
  Value count;                   // i32 scalar: updates done before this one
  Value learning_rate;           // scalar of the parameter's element type
};

struct Update {
  Value parameter;
  Values slots;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual std::vector<SlotSpec> Slots(const TensorType& parameter) const = 0;
  virtual Update Step(const StepInput& input) const = 0;
};

// What the config of every optimizer has.
struct OptimizerOptions {
  double learning_rate = 1e-3;       // the peak of the schedule
  std::optional<double> clip_value;  // of each element of the gradients
  std::optional<double> clip_norm;   // of all gradients together, after clip_value

  void Fields(config::Visitor& v);
};

}  // namespace headrace::optim
