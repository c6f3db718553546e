// A small regression that tests of training share: y = tanh(x W + b) V, with a running mean of the hidden
// layer as untrained state.
#pragma once

#include <memory>
#include <vector>

#include "headrace/data/pipeline.h"
#include "headrace/train/trainer.h"

namespace headrace::train::test {

inline constexpr int64_t kBatch = 16;
inline constexpr int64_t kSteps = 12;

Task Regression();
// 64 examples in batches of kBatch. With weights, a field `weight` of zeros and ones comes too.
data::TrainBatches Batches(bool weighted = false);
// Ten examples of zeros whose targets are 0 to 9.
data::EvalBatches HeldOut();
// AdamW for kSteps.
StepOptions Options();

std::unique_ptr<Trainer> NewTrainer(const Mesh& mesh = {}, const StepOptions& options = Options(),
                                    const Task& task = Regression(), bool weighted = false);
StepResult RunStep(Trainer& trainer, const data::Batch& batch);
// Runs to step kSteps; the losses.
std::vector<double> Losses(Trainer& trainer, bool weighted = false);

}  // namespace headrace::train::test
