#include "headrace/run/run_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "headrace/io/temporary_folder.h"
#include "headrace/run/template.h"

namespace headrace::run {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

RunConfig Mnist(const std::vector<std::string>& overrides = {}) {
  RunConfig config;
  for (const Template& known : Templates()) {
    if (known.name == "mnist") HR_CHECK(config::Load(known.text, "mnist.yaml", overrides, config).ok());
  }
  return config;
}

std::string RefusedChange(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  return AllowedChanges(Mnist(before), Mnist(after)).status().message();
}

TEST(AllowedChanges, WhatCannotAlterThePastIsSaid) {
  EXPECT_THAT(*AllowedChanges(Mnist(), Mnist()), ElementsAre());
  EXPECT_THAT(*AllowedChanges(Mnist(), Mnist({"checkpoint.keep=9", "train.log_every=7"})),
              ElementsAre("train.log_every: 10 -> 7", "checkpoint.keep: 3 -> 9"));
  EXPECT_THAT(*AllowedChanges(Mnist(), Mnist({"mesh={fsdp: 2}"})),
              ElementsAre("mesh.data: -1 -> null", "mesh.fsdp: 1 -> 2"));
}

TEST(AllowedChanges, WhatWouldAlterThePastIsRefusedWithEveryDifference) {
  EXPECT_THAT(RefusedChange({}, {"seed=8", "model.hidden=3", "checkpoint.keep=9"}),
              AllOf(StartsWith("the config differs from the one that the run was begun with"),
                    HasSubstr("\n  seed: 7 -> 8\n"), HasSubstr("\n  model.hidden: 128 -> 3\n"),
                    Not(HasSubstr("checkpoint.keep:")), HasSubstr("another --out")));
  EXPECT_THAT(RefusedChange({}, {"model={kind: mlp}"}), HasSubstr("\n  model.kind: convnet -> mlp\n"));
}

// A schedule that counts on the number of steps has used it already.
TEST(AllowedChanges, StepsAreFreeUnderAConstantScheduleAlone) {
  EXPECT_THAT(RefusedChange({}, {"train.steps=9"}), HasSubstr("\n  train.steps: 1500 -> 9\n"));
  const std::string constant = "schedule={kind: constant}";
  EXPECT_THAT(*AllowedChanges(Mnist({constant}), Mnist({constant, "train.steps=9"})),
              ElementsAre("train.steps: 1500 -> 9"));
}

class RunDirectoryTest : public testing::Test {
 protected:
  void Write(const std::string& key, const std::string& text) {
    auto store = *io::OpenStore(folder_.path());
    HR_CHECK(store->Write(key, io::AsBytes(text)).ok());
  }
  std::string ClaimError(const std::string& path, const RunConfig& config = Mnist()) {
    return ClaimRun(path, config).status().message();
  }

  io::TemporaryFolder folder_;
};

TEST_F(RunDirectoryTest, ANewOrEmptyFolderIsClaimedWithoutWriting) {
  EXPECT_TRUE(ClaimRun(folder_.path(), Mnist()).ok());
  EXPECT_TRUE(ClaimRun(folder_ / "new", Mnist()).ok());
  EXPECT_FALSE(OpenRun(folder_ / "new").ok());
}

TEST_F(RunDirectoryTest, WhatWasBegunIsOpenedWithItsConfig) {
  const std::string path = folder_ / "run";
  const RunConfig config = Mnist({"train.log_every=7"});
  ASSERT_TRUE(WriteConfig(*ClaimRun(path, config)).ok());
  const Result<ExistingRun> run = OpenRun(path);
  ASSERT_TRUE(run.ok()) << run.status().ToString();
  EXPECT_EQ(run->config.train.log_every, 7);
  EXPECT_EQ(ConfigSha256(run->config), ConfigSha256(config));
  EXPECT_NE(ConfigSha256(Mnist()), ConfigSha256(config));
}

TEST_F(RunDirectoryTest, ARunIsClaimedAgainByAConfigThatItMayGoOnWith) {
  ASSERT_TRUE(WriteConfig(*ClaimRun(folder_.path(), Mnist())).ok());
  const Result<ExistingRun> run = ClaimRun(folder_.path(), Mnist({"train.log_every=7"}));
  ASSERT_TRUE(run.ok()) << run.status().ToString();
  EXPECT_EQ(run->config.train.log_every, 7);
  EXPECT_THAT(ClaimError(folder_.path(), Mnist({"seed=8"})),
              AllOf(StartsWith(folder_.path() + ": "), HasSubstr("seed: 7 -> 8")));
}

TEST_F(RunDirectoryTest, AFolderOfSomethingElseIsRefused) {
  for (const char* name : {"a.txt", "b.txt", "c.txt", "d.txt"}) Write(name, "x");
  EXPECT_EQ(
      ClaimError(folder_.path()),
      folder_.path() +
          " holds something that is no run (a.txt, b.txt, c.txt, ...); name an empty or new folder with "
          "--out");
}

TEST_F(RunDirectoryTest, OneProcessAtATimeTrains) {
  const std::string path = folder_ / "runs/mnist";
  {
    const Result<std::unique_ptr<io::FileLock>> lock = LockRun(path);
    ASSERT_TRUE(lock.ok()) << lock.status().ToString();
    const Status second = LockRun(path).status();
    EXPECT_EQ(second.code(), Code::kFailedPrecondition);
    EXPECT_THAT(second.message(),
                AllOf(StartsWith(path + " is being trained already: process "),
                      HasSubstr(" holds " + path + "/train.lock. Wait until that has ended, stop it")));
    EXPECT_TRUE(ClaimRun(path, Mnist()).ok()) << "the lock is nothing that is in the way";
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs")) << "nothing was written there";
  EXPECT_TRUE(LockRun(path).ok());
  EXPECT_EQ(LockRun("mem://run").status().code(), Code::kUnimplemented);
}

TEST_F(RunDirectoryTest, AFileIsRefused) {
  Write("notes.txt", "x");
  const Status status = ClaimRun(folder_ / "notes.txt", Mnist()).status();
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(),
            folder_ / "notes.txt" + " is a file; --out takes a folder: a new or empty one, or that of a run");
}

TEST_F(RunDirectoryTest, ADamagedConfigIsNotOverwritten) {
  Write("config.yaml", "name: [");
  EXPECT_THAT(ClaimError(folder_.path()), HasSubstr("config.yaml:1:"));
}

TEST_F(RunDirectoryTest, OpeningWhatIsNoRunSaysWhatItIs) {
  Write("notes.txt", "x");
  EXPECT_THAT(OpenRun(folder_ / "gone").status().message(),
              EndsWith("there is no run at " + folder_ / "gone"));
  EXPECT_THAT(OpenRun(folder_ / "notes.txt").status().message(),
              HasSubstr("notes.txt is a file; name the folder of a run"));
  EXPECT_THAT(OpenRun(folder_.path()).status().message(),
              HasSubstr("is not the folder of a run: it has no config.yaml"));
  EXPECT_EQ(OpenRun(folder_.path()).status().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace headrace::run
