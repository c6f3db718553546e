// What the operating system says about this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headrace::run::internal {

struct CpuFacts {
  std::string model;
  int cores = 0;                      // that this process may use
  std::vector<std::string> features;  // of those that matter for speed
};
CpuFacts Cpu();

struct MemoryFacts {
  int64_t total = 0;  // bytes; the limit of the container where that is lower
  int64_t available = 0;
};
std::optional<MemoryFacts> Memory();

// Bytes that may still be written where `path`, or the nearest folder above it that exists, lies.
std::optional<int64_t> FreeDisk(const std::string& path);

// "1.5 GiB"
std::string FormatBytes(int64_t bytes);

}  // namespace headrace::run::internal
