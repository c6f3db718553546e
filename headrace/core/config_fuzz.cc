// Any bytes either load or are refused; what loads is written to text that loads to the same.
#include <cstdint>

#include "headrace/core/config.h"
#include "headrace/core/internal/sample_config.h"

namespace headrace::config {
namespace {

void LoadAndDump(std::string_view text) {
  internal::Sample sample;
  if (!Load(text, "fuzz", {}, sample).ok()) {
    const std::vector<std::string> overrides = {std::string(text)};
    if (!Load("source: {path: a}", "fuzz", overrides, sample).ok()) return;
  }
  const std::string dumped = DumpYaml(sample);
  internal::Sample back;
  HR_CHECK(Load(dumped, "dump", {}, back).ok());
  HR_CHECK(DumpYaml(back) == dumped);
  HR_CHECK(Compare(sample, back).empty());
}

}  // namespace
}  // namespace headrace::config

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  headrace::config::LoadAndDump({reinterpret_cast<const char*>(data), size});
  return 0;
}
