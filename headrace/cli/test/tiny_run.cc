#include "headrace/cli/test/tiny_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

namespace headrace::cli {
namespace {

constexpr std::string_view kConfig = R"(name: tiny
seed: 7
model: {kind: mlp, hidden: [32], classes: 4}
data:
  source: {format: csv, path: tiny.csv, label: 16, image: {shape: [4, 4, 1], scale: 255}, shuffle_seed: 7}
  split: {train: 64, eval: 16}
train: {steps: 12, global_batch_size: 8, log_every: 1}
optimizer: {kind: adamw, learning_rate: 2e-3}
schedule: {kind: constant}
checkpoint: {every: 5, keep: 3}
)";

}  // namespace

TinyRun::TinyRun() {
  Write("tiny.csv", Rows());
  Write("tiny.yaml", std::string(kConfig));
}

Outcome TinyRun::Train(const std::string& arguments, const std::string& before) {
  return Run("train tiny.yaml " + arguments, before);
}

Outcome TinyRun::TrainUntilSignal(const std::string& arguments, const std::string& signal,
                                  const std::string& file) {
  // Beside the program, which takes the shell's place and so its process id.
  const std::string killer = fmt::format(
      "(while kill -0 $$; do [ -s runs/tiny/{} ] && break; sleep 0.02; done; kill -{} $$) "
      "2>/dev/null & exec",
      file, signal);
  return Train(arguments, killer);
}

std::string TinyRun::TrainError(const std::string& arguments, int exit_code, const std::string& before) {
  const Outcome outcome = Train(arguments, before);
  EXPECT_EQ(outcome.exit_code, exit_code) << arguments << "\n" << outcome.err;
  EXPECT_EQ(outcome.out, "");
  return outcome.err;
}

bool TinyRun::Exists(const std::string& name) const {
  return std::filesystem::exists(std::filesystem::path(path()) / name);
}

std::string TinyRun::Summary(const std::string& run, const std::string& key) {
  const std::string text = Read(run + "/summary.json");
  std::smatch found;
  return std::regex_search(text, found, std::regex("\"" + key + "\": ([^,\n]+)")) ? found[1].str() : "";
}

std::vector<double> TinyRun::Metric(const std::string& run, const std::string& key) {
  std::istringstream lines(Read(run + "/metrics.jsonl"));
  const std::string name = "\"" + key + "\": ";
  std::vector<double> values;
  for (std::string line; std::getline(lines, line);) {
    values.push_back(std::stod(line.substr(line.find(name) + name.size())));
  }
  return values;
}

std::vector<std::string> TinyRun::Checkpoints(const std::string& run) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path() + "/" + run + "/checkpoints")) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

std::string TinyRun::Rows(int row, const std::string& text) {
  std::string rows;
  for (int i = 0; i < 80; ++i) {
    if (i + 1 == row) {
      rows += text + "\n";
      continue;
    }
    const int label = i % 4;
    for (int pixel = 0; pixel < 16; ++pixel) {
      const int noise = (i * 37 + pixel * 11) % 60;
      rows += fmt::format("{},", (pixel % 4 == label ? 180 : 20) + noise);
    }
    rows += fmt::format("{}\n", label);
  }
  return rows;
}

}  // namespace headrace::cli
