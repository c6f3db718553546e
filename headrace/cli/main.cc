#include "headrace/cli/program.h"
#include "headrace/cli/signals.h"

int main(int argc, char** argv) {
  namespace cli = headrace::cli;
  const cli::Environment environment = cli::ReadEnvironment();
  cli::Terminal terminal(stdout, stderr, {.out = cli::WantsColor(stdout), .err = cli::WantsColor(stderr)});
  const int code = cli::RunProgram({argv + 1, argv + argc}, {terminal, environment});
  // A command that was asked to stop, and did in good order, ends as the shell expects: 130, 143.
  return code == 0 && cli::CaughtSignal() != 0 ? 128 + cli::CaughtSignal() : code;
}
