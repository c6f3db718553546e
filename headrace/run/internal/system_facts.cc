#include "headrace/run/internal/system_facts.h"

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace headrace::run::internal {
namespace {

namespace fs = std::filesystem;

// The value after "<name>" and a colon in a file of such lines; empty if there is none.
std::string FieldOf(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

// A file that holds one number; nothing if it does not ("max").
std::optional<int64_t> NumberIn(const char* path) {
  int64_t value = 0;
  if (std::ifstream file(path); file >> value) return value;
  return std::nullopt;
}

std::optional<int64_t> KibibytesOf(const std::string& name) {
  int64_t value = 0;
  if (std::istringstream field(FieldOf("/proc/meminfo", name)); field >> value) return value * 1024;
  return std::nullopt;
}

}  // namespace

CpuFacts Cpu() {
  constexpr std::array<const char*, 5> kFeatures = {"avx2", "fma", "avx512f", "avx512_bf16", "amx_bf16"};
  CpuFacts facts{.model = FieldOf("/proc/cpuinfo", "model name")};
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) facts.cores = CPU_COUNT(&allowed);
  std::istringstream flags(FieldOf("/proc/cpuinfo", "flags"));
  for (std::string flag; flags >> flag;) {
    if (std::ranges::find(kFeatures, flag) != kFeatures.end()) facts.features.push_back(flag);
  }
  return facts;
}

std::optional<MemoryFacts> Memory() {
  const std::optional<int64_t> total = KibibytesOf("MemTotal");
  const std::optional<int64_t> available = KibibytesOf("MemAvailable");
  if (!total || !available) return std::nullopt;
  MemoryFacts facts{*total, *available};
  const std::optional<int64_t> limit = NumberIn("/sys/fs/cgroup/memory.max");
  const std::optional<int64_t> used = NumberIn("/sys/fs/cgroup/memory.current");
  if (limit && used) {
    facts.total = std::min(facts.total, *limit);
    facts.available = std::min(facts.available, std::max<int64_t>(0, *limit - *used));
  }
  return facts;
}

std::optional<int64_t> FreeDisk(const std::string& path) {
  std::error_code error;
  fs::path folder = fs::absolute(path, error);
  while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, error);
  if (error) return std::nullopt;
  return static_cast<int64_t>(space.available);
}

std::string FormatBytes(int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, kUnits[unit]);
}

}  // namespace headrace::run::internal
