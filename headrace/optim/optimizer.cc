#include "headrace/optim/optimizer.h"

namespace headrace::optim {

void OptimizerOptions::Fields(config::Visitor& v) {
  v.Field("learning_rate", learning_rate, "Learning rate; the peak of the schedule", config::AtLeast(0));
  v.Field("clip_value", clip_value, "Clip each element of the gradients to [-clip_value, clip_value]",
          config::Positive());
  v.Field("clip_norm", clip_norm, "Scale the gradients down to this global norm where it is larger",
          config::Positive());
}

}  // namespace headrace::optim
