#include "headrace/run/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "headrace/run/run_directory.h"
#include "headrace/run/summary.h"
#include "headrace/telemetry/step_times.h"

namespace headrace::run {
namespace {

using Json = nlohmann::ordered_json;
using Level = Finding::Level;

// Numbers, and what metrics.jsonl writes for those that JSON has not.
double NumberOf(const Json& line, const char* key) {
  if (!line.contains(key)) return 0;
  const Json& value = line.at(key);
  if (value.is_number()) return value.get<double>();
  return value == "NaN" ? std::nan("") : value == "-Infinity" ? -HUGE_VAL : HUGE_VAL;
}

std::vector<MetricsLine> ParseLines(const std::string& text) {
  std::vector<MetricsLine> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("step")) continue;  // a line that is being written
    lines.push_back({.step = json.at("step"),
                     .loss = NumberOf(json, "loss"),
                     .accuracy = NumberOf(json, "accuracy"),
                     .grad_norm = NumberOf(json, "grad_norm"),
                     .step_time_ms = NumberOf(json, "step_time_ms")});
  }
  return lines;
}

template <class Field>
std::vector<double> Values(std::span<const MetricsLine> lines, Field field) {
  std::vector<double> values;
  for (const MetricsLine& line : lines) values.push_back(line.*field);
  return values;
}

double Median(std::vector<double> values) { return telemetry::Quantile(values, 0.5); }

// The lines of a quarter of the run: 0 the first, 3 the last.
std::span<const MetricsLine> Quarter(const std::vector<MetricsLine>& lines, size_t which) {
  const size_t begin = lines.size() * which / 4;
  const size_t end = lines.size() * (which + 1) / 4;
  return std::span(lines).subspan(begin, end - begin);
}

constexpr size_t kEnoughLines = 8;  // two a quarter

Finding TooEarly(std::string name, size_t lines) {
  return {Level::kNote, std::move(name), fmt::format("only {} logged steps; too few to judge", lines), ""};
}

Finding JudgeProgress(const ExistingRun& run, const std::optional<TrainingReport>& summary,
                      const std::vector<MetricsLine>& lines, const checkpoint::Listing& checkpoints) {
  const int64_t logged = lines.empty() ? 0 : lines.back().step;
  const int64_t saved = checkpoints.checkpoints.empty() ? 0 : checkpoints.checkpoints.back().step();
  const std::string target = run.config.train.steps ? fmt::format(" of {}", *run.config.train.steps) : "";
  const bool current = summary && summary->steps >= saved && summary->steps >= logged;
  if (current && summary->stop_reason == "done") {
    return {Level::kOk, "progress", fmt::format("finished: {} steps", summary->steps), ""};
  }
  if (current && summary->stop_reason == "early_stopped") {
    return {Level::kOk, "progress",
            fmt::format("finished: stopped early after step {}{}", summary->steps, target), ""};
  }
  if (current) {
    return {Level::kNote, "progress",
            fmt::format("stopped when asked to, after step {}{}", summary->steps, target),
            "the same `headrace train` command goes on from there"};
  }
  const int64_t at_stake = logged - saved;
  return {Level::kNote, "progress",
          fmt::format("under way or killed: step {}{} logged, step {} saved", logged, target, saved),
          at_stake > 0
              ? fmt::format("if it was killed, the same `headrace train` command repeats {} steps", at_stake)
              : ""};
}

Finding JudgeCheckpoints(const checkpoint::Listing& listing) {
  if (!listing.warnings.empty())
    return {Level::kProblem, "checkpoints", listing.warnings.front(), "headrace checkpoint verify says more"};
  if (listing.checkpoints.empty()) return {Level::kNote, "checkpoints", "there is none yet", ""};
  return {Level::kOk, "checkpoints",
          fmt::format("{} kept, the newest of step {}", listing.checkpoints.size(),
                      listing.checkpoints.back().step()),
          ""};
}

}  // namespace

