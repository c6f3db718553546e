// Objective: what a run trains its model for, by the purpose of the model's family: the data that fits, the
// task that the trainer is handed, and what follows from the task's measures.
//
//   const Objective& objective = ObjectiveOf(config.model);
//   HR_TRY(objective.check(config, pipeline));
//   HR_TRY(train::Task task, objective.make_task(config.name, config.model, pipeline.fields()));
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/graph/function.h"
#include "headrace/run/run_config.h"
#include "headrace/train/task.h"

namespace headrace::run {

struct NamedMean {
  std::string name;  // "loss", "accuracy"
  double value = 0;
};

struct Objective {
  std::string_view command;  // that uses what was trained: "predict"

  // kInvalidArgument, saying where, for data that the model cannot learn from.
  Status (*check)(const RunConfig& config, const data::Pipeline& pipeline);

  // `example_fields` are those of one example.
  Result<train::Task> (*make_task)(const std::string& name, const models::ModelConfig& model,
                                   const std::vector<NamedType>& example_fields);

  // What an evaluation tells, made of the means of the task's measures; the loss comes first.
  std::vector<NamedMean> (*report)(std::span<const NamedMean> means);

  // Logits of a batch to what is predicted of it; null where that is not how the model is used.
  Value (*prediction)(Value logits);
};

const Objective& ObjectiveOf(const models::ModelConfig& model);

// What is predicted of inputs [batch, ...], by a family whose Objective has a prediction: probabilities f32
// [batch, classes], or masks i32 [batch, height, width]. Parameters are the variables, then the inputs.
Result<Function> TracePrediction(const models::ModelConfig& model,
                                 std::span<const nn::VariableSpec> variables, const TensorType& inputs);

// The weights of a batch's examples in the shape of their losses [batch, ...]; 1 each where it has none.
Value WeightsLike(const Value& losses, const train::Fields& batch);

// kInvalidArgument, naming the right command, unless `command` uses models like that of the run at `path`.
Status CheckCommand(std::string_view command, const RunConfig& config, std::string_view path);

}  // namespace headrace::run
