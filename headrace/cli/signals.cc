#include "headrace/cli/signals.h"

#include <csignal>

namespace headrace::cli {
namespace {

volatile std::sig_atomic_t g_caught = 0;

void Note(int signal) {
  if (g_caught != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  g_caught = signal;
}

}  // namespace

void WatchSignals() {
  struct sigaction action = {};
  action.sa_handler = Note;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int CaughtSignal() { return g_caught; }

}  // namespace headrace::cli
