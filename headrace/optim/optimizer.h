// Optimizer: how a parameter moves along its gradient. Names, defaults and numbers are optax's.
//
// An optimizer is a rule on Values with a few numbers; its memory lies in slots, tensors beside each
// parameter, which the training state holds. Stateless and immutable. To add one: one file, and its config in
// `optimizers.h`. What all optimizers share (clipping, masks, schedules) is in update_rule.h.
//
//   std::unique_ptr<Optimizer> optimizer = AdamwConfig{.weight_decay = 0.01}.Make();
//   Update update = optimizer->Step({.parameter = w, .gradient = g, .slots = slots, .count = step,
//   .learning_rate = lr});
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headrace/graph/value.h"

namespace headrace::optim {

// What is known of a parameter before any step, for optimizers that treat some unlike others.
struct ParameterInfo {
  std::string name;  // "layers.3.weight"
  TensorType type;
};

// A tensor that the optimizer keeps for one parameter.
struct SlotSpec {
  std::string name;  // "mu"
  TensorType type;
  double initial = 0;          // in every element at the start
  std::vector<int> axes = {};  // dimensions of the parameter that it has, where it lacks some; empty: all
};

struct StepInput {
  Value parameter;
  Value gradient;                // of the parameter's type
  std::span<const Value> slots;  // as Slots() listed them
  Value count;                   // i32 scalar: updates done before this one
  Value learning_rate;           // scalar of the parameter's element type
  bool decays = true;            // whether weight decay applies to this parameter
  Value applies;                 // pred scalar: whether the update counts; empty: it does

  // What a slot holds from now on: `next`, where the update counts. The parameter is computed from what this
  // returns, not from `next`: then nothing reads what the slot held before, and it is overwritten in place.
  Value Kept(Value next, Value before) const;
};

struct Update {
  Value parameter;  // as if the update counted
  Values slots;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const = 0;
  virtual Update Step(const StepInput& input) const = 0;
};

}  // namespace headrace::optim