Finding JudgeLoss(const std::vector<MetricsLine>& lines) {
  for (const MetricsLine& line : lines) {
    if (std::isfinite(line.loss)) continue;
    return {Level::kProblem, "loss", fmt::format("it is not a finite number at step {}", line.step),
            "lower optimizer.learning_rate, set optimizer.clip_norm, or look at the data of that step"};
  }
  if (lines.size() < kEnoughLines) return TooEarly("loss", lines.size());
  const double first = Median(Values(Quarter(lines, 0), &MetricsLine::loss));
  const double third = Median(Values(Quarter(lines, 2), &MetricsLine::loss));
  const double last = Median(Values(Quarter(lines, 3), &MetricsLine::loss));
  const std::string numbers =
      fmt::format("median {:.4g} in the first quarter, {:.4g} in the last", first, last);
  if (last > first) {
    return {Level::kProblem, "loss", "it has risen: " + numbers,
            "lower optimizer.learning_rate, or warm it up longer"};
  }
  if (last > 0.98 * third) {
    return {Level::kNote, "loss", "it stands still: " + numbers,
            "more steps will not help by themselves; a larger model or another learning rate may"};
  }
  return {Level::kOk, "loss", "it falls: " + numbers, ""};
}

Finding JudgeGradients(const std::vector<MetricsLine>& lines) {
  if (lines.size() < kEnoughLines) return TooEarly("gradients", lines.size());
  const double median = Median(Values(lines, &MetricsLine::grad_norm));
  const auto largest = std::ranges::max_element(lines, {}, &MetricsLine::grad_norm);
  if (!(median > 1e-7)) {
    return {Level::kProblem, "gradients",
            fmt::format("their norm has a median of {:.2g}: nothing is learned", median),
            "look for saturated activations or a learning rate that killed the relus"};
  }
  if (largest->grad_norm > 20 * median) {
    return {Level::kNote, "gradients",
            fmt::format("norm {:.3g} at step {}, {:.0f} times the median", largest->grad_norm, largest->step,
                        largest->grad_norm / median),
            "clip them (optimizer.clip_norm) if the loss jumps there"};
  }
  return {Level::kOk, "gradients",
          fmt::format("norm {:.3g} in the median, {:.3g} at most", median, largest->grad_norm), ""};
}

Finding JudgeSpeed(const std::vector<MetricsLine>& lines) {
  if (lines.size() < kEnoughLines) return TooEarly("speed", lines.size());
  const std::vector<double> times = Values(std::span(lines).subspan(1), &MetricsLine::step_time_ms);
  const double median = Median(times);
  const double p90 = telemetry::Quantile(times, 0.9);
  const std::string numbers =
      fmt::format("{:.1f} ms a step in the median, {:.1f} in the slowest tenth", median, p90);
  if (p90 > 2 * median) {
    return {Level::kNote, "speed", "uneven: " + numbers,
            "something else uses this machine, or checkpoints are too frequent"};
  }
  return {Level::kOk, "speed", numbers, ""};
}

Finding JudgeFit(double train_loss, double eval_loss) {
  const std::string numbers =
      fmt::format("loss {:.4g} on held-out examples, {:.4g} in training", eval_loss, train_loss);
  if (eval_loss > 1.5 * train_loss && eval_loss - train_loss > 0.02) {
    return {Level::kNote, "fit", "it fits the training data better than new data: " + numbers,
            "more data, augmentation (data.augment), dropout or weight decay narrow the gap"};
  }
  return {Level::kOk, "fit", numbers, ""};
}

Finding JudgeInput(double stall_share) {
  const std::string number =
      fmt::format("{:.1f} % of the time was spent waiting for data", 100 * stall_share);
  if (stall_share > 0.05) return {Level::kNote, "input", number, "raise data.workers and data.prefetch"};
  return {Level::kOk, "input", number, ""};
}

Result<std::vector<Finding>> Diagnose(const std::string& path) {
  HR_TRY(const ExistingRun run, OpenRun(path));
  std::vector<MetricsLine> lines;
  if (const Result<std::string> text = run.store->ReadText(kMetricsFile); text.ok()) {
    lines = ParseLines(*text);
  } else if (text.status().code() != Code::kNotFound) {
    return text.status();
  }
  HR_TRY(const std::optional<TrainingReport> summary, ReadSummary(run));
  HR_TRY(const checkpoint::Listing checkpoints, run.checkpoints->List());

  std::vector<Finding> findings = {JudgeProgress(run, summary, lines, checkpoints), JudgeLoss(lines),
                                   JudgeGradients(lines)};
  if (summary && !summary->eval.empty() && lines.size() >= kEnoughLines) {
    findings.push_back(
        JudgeFit(Median(Values(Quarter(lines, 3), &MetricsLine::loss)), summary->eval[0].value));
  }
  findings.push_back(JudgeSpeed(lines));
  if (summary && summary->examples_per_second > 0) findings.push_back(JudgeInput(summary->stall_share));
  findings.push_back(JudgeCheckpoints(checkpoints));
  return findings;
}

}  // namespace headrace::run
