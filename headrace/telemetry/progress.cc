#include "headrace/telemetry/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headrace::telemetry {
namespace {

constexpr int kWidestBar = 30;
constexpr int kNarrowestBar = 8;
constexpr std::string_view kEraseLine = "\r\x1b[2K";

std::string FormatLoss(double loss) {
  double size = std::abs(loss);
  bool plain = !std::isfinite(loss) || loss == 0 || (size >= 1e-3 && size < 1e4);
  return plain ? fmt::format("loss {:.4f}", loss) : fmt::format("loss {:.3e}", loss);
}

std::string FormatRate(double steps_per_second) {
  if (steps_per_second >= 1) return fmt::format("{:.1f} steps/s", steps_per_second);
  return fmt::format("{:.1f} s/step", 1 / steps_per_second);
}

std::string FormatStep(const RunState& state) { return fmt::format("step {}/{}", state.step, state.total); }

// What follows the step, in the order in which a narrow terminal keeps it.
std::vector<std::string> Fields(const RunState& state) {
  std::vector<std::string> fields;
  if (state.loss) fields.push_back(FormatLoss(*state.loss));
  if (state.accuracy) fields.push_back(fmt::format("acc {:.3f}", *state.accuracy));
  if (state.steps_per_second.value_or(0) > 0) fields.push_back(FormatRate(*state.steps_per_second));
  if (auto eta = state.EtaSeconds()) fields.push_back("eta " + FormatDuration(*eta));
  return fields;
}

// " [####----]", `columns` wide in all.
std::string Bar(const RunState& state, int columns) {
  int cells = columns - 3;
  double share = state.total > 0 ? static_cast<double>(state.step) / static_cast<double>(state.total) : 0;
  int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * cells);
  return fmt::format(" [{}{}]", std::string(full, '#'), std::string(cells - full, '-'));
}

}  // namespace

std::optional<double> RunState::EtaSeconds() const {
  if (!steps_per_second || !(*steps_per_second > 0)) return std::nullopt;
  return static_cast<double>(std::max<int64_t>(total - step, 0)) / *steps_per_second;
}

std::string ProgressLine(const RunState& state) {
  std::string line = FormatStep(state);
  for (const std::string& field : Fields(state)) line += "  " + field;
  return line;
}

std::string ProgressBar(const RunState& state, int width) {
  std::string step = FormatStep(state);
  std::string fields;
  for (const std::string& field : Fields(state)) {
    if (static_cast<int>(step.size() + fields.size() + 2 + field.size()) > width) break;
    fields += "  " + field;
  }
  int columns = std::min(width - static_cast<int>(step.size() + fields.size()), kWidestBar + 3);
  if (columns >= kNarrowestBar + 3) step += Bar(state, columns);
  return (step + fields).substr(0, static_cast<size_t>(std::max(width, 0)));
}

std::string FormatDuration(double seconds) {
  auto total = static_cast<int64_t>(std::llround(std::clamp(seconds, 0.0, 1e12)));
  int64_t days = total / 86400, hours = total / 3600 % 24, minutes = total / 60 % 60, rest = total % 60;
  if (days > 0) return fmt::format("{}d {:02}:{:02}:{:02}", days, hours, minutes, rest);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

Progress::Progress(std::function<void(std::string_view)> output, Options options)
    : output_(std::move(output)), options_(options) {}

void Progress::Update(const RunState& state) {
  if (!options_.is_terminal) {
    output_(ProgressLine(state) + "\n");
    return;
  }
  // A line as wide as the terminal would wrap on some of them.
  drawn_ = ProgressBar(state, options_.width - 1);
  output_(fmt::format("{}{}", kEraseLine, drawn_));
}

void Progress::Note(std::string_view line) {
  if (drawn_.empty()) {
    output_(fmt::format("{}\n", line));
  } else {
    output_(fmt::format("{}{}\n{}", kEraseLine, line, drawn_));
  }
}

void Progress::Finish() {
  if (drawn_.empty()) return;
  output_("\n");
  drawn_.clear();
}

}  // namespace headrace::telemetry
