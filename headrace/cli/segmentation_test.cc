// A segmentation run from the folders to the masks, by way of the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "headrace/cli/test/run_program.h"

namespace headrace::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The nuclei of `headrace init nuclei`, and a network that is too small to be good.
class Nuclei : public ProgramFolder {
 public:
  Nuclei() {
    fs::create_directory(path() + "/data");
    fs::copy(".deps/data/nuclei", path() + "/data/nuclei", fs::copy_options::recursive);
    fs::copy_file("examples/nuclei.yaml", path() + "/nuclei.yaml");
  }
  Outcome Train(const std::string& more = "") {
    return Run(
        "train nuclei.yaml model.width=2 model.levels=1 data.source.image.size=[16,16] train.steps=2 "
        "train.eval_every=0 " +
        more);
  }
};

TEST(Segmentation, MasksAreWrittenWhereNothingElseIs) {
  Nuclei nuclei;
  const Outcome trained = nuclei.Train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("mean_iou"));
  const std::string images = "data/nuclei/images/";
  const Outcome predicted = nuclei.Run("predict runs/nuclei " + images + "*.png --example 1 --masks out");
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_THAT(predicted.out, HasSubstr("0 background"));
  EXPECT_THAT(predicted.out, HasSubstr("% of the pixels are right, mean IoU "));
  EXPECT_THAT(predicted.out, HasSubstr("masks: 17 in out\n"));
  for (const char* name : {"out/000-128.png", "out/held-out-example-1.png"})
    EXPECT_THAT(nuclei.Read(name), StartsWith("\x89PNG")) << name;

  const std::string picture = nuclei.Read(images + "000-000.png");
  for (const std::string folder : {"data/nuclei/images", "data/nuclei/masks/", "./data/nuclei/images"}) {
    const Outcome refused =
        nuclei.Run("predict runs/nuclei data/nuclei/images/000-000.png --masks " + folder);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("--masks: " + folder +
                                       " holds files that masks could overwrite; name another folder\n"));
  }
  EXPECT_EQ(nuclei.Read(images + "000-000.png"), picture);

  fs::create_directory(nuclei.path() + "/more");
  fs::copy_file(nuclei.path() + "/" + images + "000-000.png", nuclei.path() + "/more/000-000.png");
  EXPECT_THAT(nuclei.Run("predict runs/nuclei " + images + "000-000.png more/000-000.png --masks out").err,
              HasSubstr("--masks: those of data/nuclei/images/000-000.png and more/000-000.png would both be "
                        "000-000.png; write them into different folders\n"));
}

TEST(Segmentation, ARunGoesOnWithDataThatWereMovedAndWithNoOther) {
  Nuclei nuclei;
  ASSERT_EQ(nuclei.Train().exit_code, 0);
  fs::rename(nuclei.path() + "/data/nuclei", nuclei.path() + "/data/moved");
  const std::string there = "data.source.images=data/moved/images data.source.masks=data/moved/masks";
  const Outcome finished = nuclei.Train(there);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  fs::remove(nuclei.path() + "/data/moved/images/000-000.png");
  fs::remove(nuclei.path() + "/data/moved/masks/000-000.png");
  EXPECT_NE(nuclei.Train(there + " data.split.train=11").exit_code, 0);
}

TEST(Segmentation, SaysWhatDoesNotFit) {
  Nuclei nuclei;
  const Outcome classes = nuclei.Train("model.classes=3");
  EXPECT_EQ(classes.exit_code, 2);
  EXPECT_THAT(classes.err, HasSubstr("error: model.classes: 3, but data.source.classes names 2: background, "
                                     "nucleus\n"));
  const Outcome values = nuclei.Train("data.source.mask_values=[0,254]");
  EXPECT_EQ(values.exit_code, 2);
  EXPECT_THAT(values.err, HasSubstr("is 255, which stands for none of the 2 classes"));
  EXPECT_FALSE(fs::exists(nuclei.path() + "/runs/nuclei/checkpoints"));
}

}  // namespace
}  // namespace headrace::cli
