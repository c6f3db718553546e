// Progress: where a run stands, as one line that is redrawn on a terminal and as plain lines elsewhere.
//
// Nothing here prints or asks about the terminal: text goes to the output function that the caller passes in,
// and the caller says whether a terminal is behind it. Not thread-safe.
//
//   Progress progress([](std::string_view text) { fputs(std::string(text).c_str(), stderr); },
//                     {.is_terminal = true, .width = 80});
//   progress.Update({.step = 300, .total = 1500, .loss = 0.1023, .steps_per_second = 41.2});
//   progress.Finish();
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headrace::telemetry {

// What is not known is left out of the line.
struct RunState {
  int64_t step = 0;
  int64_t total = 0;
  std::optional<double> loss;
  std::optional<double> accuracy;  // in [0, 1]
  std::optional<double> steps_per_second;

  // Seconds until the last step at this speed; nothing while the speed is unknown.
  std::optional<double> EtaSeconds() const;
};

// "step 300/1500  loss 0.1023  acc 0.969  41.2 steps/s  eta 0:29"
std::string ProgressLine(const RunState& state);

// The same with a bar after the step, at most `width` columns wide: the bar shrinks first, then the fields go
// from the right.
// "step 300/1500 [####----------------]  loss 0.1023  acc 0.969  41.2 steps/s  eta 0:29"
std::string ProgressBar(const RunState& state, int width);

// "0:29", "12:05", "1:02:03", "2d 01:00:00"
std::string FormatDuration(double seconds);

class Progress {
 public:
  struct Options {
    bool is_terminal = false;
    int width = 80;  // columns of the terminal
  };

  Progress(std::function<void(std::string_view)> output, Options options);

  // On a terminal redraws the line, elsewhere writes a new one: call it once a logged step.
  void Update(const RunState& state);

  // Writes a line of its own (a warning, a saved checkpoint) and leaves the bar below it.
  void Note(std::string_view line);

  // Ends the redrawn line, so that what comes next starts on a fresh one. Calling it again does nothing.
  void Finish();

 private:
  std::function<void(std::string_view)> output_;
  Options options_;
  std::string drawn_;  // the bar that is on the terminal now; empty for none
};

}  // namespace headrace::telemetry
