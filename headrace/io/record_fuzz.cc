// Whatever the bytes, both readers answer, and answer the same; what they accept, written again, is the same
// bytes.
#include "headrace/core/check.h"
#include "headrace/io/record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headrace::io;
  const Bytes bytes = std::as_bytes(std::span(data, size));
  RecordReader reader(bytes, "fuzz");
  BlobSource source({nullptr, bytes});
  RecordStream stream(source, "fuzz");
  std::string again;
  while (true) {
    const auto record = reader.Next();
    const auto streamed = stream.Next();
    HR_CHECK(record.status().ToString() == streamed.status().ToString());
    if (!record.ok() || !record->has_value()) break;
    HR_CHECK(AsText(**record) == AsText(**streamed));
    AppendRecord(**record, again);
  }
  HR_CHECK(again == AsText(bytes.first(static_cast<size_t>(reader.offset()))));
  return 0;
}
