// Predict: what `headrace predict` does: the classes that a checkpoint of a run sees in files or held-out
// examples.
//
// Needs the run's folder alone for files; the data only for held-out examples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/run/checkpoint_choice.h"
#include "headrace/run/device_options.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::run {

struct PredictionOptions {
  std::string path;        // of the run
  std::string checkpoint;  // as ReadCheckpoint takes it
  std::vector<std::string>
      files;  // JPEG, PNG, PGM, PPM: one picture each; .npy: one example, or a batch of them
  std::vector<int64_t> examples;  // numbers of held-out examples, from 0
  DeviceOptions device;
};

struct Prediction {
  std::string source;                 // "seven.png", "held-out example 3"
  std::vector<double> probabilities;  // of each class
  std::optional<int64_t> label;       // the right class, where it is known
  std::optional<HostTensor> picture;  // what the model saw, u8 [height, width, 1 or 3]; none for features
  std::string note;                   // what was done to the file so that it fits; usually empty

  int64_t Best() const;  // the class with the largest probability
};

struct PredictionReport {
  CheckpointChoice checkpoint;
  std::vector<Prediction> predictions;
  std::vector<std::string> class_names;  // empty where they have none

  // "7", or "7 tulip".
  std::string NameOf(int64_t label) const;
};

// kInvalidArgument without a run or a checkpoint, and for a file that the model cannot take, naming it.
Result<PredictionReport> Predict(const PredictionOptions& options);

std::string ToJson(const PredictionReport& report);

}  // namespace headrace::run
