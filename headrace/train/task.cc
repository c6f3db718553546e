#include "headrace/train/task.h"

#include "headrace/core/glob.h"

namespace headrace::train {

std::vector<const nn::VariableSpec*> Task::Trained() const {
  std::vector<const nn::VariableSpec*> trained;
  for (const nn::VariableSpec& variable : variables) {
    if (IsTrained(variable)) trained.push_back(&variable);
  }
  return trained;
}

std::vector<std::string> Task::EvaluatedNames() const {
  std::vector<std::string> names = measure_names;
  names.insert(names.end(), evaluation_measure_names.begin(), evaluation_measure_names.end());
  return names;
}

std::vector<std::string> ParameterNames(const Task& task) {
  std::vector<std::string> names;
  for (const nn::VariableSpec& variable : task.variables) {
    if (variable.trained) names.push_back(variable.name);
  }
  return names;
}

Status TrainOnly(std::span<const std::string> patterns, Task& task) {
  if (patterns.empty()) return Ok();
  const std::vector<std::string> names = ParameterNames(task);
  HR_TRY(glob::CheckAll("trainable", patterns, names));
  for (const std::string& name : names) {
    if (!glob::MatchesAny(patterns, name)) task.frozen.insert(name);
  }
  return Ok();
}

}  // namespace headrace::train
