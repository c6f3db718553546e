#include "headrace/io/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::io {
namespace {

using testing::HasSubstr;

// Text that deflates, but not to nothing.
std::string Text(size_t size) {
  std::string text;
  uint32_t state = 1;
  while (text.size() < size) text += std::to_string((state = state * 1664525 + 1013904223) >> 20) + ",";
  text.resize(size);
  return text;
}

std::string ErrorOf(const std::string& bytes) { return Gunzip(AsBytes(bytes), "x.gz").status().ToString(); }

TEST(Gunzip, ReadsWhatTheProgramGzipWrote) {
  // echo -n 'hello hello hello' | gzip -9
  const std::string bytes(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x90\x00\x80\x88\xf9\xe5\x11"
      "\x00\x00\x00",
      28);
  EXPECT_EQ(*Gunzip(AsBytes(bytes), "x.gz"), "hello hello hello");
}

TEST(Gunzip, ReadsWhatGzipMade) {
  for (size_t size : {0, 1, 1000, 1 << 20}) {
    for (int level : {1, 6, 9}) {
      const std::string text = Text(size);
      EXPECT_TRUE(*Gunzip(AsBytes(Gzip(AsBytes(text), level)), "x.gz") == text) << size << " at " << level;
    }
  }
}

TEST(Gunzip, ReadsSeveralMembersAndPadding) {
  const std::string two = Gzip(AsBytes("one ")) + Gzip({}) + Gzip(AsBytes("two"));
  EXPECT_EQ(*Gunzip(AsBytes(two), "x.gz"), "one two");
  EXPECT_EQ(*Gunzip(AsBytes(two + std::string(512, '\0')), "x.gz"), "one two");
}

TEST(Gunzip, SaysAtEveryLengthThatItIsCutShort) {
  const std::string whole = Gzip(AsBytes(Text(3000)));
  for (size_t size = 2; size < whole.size(); ++size) {
    ASSERT_EQ(
        ErrorOf(whole.substr(0, size)),
        fmt::format(
            "OUT_OF_RANGE: x.gz is cut short: its {} bytes end inside the compressed data; fetch it again",
            size));
  }
}

TEST(Gunzip, RefusesWhatIsNotGzip) {
  const std::string message = "INVALID_ARGUMENT: x.gz is not gzip; if it is plain, name it without .gz";
  EXPECT_EQ(ErrorOf("1,2,3\n"), message);
  EXPECT_EQ(ErrorOf(""), message);
  EXPECT_EQ(ErrorOf("\x1f"), message);
}

TEST(Gunzip, RefusesDamage) {
  const std::string whole = Gzip(AsBytes(Text(3000)));
  std::string bytes = whole;
  bytes[bytes.size() - 6] ^= 1;
  EXPECT_THAT(ErrorOf(bytes), HasSubstr("DATA_LOSS: x.gz is damaged near offset"));
  EXPECT_THAT(ErrorOf(bytes), HasSubstr("(incorrect data check); fetch it again"));
  bytes = whole;
  bytes[whole.size() / 2] ^= 0x55;
  EXPECT_THAT(ErrorOf(bytes), testing::StartsWith("DATA_LOSS: x.gz is damaged near offset"));
  EXPECT_EQ(
      ErrorOf(whole + "junk"),
      fmt::format("DATA_LOSS: x.gz: what follows the compressed data at offset {} is not gzip; it is damaged",
                  whole.size()));
}

TEST(GzipSource, GivesTheSameInPiecesOfAnySizeAndRepeatsErrors) {
  const std::string text = Text(100000);
  const std::string good = Gzip(AsBytes(text));
  const std::string cut = good.substr(0, good.size() - 4);
  for (size_t piece : {1, 7, 4096, 1 << 20}) {
    for (const std::string* bytes : {&good, &cut}) {
      GzipSource source({nullptr, AsBytes(*bytes)}, "x.gz");
      std::string read;
      std::vector<std::byte> buffer(piece);
      Result<size_t> count = source.Read(buffer);
      for (; count.ok() && *count > 0; count = source.Read(buffer))
        read += AsText(Bytes(buffer).first(*count));
      EXPECT_TRUE(read == text);
      EXPECT_EQ(count.ok(), bytes == &good);
      EXPECT_EQ(source.Read(buffer).status().ToString(), count.status().ToString());
    }
  }
}

TEST(Gzip, IsDeterministicAndRecognized) {
  const std::string bytes = Gzip(AsBytes("text"));
  EXPECT_EQ(bytes, Gzip(AsBytes("text")));
  EXPECT_TRUE(IsGzip(AsBytes(bytes)));
  EXPECT_FALSE(IsGzip(AsBytes("text")));
  EXPECT_FALSE(IsGzip({}));
  EXPECT_LT(Gzip(AsBytes(Text(100000)), 9).size(), Gzip(AsBytes(Text(100000)), 1).size());
}

}  // namespace
}  // namespace headrace::io
