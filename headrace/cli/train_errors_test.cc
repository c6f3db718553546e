// Wrong configs, wrong data, wrong plugins, storage that fails: each has its message and its exit code, and
// nothing that was saved is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/cli/test/tiny_run.h"

namespace headrace::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(TrainErrors, Usage) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("--devices 0", 2), HasSubstr("--devices must be at least 1, got 0"));
  EXPECT_THAT(tiny.TrainError("--resume sometimes", 2),
              HasSubstr("--resume takes auto, never or the folder of a run; there is no run at sometimes"));
  EXPECT_EQ(tiny.Run("trian tiny.yaml").err,
            "error: unknown command \"trian\"; did you mean headrace train?\n");
  EXPECT_EQ(tiny.Run("trian tiny.yaml").exit_code, 2);
  EXPECT_EQ(tiny.Run("train").exit_code, 2);
  const Outcome missing = tiny.Run("train gone.yaml");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("gone.yaml: no such file"));
  EXPECT_EQ(tiny.TrainError("--out tiny.csv", 2),
            "error: tiny.csv is a file; --out takes a folder: a new or empty one, or that of a run\n");
  EXPECT_FALSE(tiny.Exists("runs"));
}

TEST(TrainErrors, Config) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("train.stps=4", 2),
              HasSubstr("train.stps: unknown key; did you mean train.steps?"));
  EXPECT_THAT(tiny.TrainError("train.steps=many", 2),
              HasSubstr("train.steps: expected a whole number, got \"many\""));
  EXPECT_THAT(tiny.TrainError("train.steps=-5", 2), HasSubstr("train.steps: must be at least 1, got -5"));
  EXPECT_THAT(tiny.TrainError("mesh.data=4", 2),
              HasSubstr("mesh: needs 4 devices, but only 1 is visible; see --devices"));
  EXPECT_THAT(tiny.TrainError("--devices 8 train.global_batch_size=12", 2),
              HasSubstr("train.global_batch_size: 12 examples do not divide into 8 equal parts (devices: 8, "
                        "microbatches: 1); make it a multiple of 8"));
  tiny.Write("tiny.yaml", "name: tiny\ntrain: {steps: [}\n");
  EXPECT_THAT(tiny.TrainError("", 2), StartsWith("error: tiny.yaml:2:"));
  EXPECT_FALSE(tiny.Exists("runs"));
}

// The error of training on this text.
std::string DataError(const std::string& text, int exit_code) {
  TinyRun tiny;
  tiny.Write("bad.csv", text);
  const std::string error = tiny.TrainError("data.source.path=bad.csv", exit_code);
  EXPECT_FALSE(tiny.Exists("runs"));
  return error;
}

TEST(TrainErrors, Data) {
  const std::string pixels = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,";
  EXPECT_EQ(DataError("", 2), "error: bad.csv is empty\n");
  EXPECT_THAT(DataError(TinyRun::Rows().substr(0, 1000), 2), HasSubstr("bad.csv, row "));
  EXPECT_EQ(DataError(TinyRun::Rows(11, "1,2,3"), 2),
            "error: bad.csv, row 11: 3 cells, expected 17 as in the first row\n");
  EXPECT_EQ(DataError(TinyRun::Rows(80, pixels + "9"), 2),
            "error: bad.csv, row 80: label 9 is out of range; 4 classes allow 0 to 3\n");
  EXPECT_EQ(DataError(TinyRun::Rows(80, pixels + "-1"), 2),
            "error: bad.csv, row 80: label -1 is out of range; 4 classes allow 0 to 3\n");
  EXPECT_THAT(DataError(TinyRun::Rows(3, "x" + pixels + "1"), 2), HasSubstr("bad.csv, row 3"));
}

