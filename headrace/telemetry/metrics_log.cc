#include "headrace/telemetry/metrics_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "headrace/telemetry/json_object.h"

namespace headrace::telemetry {
namespace {

// The step of a line that Write has written (without its newline); nothing for any other line.
std::optional<int64_t> StepOf(std::string_view line) {
  constexpr std::string_view kBegin = "{\"step\": ";
  if (!line.starts_with(kBegin) || !line.ends_with('}')) return std::nullopt;
  // A power cut can leave zeros where a part of the file has not reached the disk.
  if (std::ranges::any_of(line, [](unsigned char c) { return c < 0x20; })) return std::nullopt;
  int64_t step = 0;
  const char* digits = line.data() + kBegin.size();
  auto [end, error] = std::from_chars(digits, line.data() + line.size(), step);
  if (error != std::errc() || (*end != ',' && *end != '}')) return std::nullopt;
  return step;
}

struct Kept {
  int64_t length = 0;
  int64_t last_step = 0;
};

// What of `log` belongs to the steps up to `last_step`.
Kept KeepUpTo(int64_t last_step, std::string_view log) {
  Kept kept;
  while (true) {
    size_t begin = static_cast<size_t>(kept.length);
    size_t newline = log.find('\n', begin);
    if (newline == std::string_view::npos) return kept;
    std::optional<int64_t> step = StepOf(log.substr(begin, newline - begin));
    if (!step || *step <= kept.last_step || *step > last_step) return kept;
    kept = {.length = static_cast<int64_t>(newline) + 1, .last_step = *step};
  }
}

// The losses and norms of a step are floats that were widened: they read best in a float's short form.
void SetNumber(JsonObject& object, std::string_view name, double value) {
  auto narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) == value) {
    object.Set(name, narrow);
  } else {
    object.Set(name, value);
  }
}

}  // namespace

Result<std::unique_ptr<MetricsLog>> MetricsLog::Open(std::string path, int64_t last_step) {
  Kept kept;
  auto keep = [&](io::Bytes log) -> Result<int64_t> {
    kept = KeepUpTo(last_step, io::AsText(log));
    return kept.length;
  };
  HR_TRY(auto log, io::LogFile::Open(std::move(path), keep));
  return std::unique_ptr<MetricsLog>(new MetricsLog(std::move(log), kept.last_step));
}

Status MetricsLog::Write(const StepMetrics& metrics) {
  if (metrics.step <= last_step_) {
    return InvalidArgument("{}: step {} after step {}: the lines of a metrics log must grow by step",
                           log_->path(), metrics.step, last_step_);
  }
  JsonObject line;
  line.Set("step", metrics.step).Set("time", std::round(metrics.time * 1e3) / 1e3);
  for (const Metric& metric : metrics.values) SetNumber(line, metric.name, metric.value);
  HR_TRY(log_->Append(io::AsBytes(line.OneLine() + "\n")));
  last_step_ = metrics.step;
  return Ok();
}

}  // namespace headrace::telemetry
