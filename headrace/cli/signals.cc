#include "headrace/cli/signals.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

namespace headrace::cli {
namespace {

volatile std::sig_atomic_t g_caught = 0;
bool g_is_terminal = false;  // stderr, where a line may be half-drawn

// Async-signal-safe (man 7 signal-safety), as all of a handler must be.
void Say(std::string_view text) {
  if (g_is_terminal) (void)!write(STDERR_FILENO, "\n", 1);
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

void Note(int signal) {
  if (g_caught != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  g_caught = signal;
  const int error = errno;
  Say("asked to stop; once more ends at once\n");
  errno = error;
}

}  // namespace

void WatchSignals() {
  g_is_terminal = isatty(STDERR_FILENO) != 0;
  struct sigaction action = {};
  action.sa_handler = Note;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int CaughtSignal() { return g_caught; }

}  // namespace headrace::cli
