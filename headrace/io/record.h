// Records: the frame that TFRecord and TensorBoard event files share.
//
// A file is records one after another, each: u64 length, masked CRC-32C of those 8 bytes, data, masked
// CRC-32C of the data; little endian. Neither class is thread-safe.
//
//   AppendRecord(AsBytes(event.SerializeAsString()), out);
//   RecordReader reader(blob->bytes, "events.tfevents");
//   HR_TRY(std::optional<Bytes> record, reader.Next());     // nothing at the end
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headrace/io/byte_source.h"

namespace headrace::io {

// Bytes of frame around the data of one record.
inline constexpr int64_t kRecordOverhead = 16;

// Appends `data` in its frame to `out`.
void AppendRecord(Bytes data, std::string& out);

// Reads the records of bytes in memory without copying. Errors name `name`, the record (from 0) and its
// offset: kOutOfRange if the bytes stop inside it (the writer was killed, or still writes), kDataLoss if a
// checksum is wrong; they repeat.
class RecordReader {
 public:
  RecordReader(Bytes bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  // The data of the next record, a part of the bytes; nothing at the end.
  Result<std::optional<Bytes>> Next();

  // Where the next record begins: everything before is whole.
  int64_t offset() const { return offset_; }
  // How many records were read.
  int64_t count() const { return count_; }

 private:
  Bytes bytes_;
  std::string name_;
  int64_t offset_ = 0;
  int64_t count_ = 0;
};

// The same from a source, for what is compressed or does not fit in memory.
class RecordStream {
 public:
  // `source` outlives the stream.
  RecordStream(ByteSource& source, std::string name) : source_(source), name_(std::move(name)) {}

  // The data of the next record, valid until the next call; nothing at the end.
  Result<std::optional<Bytes>> Next();

 private:
  Result<std::optional<Bytes>> ReadNext();

  ByteSource& source_;
  std::string name_;
  int64_t offset_ = 0;
  int64_t count_ = 0;
  std::vector<std::byte> buffer_;
  Status error_;
};

}  // namespace headrace::io
