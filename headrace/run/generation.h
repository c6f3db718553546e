// Generate: what `headrace generate` does: text that a run's language model writes, from a prompt on.
//
// Needs the run's folder alone. The same options give the same text, on one build of the plugin and one kind
// of device.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "headrace/run/checkpoint_choice.h"
#include "headrace/run/device_options.h"
#include "headrace/run/sampling.h"

namespace headrace::run {

struct GenerationOptions {
  std::string path;           // of the run
  std::string prompt = "\n";  // its bytes are tokens; not empty
  int64_t tokens = 1000;      // to write
  SamplingOptions sampling;
  uint64_t seed = 0;
  std::string checkpoint;  // as ReadCheckpoint takes it
  DeviceOptions device;
};

struct GenerationReport {
  CheckpointChoice checkpoint;
  std::string prompt;
  std::string text;  // without the prompt; bytes, which need not be UTF-8
  double seconds = 0;
};

struct GenerationHooks {
  std::function<void(std::string_view piece)> on_text = [](std::string_view) {};  // as it is written
  std::function<bool()> should_stop = [] { return false; };                       // asked between tokens
};

// kInvalidArgument without a run or the checkpoint, and for a run of another kind.
Result<GenerationReport> Generate(const GenerationOptions& options, const GenerationHooks& hooks);

std::string ToJson(const GenerationReport& report);

}  // namespace headrace::run
