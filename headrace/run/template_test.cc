#include "headrace/run/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"
#include "headrace/run/child_process.h"
#include "headrace/run/pinned_file.h"

namespace headrace::run {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
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
  EXPECT_EQ(
      Run("minst").ToString(),
      "INVALID_ARGUMENT: no template \"minst\", did you mean mnist?; there are: mnist, nuclei, shakespeare, "
      "textures");
}

TEST_F(InitTest, FoldersOfPicturesAndWeightsAreFoundToo) {
  fs::create_directory(folder_ / "models");
  fs::copy(".deps/data/textures", folder_ / "data/textures", fs::copy_options::recursive);
  fs::copy_file(".deps/models/efficientnet_lite0.safetensors",
                folder_ / "models/efficientnet_lite0.safetensors");
  ASSERT_EQ(Run("textures").ToString(), "OK");
  EXPECT_THAT(said_, ElementsAre("wrote textures.yaml", "data/textures is in place",
                                 "models/efficientnet_lite0.safetensors is in place"));
  fs::remove(folder_ / "data/textures/moon/000-000.png");
  EXPECT_THAT(Run("textures").message(), HasSubstr("data/textures is there but holds something else than "
                                                   "scikit-image 0.25.2 does"));
}

TEST(PinnedFile, IsFoundByItsHash) {
  for (const PinnedFile& file : PinnedFiles()) {
    EXPECT_TRUE(HasPinnedFile(file, ".deps")) << file.path;
    EXPECT_FALSE(HasPinnedFile(file, "headrace")) << file.path;
  }
}

// Any Python makes the same files of a package, by which they are known.
TEST(PinnedFile, ProgramsMakeTheSameFiles) {
  const std::map<std::string_view, std::string> members = {
      {"data/textures", ".deps/data/photographs"},
      {"data/nuclei", ".deps/data/microscopy"},
      {"models/efficientnet_lite0.safetensors", ".deps/models/efficientnet_lite0.pth"}};
  const io::TemporaryFolder folder;
  for (const PinnedFile& file : PinnedFiles()) {
    if (file.script.empty()) continue;
    const fs::path out = fs::path(folder.path()) / file.Root();
    fs::create_directories(out.parent_path());
    const Result<ChildResult> made =
        RunChild({"python3", fmt::format("tools/{}", file.script), members.at(file.Root()), out.native()});
    ASSERT_TRUE(made.ok()) << made.status().ToString();
    EXPECT_EQ(made->exit_code, 0) << made->output;
    EXPECT_TRUE(HasPinnedFile(file, folder.path())) << file.path;
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
              HasSubstr("data/shakespeare is there but holds something else than shakespeare 0.6"));
}

}  // namespace
}  // namespace headrace::run
