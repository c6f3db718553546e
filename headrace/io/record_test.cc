#include "headrace/io/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "headrace/io/crc32c.h"

namespace headrace::io {
namespace {

TEST(Crc32c, KnownVectors) {
  // RFC 3720, appendix B.4.
  EXPECT_EQ(Crc32c(AsBytes("123456789")), 0xE3069283u);
  EXPECT_EQ(Crc32c({}), 0u);
  EXPECT_EQ(Crc32c(AsBytes(std::string(32, '\0'))), 0x8a9136aau);
  EXPECT_EQ(Crc32c(AsBytes(std::string(32, '\xff'))), 0x62a8ab43u);
}

TEST(Crc32c, GoesOnWhereItStopped) {
  EXPECT_EQ(Crc32c(AsBytes("6789"), Crc32c(AsBytes("12345"))), Crc32c(AsBytes("123456789")));
}

// Two records, "first" and an empty one, as the RecordWriter of tensorboard 2.21 wrote them.
const std::string kTwo(
    "\x05\0\0\0\0\0\0\0\xea\xb2\x04\x3e"
    "first\x55\xff\x23\xe5"
    "\0\0\0\0\0\0\0\0\x29\x03\x98\x07\xd8\xea\x82\xa2",
    37);

std::string Frame(std::string_view data) {
  std::string out;
  AppendRecord(AsBytes(data), out);
  return out;
}

TEST(AppendRecord, WritesTheFrame) { EXPECT_EQ(Frame("first") + Frame(""), kTwo); }

// The two readers, side by side.
using Records = std::vector<std::string>;

std::pair<Records, Status> ReadInMemory(const std::string& bytes) {
  RecordReader reader(AsBytes(bytes), "x.tfrecord");
  Records records;
  while (true) {
    const Result<std::optional<Bytes>> record = reader.Next();
    if (!record.ok()) {
      EXPECT_EQ(reader.Next().status().ToString(), record.status().ToString()) << "an error repeats";
      return {records, record.status()};
    }
    if (!record->has_value()) return {records, Ok()};
    records.emplace_back(AsText(**record));
    EXPECT_EQ(reader.count(), static_cast<int64_t>(records.size()));
  }
}

std::pair<Records, Status> ReadAsStream(const std::string& bytes) {
  BlobSource source({nullptr, AsBytes(bytes)});
  RecordStream stream(source, "x.tfrecord");
  Records records;
  while (true) {
    const Result<std::optional<Bytes>> record = stream.Next();
    if (!record.ok()) {
      EXPECT_EQ(stream.Next().status().ToString(), record.status().ToString()) << "an error repeats";
      return {records, record.status()};
    }
    if (!record->has_value()) return {records, Ok()};
    records.emplace_back(AsText(**record));
  }
}

std::pair<Records, std::string> ReadBoth(const std::string& bytes) {
  const auto [records, status] = ReadInMemory(bytes);
  const auto [streamed, stream_status] = ReadAsStream(bytes);
  EXPECT_EQ(records, streamed);
  EXPECT_EQ(status.ToString(), stream_status.ToString());
  return {records, status.ToString()};
}

TEST(RecordReader, ReadsRecordsOfEverySize) {
  Records records = {
      "", "a", std::string(1000, 'x'), std::string((1 << 20) + 3, 'y'), std::string(5 << 20, 'z'), ""};
  std::string bytes;
  for (const std::string& record : records) AppendRecord(AsBytes(record), bytes);
  const auto [read, status] = ReadBoth(bytes);
  EXPECT_TRUE(read == records);
  EXPECT_EQ(status, "OK");
  EXPECT_EQ(ReadBoth("").first, Records{});
}

TEST(RecordReader, SaysAtEveryLengthThatItIsCutShort) {
  for (size_t size = 0; size < kTwo.size(); ++size) {
    const auto [records, status] = ReadBoth(kTwo.substr(0, size));
    if (size == 0 || size == 21) {
      EXPECT_EQ(status, "OK");
    } else if (size < 21) {
      EXPECT_EQ(status,
                "OUT_OF_RANGE: x.tfrecord: record 0 at offset 0 is cut short; its writer was killed or still "
                "writes");
    } else {
      EXPECT_EQ(status,
                "OUT_OF_RANGE: x.tfrecord: record 1 at offset 21 is cut short; its writer was killed or "
                "still writes");
    }
    EXPECT_EQ(records.size(), size < 21 ? 0u : 1u);
  }
}

TEST(RecordReader, SaysOfEveryBitThatItIsDamaged) {
  for (size_t byte = 0; byte < kTwo.size(); ++byte) {
    std::string bytes = kTwo;
    bytes[byte] ^= 0x10;
    const auto [records, status] = ReadBoth(bytes);
    const bool second = byte >= 21;
    const bool length = byte - (second ? 21 : 0) < 12;
    EXPECT_EQ(
        status,
        fmt::format("DATA_LOSS: x.tfrecord: record {} at offset {} is damaged: the checksum of its {} is "
                    "wrong",
                    second ? 1 : 0, second ? 21 : 0, length ? "length" : "data"));
  }
}

TEST(RecordReader, DoesNotBelieveAHugeLength) {
  for (uint64_t length : {~uint64_t{0}, ~uint64_t{0} - 16, uint64_t{1} << 40}) {
    std::string bytes(reinterpret_cast<const char*>(&length), sizeof(length));
    const uint32_t crc = MaskCrc32c(Crc32c(AsBytes(bytes)));
    bytes.append(reinterpret_cast<const char*>(&crc), sizeof(crc)).append("data");
    EXPECT_THAT(ReadBoth(bytes).second, testing::HasSubstr("is cut short"));
  }
}

TEST(RecordReader, KnowsHowFarTheRecordsAreWhole) {
  const std::string bytes = kTwo + "torn";
  RecordReader reader(AsBytes(bytes), "x");
  while (reader.Next().ok()) {
  }
  EXPECT_EQ(reader.offset(), static_cast<int64_t>(kTwo.size()));
}

}  // namespace
}  // namespace headrace::io
