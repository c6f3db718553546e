// Signals: being asked to stop. After WatchSignals, SIGINT and SIGTERM are noted instead of ending the
// program, so that it can save what it has, and a line on stderr says so; a second one ends it at once.
#pragma once

namespace headrace::cli {

void WatchSignals();

// The first signal that came, or 0.
int CaughtSignal();

}  // namespace headrace::cli
