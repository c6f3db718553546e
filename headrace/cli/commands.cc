#include <vector>

#include "headrace/cli/command.h"

// One line a command: its file defines `CommandInfo <name>Command()`.
#define HEADRACE_COMMANDS(COMMAND) \
  COMMAND(Init)                    \
  COMMAND(Train)                   \
  COMMAND(Eval)                    \
  COMMAND(Predict)                 \
  COMMAND(Generate)                \
  COMMAND(Diagnose)                \
  COMMAND(Devices)                 \
  COMMAND(Doctor)                  \
  COMMAND(HloShow)                 \
  COMMAND(HloRun)                  \
  COMMAND(ConfigSchema)            \
  COMMAND(ConfigShow)              \
  COMMAND(CheckpointList)          \
  COMMAND(CheckpointVerify)        \
  COMMAND(Version)

namespace headrace::cli {

#define HEADRACE_DECLARE(name) CommandInfo name##Command();
HEADRACE_COMMANDS(HEADRACE_DECLARE)
#undef HEADRACE_DECLARE

std::span<const CommandInfo> Commands() {
#define HEADRACE_LIST(name) name##Command(),
  static const std::vector<CommandInfo> commands = {HEADRACE_COMMANDS(HEADRACE_LIST)};
#undef HEADRACE_LIST
  return commands;
}

}  // namespace headrace::cli
