#include "headrace/data/text_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/data/batch.h"
#include "headrace/data/split.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Writes files into the folder of that name in memory; its path.
std::string Folder(const std::string& name, const std::map<std::string, std::string>& files) {
  const std::string path = "mem://" + name;
  auto store = io::OpenStore(path);
  for (const auto& [key, text] : files) EXPECT_TRUE((*store)->Write(key, io::AsBytes(text)).ok());
  return path;
}

std::shared_ptr<const Dataset> Opened(const std::string& path, int64_t length) {
  auto dataset = TextSource{.path = path, .length = length}.Open();
  EXPECT_TRUE(dataset.ok()) << dataset.status().ToString();
  return *std::move(dataset);
}

std::string ErrorOf(const std::string& path, int64_t length = 4) {
  const auto dataset = TextSource{.path = path, .length = length}.Open();
  EXPECT_FALSE(dataset.ok());
  return dataset.status().message();
}

// A field of an example as text.
std::string TextOf(const Example& example, std::string_view field) {
  std::string text;
  for (const NamedTensor& tensor : example) {
    if (tensor.name != field) continue;
    for (int32_t token : tensor.tensor.data<int32_t>()) text += static_cast<char>(token);
  }
  return text;
}

TEST(TextSource, WindowsLieEndToEndAndTargetsAreWhatComesNext) {
  const auto dataset = Opened(Folder("one", {{"a.txt", "abcdefghij"}}) + "/a.txt", 4);
  EXPECT_THAT(dataset->fields(),
              ElementsAre(NamedType{"tokens", {DType::kI32, {4}}}, NamedType{"targets", {DType::kI32, {4}}}));
  ASSERT_EQ(dataset->size(), 2);
  EXPECT_EQ(TextOf(*dataset->Get(0), kTokens), "abcd");
  EXPECT_EQ(TextOf(*dataset->Get(0), kTargets), "bcde");
  EXPECT_EQ(TextOf(*dataset->Get(1), kTokens), "efgh");
  EXPECT_EQ(TextOf(*dataset->Get(1), kTargets), "fghi");
  EXPECT_EQ(dataset->Where(1), "mem://one/a.txt, byte 4");
  EXPECT_EQ(dataset->Sha256(), io::Sha256Hex(io::AsBytes("abcdefghij")));
}

TEST(TextSource, BytesAreTokensWhateverTheyAre) {
  const auto dataset = Opened(Folder("bytes", {{"a.bin", std::string("\0\xFF\r\n\x80", 5)}}), 4);
  const Example example = *dataset->Get(0);
  EXPECT_THAT(example[0].tensor.data<int32_t>(), ElementsAre(0, 255, 13, 10));
  EXPECT_THAT(example[1].tensor.data<int32_t>(), ElementsAre(255, 13, 10, 128));
}

TEST(TextSource, FilesAreOneTextInTheOrderOfTheirNames) {
  const std::string folder = Folder(
      "many", {{"b.txt", "def"}, {"a.txt", "abc"}, {"empty.txt", ""}, {"z.md", "ghi"}, {"in/c.txt", "-"}});
  const auto whole = Opened(folder, 4);
  ASSERT_EQ(whole->size(), 2);
  EXPECT_EQ(TextOf(*whole->Get(0), kTargets), "bcde");
  EXPECT_EQ(TextOf(*whole->Get(1), kTargets), "fghi");
  EXPECT_EQ(whole->Where(1), "mem://many/b.txt, byte 1");
  const auto some = Opened(folder + "/*.txt", 5);
  EXPECT_EQ(TextOf(*some->Get(0), kTokens), "abcde");
  EXPECT_EQ(some->size(), 1);
}

TEST(TextSource, TheSplitIsContiguous) {
  const auto dataset = Opened(Folder("split", {{"a.txt", "0123456789ABCDEF0"}}), 2);
  const Splits splits = *Split(dataset, {.train = 0.75, .eval = 0.25});
  ASSERT_EQ(splits.train->size(), 6);
  ASSERT_EQ(splits.eval->size(), 2);
  EXPECT_EQ(TextOf(*splits.train->Get(5), kTokens), "AB");
  EXPECT_EQ(TextOf(*splits.eval->Get(0), kTokens), "CD");
}

TEST(TextSource, BatchesDependOnTheSeedAndTheStepAlone) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>('a' + i % 26);
  const std::string path = Folder("batches", {{"a.txt", text}});
  const auto batches = [&](uint64_t seed) {
    return *TrainBatches::Create(Opened(path, 7), {.batch_size = 8, .seed = seed, .augment = {}});
  };
  const Batch batch = *batches(3)(20);
  EXPECT_THAT(batches(3)(20)->Find("tokens")->bytes(),
              ::testing::ElementsAreArray(batch.Find("tokens")->bytes()));
  EXPECT_FALSE(std::ranges::equal(batches(4)(20)->Find("tokens")->bytes(), batch.Find("tokens")->bytes()));
  const auto tokens = batch.Find("tokens")->data<int32_t>(), targets = batch.Find("targets")->data<int32_t>();
  for (size_t i = 0; i < tokens.size(); ++i) EXPECT_EQ(targets[i], (tokens[i] - 'a' + 1) % 26 + 'a');
}

TEST(TextSource, SaysWhatIsWrong) {
  const std::string folder = Folder("wrong", {{"a.txt", "abcd"}, {"empty.txt", ""}});
  EXPECT_EQ(ErrorOf(folder + "/*.md"), "no file matches *.md in mem://wrong, which holds a.txt, empty.txt");
  EXPECT_EQ(ErrorOf("mem://nowhere/*.txt"), "no file matches *.txt in mem://nowhere, which holds no files");
  EXPECT_EQ(ErrorOf("mem://w*/a.txt"),
            "mem://w*/a.txt: only the last part of a path may be a pattern, not its folders");
  EXPECT_THAT(ErrorOf(folder + "/missing.txt"), HasSubstr("mem://wrong/missing.txt"));
  EXPECT_EQ(ErrorOf(folder + "/empty.txt"), "mem://wrong/empty.txt is empty");
  EXPECT_EQ(ErrorOf(folder + "/a.txt"),
            "mem://wrong/a.txt holds 4 bytes, but a window takes 5, those of data.source.length and the one "
            "behind them; give more text, or shorter windows");
}

TEST(TextSource, ReadsFilesAndFolders) {
  const io::TemporaryFolder folder;
  const auto store = *io::OpenStore(folder.path());
  ASSERT_TRUE(store->Write("a.txt", io::AsBytes("abcdef")).ok());
  EXPECT_EQ(Opened(folder.path(), 4)->Where(0), folder.path() + "/a.txt, byte 0");
  EXPECT_EQ(Opened(folder.path() + "/a.txt", 4)->size(), 1);
  EXPECT_EQ(Opened(folder.path() + "/?.txt", 4)->size(), 1);
  EXPECT_THAT(ErrorOf(folder.path() + "/b.txt"), HasSubstr("b.txt"));
}

}  // namespace
}  // namespace headrace::data
