// A folder with a run of an instant: 80 pictures of 4x4 pixels in 4 classes, a small perceptron, 12 steps.
#pragma once

#include <string>
#include <vector>

#include "headrace/cli/test/run_program.h"

namespace headrace::cli {

class TinyRun : public ProgramFolder {
 public:
  TinyRun();

  // Runs `headrace train tiny.yaml <arguments>`, whose run is in runs/tiny by default.
  Outcome Train(const std::string& arguments, const std::string& before = "");
  // The same, sending the signal (INT, TERM) once something is written to a file of runs/tiny; by default
  // when the first step is logged.
  Outcome TrainUntilSignal(const std::string& arguments, const std::string& signal,
                           const std::string& file = "metrics.jsonl");
  // What it prints when it ends with this code, having printed no report.
  std::string TrainError(const std::string& arguments, int exit_code, const std::string& before = "");

  bool Exists(const std::string& name) const;
  // One value of a run's summary.json, as it is written there.
  std::string Summary(const std::string& run, const std::string& key);
  // One value of every line of a run's metrics.jsonl.
  std::vector<double> Metric(const std::string& run, const std::string& key);
  // Names in the folder of a run's checkpoints, in order.
  std::vector<std::string> Checkpoints(const std::string& run);

  // The rows of the data, with one of them (from 1) replaced; row 0: none is.
  static std::string Rows(int row = 0, const std::string& text = "");
};

}  // namespace headrace::cli
