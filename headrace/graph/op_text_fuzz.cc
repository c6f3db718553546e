// Whatever the text, ParseOp returns, and what it accepts it writes and reads back.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "headrace/graph/op_text.h"
#include "headrace/graph/registry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headrace;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto op = ParseOp(text); op.ok()) {
    const std::string written = (*op)->ToString();
    const auto again = ParseOp(written);
    // Ops that hold tensors or functions write more than they read.
    HR_CHECK(again.ok() ? (*again)->ToString() == written : again.status().code() == Code::kUnimplemented);
  }
  (void)ParseTensorType(text).ok();
  return 0;
}
