// StepOptions: what a step of training is, beside the task: everything that decides the compiled program.
#pragma once

#include <cstdint>

#include "headrace/graph/ops/dot.h"
#include "headrace/graph/ops/remat.h"
#include "headrace/optim/average.h"
#include "headrace/optim/optimizers.h"
#include "headrace/optim/schedule.h"
#include "headrace/tensor/dtype.h"
#include "headrace/train/loss_scale.h"

namespace headrace::train {

struct StepOptions {
  optim::OptimizerConfig optimizer = {};
  optim::ScheduleConfig schedule = {};
  optim::AverageConfig average = {};
  int64_t total_steps = 0;   // what the schedule counts on
  int64_t microbatches = 1;  // into how many parts a batch is cut, one after the other
  DType compute = DType::kF32;
  Precision dot = Precision::kDefault;     // of every matrix product and convolution that asks for none
  LossScaleOptions loss_scale = {};        // where compute is f16
  RematPolicy remat = RematPolicy::kNone;  // what of a model's blocks the way back finds kept

  bool ScalesLoss() const { return compute == DType::kF16; }
};

}  // namespace headrace::train
