#include "headrace/cli/process_time.h"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace headrace::cli {

double ProcessSeconds() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(')');  // the name before it may hold spaces
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  constexpr int kStartTime = 22;  // proc(5); the first field after the name is the third
  std::string field;
  for (int i = 3; i <= kStartTime; ++i) fields >> field;
  timespec now = {};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double since_boot = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  return since_boot - std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace headrace::cli