// A file that cannot be used is a mistake of the config that names it, whether its rows are wrong or all of
// it.
TEST(TrainErrors, DataFiles) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("data.source.path=gone.csv", 2), HasSubstr("gone.csv: no such file"));
  EXPECT_THAT(tiny.TrainError("data.source.path=/tmp", 2),
              HasSubstr("/tmp: it is a folder where a file is needed"));
  // Compressed by the time that the program starts, and then cut.
  EXPECT_THAT(
      tiny.TrainError("data.source.path=cut.csv.gz", 2, "gzip -c tiny.csv | head -c 200 >cut.csv.gz;"),
      HasSubstr("cut.csv.gz is cut short: its 200 bytes end inside the compressed data"));
  tiny.Write("damaged.csv.gz", "\x1f\x8b\x08 and no more");
  EXPECT_THAT(tiny.TrainError("data.source.path=damaged.csv.gz", 2), HasSubstr("damaged.csv.gz"));
  const std::string npy = "'data.source={format: npy, features: cut.npy, labels: cut.npy}'";
  tiny.Write("cut.npy", "\x93NUMPY\x01");
  EXPECT_THAT(tiny.TrainError(npy, 2), HasSubstr("cut.npy: the .npy file is cut short in its header"));
  EXPECT_FALSE(tiny.Exists("runs"));
}

TEST(TrainErrors, FoldersOfData) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("'data.source={format: text, path: gone/*.txt, length: 8}'", 2),
              HasSubstr("no file matches *.txt in gone, which holds no files"));
  const std::string pictures = "'data.source={format: image_folder, path: gone, image: {size: [8, 8]}}'";
  EXPECT_THAT(tiny.TrainError(pictures, 2), HasSubstr("there is nothing in gone; "));
  EXPECT_FALSE(tiny.Exists("runs"));
}

TEST(TrainErrors, InitialValues) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("init_from=gone", 2), HasSubstr("init_from: there are no weights at gone: "));
  EXPECT_THAT(tiny.TrainError("init_from=gone.safetensors", 2),
              HasSubstr("init_from: reading ./gone.safetensors: no such file"));
  tiny.Write("cut.safetensors", "hello");
  EXPECT_THAT(tiny.TrainError("init_from=cut.safetensors", 2), HasSubstr("init_from: cut.safetensors: "));
}

TEST(TrainErrors, Plugins) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("--device ./gone.so", 2), HasSubstr("gone.so"));
  EXPECT_THAT(tiny.TrainError("--device ./tiny.yaml", 2),
              HasSubstr("./tiny.yaml is not a shared library (it has no ELF header)"));
  EXPECT_FALSE(tiny.Exists("runs"));
}

TEST(TrainErrors, FoldersThatCannotBeWritten) {
  TinyRun tiny;
  EXPECT_THAT(tiny.TrainError("--out /proc/run", 1), HasSubstr("error: making the folder /proc/run: "));
  EXPECT_THAT(tiny.TrainError("--out tiny.csv/run", 1), HasSubstr("tiny.csv/run"));
  // SIGXFSZ would end the program at the limit; ignored, the write fails as on a full disk. In blocks of 512
  // bytes.
  EXPECT_THAT(tiny.TrainError("", 1, "trap '' XFSZ; ulimit -f 1;"),
              HasSubstr("writing runs/tiny/config.yaml: larger than files may be here"));
  // Nothing is in the way of the next attempt.
  EXPECT_EQ(tiny.Train("").exit_code, 0);
}

// The disk is full when the second checkpoint is due; the first stays, and counts once there is room again.
TEST(TrainErrors, AFullDiskCostsNothingThatWasSaved) {
  TinyRun tiny;
  const std::string model = "'model.hidden=[256]' ";  // checkpoints larger than the limit, and nothing else
  ASSERT_EQ(tiny.Train(model + "train.steps=6").exit_code, 0);
  EXPECT_THAT(
      tiny.TrainError(model, 1, "trap '' XFSZ; ulimit -f 30;"),
      AllOf(HasSubstr("going on from step 6"),
            HasSubstr("error: step 10 was not saved in runs/tiny/checkpoints, earlier checkpoints are "
                      "untouched: writing "),
            HasSubstr("larger than files may be here")));
  EXPECT_EQ(tiny.Run("checkpoint verify runs/tiny").exit_code, 0);
  EXPECT_THAT(tiny.Checkpoints("runs/tiny"), ElementsAre("step-000005", "step-000006"));

  const Outcome resumed = tiny.Train(model);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(tiny.Metric("runs/tiny", "step"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  tiny.Train(model + "--out undisturbed");
  EXPECT_EQ(tiny.Summary("runs/tiny", "params_sha256"), tiny.Summary("undisturbed", "params_sha256"));
}

}  // namespace
}  // namespace headrace::cli
