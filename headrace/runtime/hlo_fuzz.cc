// The optimized program comes from a plugin, and is read before anything runs.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "headrace/runtime/internal/hlo.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)headrace::runtime::internal::ReadParameters("hlo", bytes);
  (void)headrace::runtime::internal::HloText("hlo", bytes);
  return 0;
}
