// Predict: what `headrace predict` does: the classes that a checkpoint of a run sees in files or held-out
// examples, or in each pixel of them.
//
// Needs the run's folder alone for files; the data only for held-out examples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/run/checkpoint_choice.h"
#include "headrace/run/device_options.h"
#include "headrace/run/predicted_mask.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::run {

struct PredictionOptions {
  std::string path;        // of the run
  std::string checkpoint;  // as ReadCheckpoint takes it
  std::vector<std::string>
      files;  // JPEG, PNG, PGM, PPM: one picture each; .npy: one example, or a batch of them
  std::vector<int64_t> examples;  // numbers of held-out examples, from 0
  std::string masks = {};         // the folder that WriteMasks is to write to; empty: none
  DeviceOptions device;
};

struct Prediction {
  std::string source;                 // "seven.png", "held-out example 3"
  std::vector<double> probabilities;  // of each class, where the model says what the whole is
  std::optional<int64_t> label;       // the right class, where it is known
  std::optional<PredictedMask> mask;  // where the model says what each pixel is
  std::string mask_file;              // how WriteMasks calls that: "seven.png" for pictures/seven.jpg
  std::optional<HostTensor> picture;  // what the model saw, u8 [height, width, 1 or 3]; none for features
  std::string note;                   // what was done to the file so that it fits; usually empty

  int64_t Best() const;  // the class with the largest probability
};

struct PredictionReport {
  CheckpointChoice checkpoint;
  std::vector<Prediction> predictions;
  std::vector<std::string> class_names;  // empty where they have none
  std::vector<int64_t> mask_values;      // what stands for each class in the masks of the run's data

  // "7", or "7 tulip".
  std::string NameOf(int64_t label) const;
};

// kInvalidArgument without a run or a checkpoint, for a file that the model cannot take, naming it, and for
// masks that the model does not give, of which two would have one name, or that would lie among the pictures.
Result<PredictionReport> Predict(const PredictionOptions& options);

std::string ToJson(const PredictionReport& report);

// Writes each mask into the folder, in the values of the run's data. REQUIRES: Predict was told of it
Status WriteMasks(const PredictionReport& report, const std::string& folder);

}  // namespace headrace::run
