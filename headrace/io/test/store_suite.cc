#include "headrace/io/store_suite.h"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

namespace headrace::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Value(Store& store, std::string_view key) {
  Result<std::string> text = store.ReadText(key);
  return text.ok() ? *text : text.status().ToString();
}

std::vector<std::string> Keys(Store& store, std::string_view prefix) {
  Result<std::vector<Entry>> entries = store.List(prefix);
  if (!entries.ok()) return {entries.status().ToString()};
  std::vector<std::string> keys;
  for (const Entry& entry : *entries) keys.push_back(entry.key);
  return keys;
}

// Bytes that differ everywhere, so that a shift shows.
std::string Pattern(size_t size) {
  std::string text(size, '\0');
  uint32_t state = 1;
  for (char& c : text) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return text;
}

}  // namespace

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoreSuite);

TEST_P(StoreSuite, ReadsWhatWasWritten) {
  ASSERT_TRUE(store_->Write("folder/name.json", AsBytes("{}")).ok());
  EXPECT_EQ(Value(*store_, "folder/name.json"), "{}");
  EXPECT_EQ(*store_->Size("folder/name.json"), 2);
}

TEST_P(StoreSuite, HoldsEmptyAndBinaryAndLargeValues) {
  for (const std::string& text : {std::string(), std::string("\0\n\xff", 3), Pattern((3 << 20) + 1)}) {
    ASSERT_TRUE(store_->Write("value", AsBytes(text)).ok());
    const Result<Blob> blob = store_->Read("value");
    ASSERT_TRUE(blob.ok()) << blob.status().ToString();
    EXPECT_TRUE(blob->text() == text) << text.size() << " bytes came back different";
    EXPECT_EQ(reinterpret_cast<uintptr_t>(blob->bytes.data()) % 64, 0u);
  }
}

TEST_P(StoreSuite, ReplacesAValue) {
  ASSERT_TRUE(store_->Write("key", AsBytes("a longer old value")).ok());
  ASSERT_TRUE(store_->Write("key", AsBytes("new")).ok());
  EXPECT_EQ(Value(*store_, "key"), "new");
  EXPECT_THAT(Keys(*store_, ""), ElementsAre("key"));
}

TEST_P(StoreSuite, ABlobOutlivesItsKey) {
  const std::string old = Pattern(2 << 20);
  ASSERT_TRUE(store_->Write("key", AsBytes(old)).ok());
  const Result<Blob> blob = store_->Read("key");
  ASSERT_TRUE(store_->Write("key", AsBytes("new")).ok());
  ASSERT_TRUE(store_->Delete("key").ok());
  store_.reset();
  EXPECT_TRUE(blob->text() == old);
}

TEST_P(StoreSuite, AMissingKeyIsNotFoundAndNamed) {
  const std::string place = store_->Name();
  for (const Status& status : {store_->Read("absent").status(), store_->Size("absent").status(),
                               store_->ReadRange("absent", 0, 1).status()}) {
    EXPECT_EQ(status.code(), Code::kNotFound);
    EXPECT_THAT(status.message(), HasSubstr(place + "/absent"));
  }
  EXPECT_TRUE(store_->Delete("absent").ok());
  EXPECT_TRUE(store_->Delete("no/such/folder").ok());
}

TEST_P(StoreSuite, ReadsRanges) {
  const std::string text = Pattern(3 << 20);
  ASSERT_TRUE(store_->Write("key", AsBytes(text)).ok());
  const auto size = static_cast<int64_t>(text.size());
  for (const auto& [offset, count] : std::vector<std::pair<int64_t, int64_t>>{
           {0, size}, {0, 0}, {size, 0}, {1, 10}, {4095, 2}, {12345, 2 << 20}, {size - 1, 1}}) {
    const Result<Blob> blob = store_->ReadRange("key", offset, count);
    ASSERT_TRUE(blob.ok()) << blob.status().ToString();
    EXPECT_TRUE(blob->text() == std::string_view(text).substr(offset, count)) << offset << " + " << count;
  }
}

