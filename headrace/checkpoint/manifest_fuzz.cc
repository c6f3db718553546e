// Fuzzes the manifest parser: any bytes are refused or read, and what is read is written back to the same
// value.
#include "headrace/checkpoint/manifest.h"
#include "headrace/core/check.h"
#include "headrace/io/hash.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace checkpoint = headrace::checkpoint;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)checkpoint::ParseManifest(text, "fuzz").ok();

  // Almost no input carries its own hash: give it one, so that what lies behind is reached.
  std::string hashed =
      "{\n  \"manifest_sha256\": \"" + headrace::io::Sha256Hex(headrace::io::AsBytes(text)) + "\",\n";
  auto manifest = checkpoint::ParseManifest(hashed.append(text), "fuzz");
  if (manifest.ok()) {
    auto again = checkpoint::ParseManifest(checkpoint::ToJson(*manifest), "again");
    HR_CHECK(again.ok() && *again == *manifest);
  }
  return 0;
}
