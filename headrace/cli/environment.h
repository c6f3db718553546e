// Environment: what the program takes from outside its command line, read once at the start.
#pragma once

#include <string>
#include <vector>

namespace headrace::cli {

struct Environment {
  // Where plugins are looked for: the folders of HEADRACE_PLUGIN_PATH (separated by ':'), then those beside
  // the program.
  std::vector<std::string> plugin_folders;
};

// Also tells XLA to keep its chatter to itself, unless TF_CPP_MIN_LOG_LEVEL is set: plugins read that when
// they are loaded.
Environment ReadEnvironment();

}  // namespace headrace::cli