TEST_P(StoreSuite, RefusesRangesBeyondTheEndWithTheRealSize) {
  ASSERT_TRUE(store_->Write("key", AsBytes("12345")).ok());
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  for (const auto& [offset, count] : std::vector<std::pair<int64_t, int64_t>>{
           {0, 6}, {5, 1}, {6, 0}, {3, kHuge}, {kHuge, kHuge}, {kHuge, 0}}) {
    const Status status = store_->ReadRange("key", offset, count).status();
    EXPECT_EQ(status.code(), Code::kOutOfRange) << offset << " + " << count;
    EXPECT_THAT(status.message(), HasSubstr("it has only 5 bytes"));
  }
  EXPECT_EQ(store_->ReadRange("key", -1, 1).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(store_->ReadRange("key", 1, -1).status().code(), Code::kInvalidArgument);
}

TEST_P(StoreSuite, ListsByPrefixSortedAtAnyDepth) {
  for (const char* key : {"b", "a/2", "a/10/x", "a-1", "ab/c"})
    ASSERT_TRUE(store_->Write(key, AsBytes(key)).ok());
  EXPECT_THAT(Keys(*store_, ""), ElementsAre("a-1", "a/10/x", "a/2", "ab/c", "b"));
  EXPECT_THAT(Keys(*store_, "a"), ElementsAre("a-1", "a/10/x", "a/2", "ab/c"));
  EXPECT_THAT(Keys(*store_, "a/"), ElementsAre("a/10/x", "a/2"));
  EXPECT_THAT(Keys(*store_, "a/1"), ElementsAre("a/10/x"));
  EXPECT_THAT(Keys(*store_, "a/10/x"), ElementsAre("a/10/x"));
  EXPECT_THAT(Keys(*store_, "a/10/x/"), ElementsAre());
  EXPECT_THAT(Keys(*store_, "c"), ElementsAre());
  EXPECT_EQ(store_->List("a/10")->front().size, 6);
}

TEST_P(StoreSuite, AnEmptyStoreListsNothing) { EXPECT_THAT(Keys(*store_, ""), ElementsAre()); }

TEST_P(StoreSuite, DeletesOneKey) {
  ASSERT_TRUE(store_->Write("a/1", AsBytes("1")).ok());
  ASSERT_TRUE(store_->Write("a/2", AsBytes("2")).ok());
  ASSERT_TRUE(store_->Delete("a/1").ok());
  EXPECT_THAT(Keys(*store_, ""), ElementsAre("a/2"));
  ASSERT_TRUE(store_->Delete("a/2").ok());
  EXPECT_THAT(Keys(*store_, ""), ElementsAre());
  ASSERT_TRUE(store_->Write("a/1", AsBytes("again")).ok());
  EXPECT_EQ(Value(*store_, "a/1"), "again");
}

TEST_P(StoreSuite, AConditionalWriteKeepsWhatIsThere) {
  ASSERT_TRUE(store_->Write("key", AsBytes("first"), WriteIf::kAbsent).ok());
  const Status status = store_->Write("key", AsBytes("second"), WriteIf::kAbsent);
  EXPECT_EQ(status.code(), Code::kAlreadyExists);
  EXPECT_EQ(status.message(), "writing " + store_->Name() + "/key: it exists already");
  EXPECT_EQ(Value(*store_, "key"), "first");
  ASSERT_TRUE(store_->Delete("key").ok());
  EXPECT_TRUE(store_->Write("key", AsBytes("third"), WriteIf::kAbsent).ok());
}

TEST_P(StoreSuite, OneOfSeveralRacingWritersWins) {
  constexpr int kWriters = 8;
  for (int round = 0; round < 10; ++round) {
    const std::string key = "race/" + std::to_string(round) + "/commit";
    std::vector<Status> outcomes(kWriters);
    std::vector<std::thread> writers;
    for (int i = 0; i < kWriters; ++i) {
      writers.emplace_back(
          [&, i] { outcomes[i] = store_->Write(key, AsBytes(std::to_string(i)), WriteIf::kAbsent); });
    }
    for (std::thread& writer : writers) writer.join();
    int winners = 0;
    for (int i = 0; i < kWriters; ++i) {
      if (!outcomes[i].ok()) {
        EXPECT_EQ(outcomes[i].code(), Code::kAlreadyExists) << outcomes[i].ToString();
        continue;
      }
      ++winners;
      EXPECT_EQ(Value(*store_, key), std::to_string(i));
    }
    EXPECT_EQ(winners, 1);
  }
}

TEST_P(StoreSuite, WritersAndDeletersOfOneFolderDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::string key = "shared/folder/" + std::to_string(i);
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(store_->Write(key, AsBytes(key)).ToString(), "OK");
        EXPECT_EQ(Value(*store_, key), key);
        EXPECT_EQ(store_->Delete(key).ToString(), "OK");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(Keys(*store_, ""), ElementsAre());
}

TEST_P(StoreSuite, AWriterShowsNothingBeforeCommit) {
  ASSERT_TRUE(store_->Write("a/key", AsBytes("old")).ok());
  Result<std::unique_ptr<Writer>> writer = store_->Create("a/key");
  ASSERT_TRUE(writer.ok()) << writer.status().ToString();
  ASSERT_TRUE((*writer)->Append(AsBytes("new ")).ok());
  EXPECT_EQ(Value(*store_, "a/key"), "old");
  EXPECT_THAT(Keys(*store_, ""), ElementsAre("a/key"));
  ASSERT_TRUE((*writer)->Append(AsBytes("value")).ok());
  ASSERT_TRUE((*writer)->Commit().ok());
  EXPECT_EQ(Value(*store_, "a/key"), "new value");
}

TEST_P(StoreSuite, AnAbandonedWriterLeavesNothing) {
  {
    Result<std::unique_ptr<Writer>> writer = store_->Create("a/key");
    ASSERT_TRUE((*writer)->Append(AsBytes(Pattern(100000))).ok());
  }
  EXPECT_THAT(Keys(*store_, ""), ElementsAre());
  EXPECT_EQ(store_->Read("a/key").status().code(), Code::kNotFound);
}

TEST_P(StoreSuite, AWriterOutlivesItsStore) {
  Result<std::unique_ptr<Writer>> writer = store_->Create("a/key");
  Store& raw = *store_;
  Result<std::unique_ptr<Writer>> other = raw.Create("a/other");
  store_.reset();
  EXPECT_TRUE((*writer)->Append(AsBytes("x")).ok());
  EXPECT_TRUE((*writer)->Commit().ok());
}

TEST_P(StoreSuite, AConditionalWriterLosesAtCommit) {
  Result<std::unique_ptr<Writer>> writer = store_->Create("key", WriteIf::kAbsent);
  ASSERT_TRUE((*writer)->Append(AsBytes("late")).ok());
  ASSERT_TRUE(store_->Write("key", AsBytes("early")).ok());
  EXPECT_EQ((*writer)->Commit().code(), Code::kAlreadyExists);
  EXPECT_EQ(Value(*store_, "key"), "early");
}

TEST_P(StoreSuite, RefusesKeysThatAreNone) {
  for (const std::string& key :
       {std::string(), std::string("/etc/passwd"), std::string("a//b"), std::string("a/"), std::string("."),
        std::string("a/../b"), std::string("../a"), std::string("a\0b", 3),
        std::string("a/.headrace-tmp-1")}) {
    EXPECT_EQ(store_->Read(key).status().code(), Code::kInvalidArgument) << key;
    EXPECT_EQ(store_->ReadRange(key, 0, 0).status().code(), Code::kInvalidArgument) << key;
    EXPECT_EQ(store_->Size(key).status().code(), Code::kInvalidArgument) << key;
    EXPECT_EQ(store_->Write(key, {}).code(), Code::kInvalidArgument) << key;
    EXPECT_EQ(store_->Create(key).status().code(), Code::kInvalidArgument) << key;
    EXPECT_EQ(store_->Delete(key).code(), Code::kInvalidArgument) << key;
  }
  for (const char* prefix : {"/", "a//", "../", "a/../b"}) {
    EXPECT_EQ(store_->List(prefix).status().code(), Code::kInvalidArgument) << prefix;
  }
  EXPECT_EQ(store_->Write("a//b", {}).message(),
            "the key 'a//b' has an empty part; write it relative, as in 'folder/name'");
}

TEST_P(StoreSuite, TakesUnusualNames) {
  for (const char* key : {".hidden", "a b", "...", "ü/ñ", "a\\b", "q?x=1#y%20", "a/.gitignore"}) {
    ASSERT_TRUE(store_->Write(key, AsBytes(key)).ok()) << key;
    EXPECT_EQ(Value(*store_, key), key);
  }
  EXPECT_EQ(Keys(*store_, "").size(), 7u);
  EXPECT_THAT(Keys(*store_, "."), ElementsAre("...", ".hidden"));
}

}  // namespace headrace::io
