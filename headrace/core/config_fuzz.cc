// Any bytes either load or are refused; what loads is written to text that loads to the same.
#include <cstdint>

#include "headrace/core/config.h"
#include "headrace/core/internal/sample_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headrace;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  config::internal::Sample sample;
  if (!config::Load(text, "fuzz", {}, sample).ok()) {
    const std::vector<std::string> overrides = {std::string(text)};
    if (!config::Load("source: {path: a}", "fuzz", overrides, sample).ok()) return 0;
  }
  const std::string dumped = config::DumpYaml(sample);
  config::internal::Sample back;
  HR_CHECK(config::Load(dumped, "dump", {}, back).ok());
  HR_CHECK(config::DumpYaml(back) == dumped);
  HR_CHECK(config::Compare(sample, back).empty());
  return 0;
}
