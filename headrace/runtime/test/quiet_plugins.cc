// Plugins log to stderr what these tests provoke; they read how much when they are loaded.
#include <cstdlib>

[[maybe_unused]] static const int kQuiet = setenv("TF_CPP_MIN_LOG_LEVEL", "3", /*overwrite=*/0);
