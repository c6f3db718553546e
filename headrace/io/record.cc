#include "headrace/io/record.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "headrace/io/crc32c.h"

namespace headrace::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "records are little endian, and written as memory is");

constexpr size_t kHeader = sizeof(uint64_t) + sizeof(uint32_t);
constexpr size_t kFooter = sizeof(uint32_t);
static_assert(kHeader + kFooter == kRecordOverhead);

template <class T>
T Load(Bytes bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

// Where a record is, as its errors say it.
struct Place {
  const std::string& name;
  int64_t record;
  int64_t offset;

  Status Truncated() const {
    return Error(Code::kOutOfRange,
                 "{}: record {} at offset {} is cut short; its writer was killed or still writes", name,
                 record, offset);
  }
  Status Damaged(std::string_view part) const {
    return Error(Code::kDataLoss, "{}: record {} at offset {} is damaged: the checksum of its {} is wrong",
                 name, record, offset, part);
  }
};

// The length of the data. REQUIRES: header.size() == kHeader
Result<uint64_t> ParseHeader(Bytes header, const Place& place) {
  const Bytes length = header.first(sizeof(uint64_t));
  if (Load<uint32_t>(header.subspan(length.size())) != MaskCrc32c(Crc32c(length)))
    return place.Damaged("length");
  return Load<uint64_t>(length);
}

Status CheckData(Bytes data, Bytes footer, const Place& place) {
  return Load<uint32_t>(footer) == MaskCrc32c(Crc32c(data)) ? Ok() : place.Damaged("data");
}

}  // namespace

void AppendRecord(Bytes data, std::string& out) {
  const auto append = [&out](auto value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const uint64_t length = data.size();
  append(length);
  append(MaskCrc32c(Crc32c(std::as_bytes(std::span(&length, 1)))));
  out.append(AsText(data));
  append(MaskCrc32c(Crc32c(data)));
}

Result<std::optional<Bytes>> RecordReader::Next() {
  const Place place{name_, count_, offset_};
  const Bytes rest = bytes_.subspan(static_cast<size_t>(offset_));
  if (rest.empty()) return std::optional<Bytes>();
  if (rest.size() < kHeader) return place.Truncated();
  HR_TRY(const uint64_t length, ParseHeader(rest.first(kHeader), place));
  if (rest.size() - kHeader < kFooter || length > rest.size() - kHeader - kFooter) return place.Truncated();
  const Bytes data = rest.subspan(kHeader, length);
  HR_TRY(CheckData(data, rest.subspan(kHeader + length, kFooter), place));
  offset_ += static_cast<int64_t>(length) + kRecordOverhead;
  ++count_;
  return std::optional<Bytes>(data);
}

Result<std::optional<Bytes>> RecordStream::Next() {
  HR_TRY(error_);
  Result<std::optional<Bytes>> record = ReadNext();
  error_ = record.status();
  return record;
}

Result<std::optional<Bytes>> RecordStream::ReadNext() {
  const Place place{name_, count_, offset_};
  std::byte header[kHeader];
  HR_TRY(const size_t got, ReadFully(source_, header));
  if (got == 0) return std::optional<Bytes>();
  if (got < kHeader) return place.Truncated();
  HR_TRY(const uint64_t length, ParseHeader(header, place));
  if (length > buffer_.max_size() - kFooter) return place.Truncated();
  // Grows with what is there, not with what the length claims.
  const size_t wanted = length + kFooter;
  size_t filled = 0;
  while (filled < wanted) {
    constexpr size_t kStep = 1 << 20;
    buffer_.resize(std::min(wanted, std::max(kStep, 2 * filled)));
    HR_TRY(const size_t count, ReadFully(source_, std::span(buffer_).subspan(filled)));
    filled += count;
    if (filled < buffer_.size()) return place.Truncated();
  }
  const Bytes data = Bytes(buffer_).first(length);
  HR_TRY(CheckData(data, Bytes(buffer_).subspan(length), place));
  offset_ += static_cast<int64_t>(length) + kRecordOverhead;
  ++count_;
  return std::optional<Bytes>(data);
}

}  // namespace headrace::io
