// Task: what is trained — variables, and the loss of a batch. `train` knows no model; it is handed one of
// these.
//
// A Task is a value made of functions that are called while a program is traced, on one thread.
//
//   Task task{.name = "mnist", .variables = frame.specs(), .measure = [](nn::Frame& frame, const Fields&
//   batch) {…}};
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/nn/scope.h"

namespace headrace::train {

// The fields of a batch by name, each [batch, ...].
using Fields = std::map<std::string, Value>;

struct NamedSum {
  std::string name;
  Value sum;  // f32 scalar
};

// What a batch measures. Means over any number of batches are exact: sum of sums over sum of weights.
struct Measures {
  Value weight;  // f32 scalar: the sum of the examples' weights
  std::vector<NamedSum>
      sums;  // weighted, over the examples; the first is the loss, whose mean training lowers
};

struct Task {
  std::string name;
  std::vector<nn::VariableSpec> variables;
  // Names of the sums, in order; the first is "loss".
  std::vector<std::string> measure_names;
  // Runs the model in `frame`, which says whether this is training.
  std::function<Measures(nn::Frame& frame, const Fields& batch)> measure;
  // Names of the sums that follow them where the frame does not train.
  std::vector<std::string> evaluation_measure_names = {};
  // Parameters that stay as they are: no gradient of theirs is computed, the optimizer keeps nothing for
  // them.
  std::set<std::string, std::less<>> frozen = {};

  bool IsTrained(const nn::VariableSpec& variable) const {
    return variable.trained && !frozen.contains(variable.name);
  }
  std::vector<const nn::VariableSpec*> Trained() const;

  // Names of all that an evaluation measures.
  std::vector<std::string> EvaluatedNames() const;
};

// Names of the parameters, frozen or not; without state such as batch statistics.
std::vector<std::string> ParameterNames(const Task& task);

// Freezes every parameter that none of the patterns (core/glob.h) matches; no patterns at all freeze nothing.
// kInvalidArgument for a pattern that matches no parameter, naming the closest.
Status TrainOnly(std::span<const std::string> patterns, Task& task);

}  // namespace headrace::train
