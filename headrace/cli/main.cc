#include "headrace/cli/program.h"
#include "headrace/cli/signals.h"

int main(int argc, char** argv) {
  using namespace headrace::cli;
  const Environment environment = ReadEnvironment();
  Terminal terminal(stdout, stderr, {.out = WantsColor(stdout), .err = WantsColor(stderr)});
  const int code = RunProgram({argv + 1, argv + argc}, {terminal, environment});
  // A command that was asked to stop, and did in good order, ends as the shell expects: 130, 143.
  return code == 0 && CaughtSignal() != 0 ? 128 + CaughtSignal() : code;
}
