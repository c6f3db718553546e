// RunTraining on folders of real pictures: with the weights of EfficientNet-Lite0 and all but the last layer
// frozen, with masks, and with a file among them that cannot be read.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "headrace/data/image.h"
#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"
#include "headrace/run/prediction.h"
#include "headrace/run/prediction_picture.h"
#include "headrace/run/run_directory.h"
#include "headrace/run/summary.h"
#include "headrace/run/template.h"
#include "headrace/run/training.h"
#include "headrace/tensor/safetensors.h"

namespace headrace::run {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PictureTraining : public testing::Test {
 protected:
  static RunConfig Config(std::string_view text, const std::vector<std::string>& settings) {
    RunConfig config;
    const Status status = config::Load(std::string(text), "run.yaml", settings, config);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return config;
  }
  TrainingReport Train(const RunConfig& config, const std::string& name = "run") {
    TrainingOptions options{.config = config, .out = folder_ / name, .device = {}};
    options.device.plugin_folders = {".deps/pjrt"};
    const Logger logger([&](const LogRecord& record) { said_.emplace_back(record.message); });
    const Result<TrainingReport> report = RunTraining(options, {.logger = logger});
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.ok() ? *report : TrainingReport();
  }
  checkpoint::Contents Contents(int64_t step) {
    return *OpenRun(folder_ / "run")->checkpoints->Open(step)->ReadAll();
  }

  io::TemporaryFolder folder_;
  std::vector<std::string> said_;
};

TEST_F(PictureTraining, AFrozenBackboneStaysAsItIs) {
  const auto textures = std::ranges::find(Templates(), "textures", &Template::name);
  ASSERT_NE(textures, Templates().end());
  Train(Config(textures->text, {"init_from=.deps/models/efficientnet_lite0.safetensors",
                                "data.source.path=.deps/data/textures", "data.source.image.size=[32, 32]",
                                "data.split={train: 1.0, eval: 0}", "train.epochs=null", "train.steps=2",
                                "train.global_batch_size=4", "checkpoint.every=1"}));
  EXPECT_THAT(said_, Contains(HasSubstr("245 loaded, 2 new (_fc.weight, _fc.bias)")));

  const io::Blob file = *io::ReadFile(".deps/models/efficientnet_lite0.safetensors");
  const checkpoint::Contents first = Contents(1), second = Contents(2);
  int frozen = 0;
  for (const NamedTensor& tensor : *DecodeSafetensors(file.bytes)) {
    if (tensor.name.starts_with("_fc.")) continue;
    ASSERT_TRUE(second.model.contains(tensor.name)) << tensor.name;
    EXPECT_TRUE(std::ranges::equal(second.model.at(tensor.name).bytes(), tensor.tensor.bytes()))
        << tensor.name;
    ++frozen;
  }
  EXPECT_EQ(frozen, 245);
  for (const char* head : {"_fc.weight", "_fc.bias"}) {
    EXPECT_FALSE(std::ranges::equal(first.model.at(head).bytes(), second.model.at(head).bytes())) << head;
  }
  std::vector<std::string> state;
  for (const auto& [name, tensor] : second.state) {
    if (name.starts_with("optimizer.")) state.push_back(name);
  }
  EXPECT_THAT(state, ElementsAre("optimizer.count", "optimizer.mu._fc.bias", "optimizer.mu._fc.weight",
                                 "optimizer.nu._fc.bias", "optimizer.nu._fc.weight"));
}

TEST_F(PictureTraining, MarksTheClassOfEveryPixel) {
  const auto nuclei = std::ranges::find(Templates(), "nuclei", &Template::name);
  ASSERT_NE(nuclei, Templates().end());
  const TrainingReport report = Train(
      Config(nuclei->text,
             {"data.source.images=.deps/data/nuclei/images", "data.source.masks=.deps/data/nuclei/masks",
              "data.source.image.size=[64, 64]", "model.width=8", "model.levels=2", "train.steps=60"}));
  ASSERT_EQ(report.eval.size(), 3u);
  EXPECT_EQ(report.eval[2].name, "mean_iou");
  // All background would be 0.8 of the pixels and an intersection of 0.4: it has begun to learn.
  EXPECT_GT(report.eval[1].value, 0.85);
  EXPECT_GT(report.eval[2].value, 0.55);

  PredictionOptions options{.path = folder_ / "run",
                            .checkpoint = {},
                            .files = {".deps/data/nuclei/images/128-256.png"},
                            .examples = {1},
                            .device = {}};
  options.device.plugin_folders = {".deps/pjrt"};
  const Result<PredictionReport> predicted = Predict(options);
  ASSERT_TRUE(predicted.ok()) << predicted.status().ToString();
  ASSERT_EQ(predicted->predictions.size(), 2u);
  EXPECT_FALSE(predicted->predictions[0].mask->agreement);
  EXPECT_GT(predicted->predictions[1].mask->agreement->accuracy, 0.8);
  EXPECT_THAT(ToJson(*predicted), HasSubstr(R"("shares":{"background":)"));
  EXPECT_THAT(ToJson(*predicted), HasSubstr(R"("mean_iou":)"));
  EXPECT_TRUE(DrawPrediction(*predicted, predicted->predictions[1]).ok());

  ASSERT_EQ(WriteMasks(*predicted, folder_ / "masks").ToString(), "OK");
  for (const char* name : {"128-256.png", "held-out-example-1.png"}) {
    const io::Blob file = *io::ReadFile(folder_ / "masks/" + std::string(name));
    const Result<HostTensor> mask = data::DecodeMask(file.bytes, name);
    ASSERT_TRUE(mask.ok()) << mask.status().ToString();
    EXPECT_EQ(mask->shape(), Shape({64, 64, 1}));
    EXPECT_THAT(mask->data<uint8_t>(), Each(AnyOf(0, 255)));
  }
}

// A folder of 16 pictures, one of which can be overwritten; mixup blends them.
class DamagedPicture : public PictureTraining {
 protected:
  static constexpr std::string_view kFile = "brick/000-128.png";

  DamagedPicture() {
    for (const char* name : {"brick", "moon"}) {
      for (const char* file :
           {"000-000", "000-064", "000-128", "000-192", "064-000", "064-064", "064-128", "064-192"}) {
        const std::string key = fmt::format("{}/{}.png", name, file);
        Write(key, *io::ReadFile(".deps/data/textures/" + key));
      }
    }
  }
  void Write(std::string_view key, const io::Blob& file) { Write(key, file.text()); }
  void Write(std::string_view key, std::string_view bytes) {
    EXPECT_TRUE((*io::OpenStore(Pictures()))->Write(std::string(key), io::AsBytes(bytes)).ok());
  }
  std::string Pictures() const { return folder_ / "pictures"; }
  std::string Picture() const {
    return std::string(io::ReadFile(Pictures() + "/" + std::string(kFile))->text());
  }

  TrainingReport TrainOnThem(const std::string& name, const std::vector<std::string>& settings = {}) {
    std::vector<std::string> all = {"data.source.path=" + Pictures()};
    all.insert(all.end(), settings.begin(), settings.end());
    return Train(Config(R"(name: damaged
seed: 7
model: {kind: convnet, classes: 2}
data:
  source: {format: image_folder, path: PATH, image: {size: [16, 16]}}
  split: {train: 1.0, eval: 0}
  augment: {mixup: 0.4}
  workers: 2
train: {epochs: 3, global_batch_size: 8, log_every: 1}
optimizer: {kind: adamw, learning_rate: 1e-2}
)",
                        all),
                 name);
  }
};

TEST_F(DamagedPicture, KeepsItsPlaceAndChangesNothing) {
  const TrainingReport whole = TrainOnThem("whole");
  EXPECT_THAT(whole.skipped, IsEmpty());

  const std::string picture = Picture();
  Write(kFile,
        picture.substr(0, picture.size() / 2) + std::string(picture.size() - picture.size() / 2, '\0'));
  said_.clear();
  const TrainingReport half = TrainOnThem("half");
  EXPECT_THAT(half.skipped, ElementsAre(HasSubstr(kFile)));
  EXPECT_THAT(said_, Contains(HasSubstr(kFile)));
  EXPECT_EQ(std::ranges::count_if(said_, [](const std::string& text) { return text.contains(kFile); }), 1);
  EXPECT_EQ(half.data_sha256, whole.data_sha256);  // names and sizes
  EXPECT_NE(half.params_sha256, whole.params_sha256);

  // Whatever stands there, the run is the same to the bit: its weight is 0, and nothing is mixed with it.
  Write(kFile, std::string(picture.size(), 'x'));
  const TrainingReport nothing = TrainOnThem("nothing");
  EXPECT_EQ(nothing.params_sha256, half.params_sha256);

  const ExistingRun run = *OpenRun(folder_ / "nothing");
  EXPECT_EQ((*ReadSummary(run))->skipped, nothing.skipped);
  const std::string metrics = *run.store->ReadText(std::string(kMetricsFile));
  EXPECT_THAT(metrics.substr(metrics.rfind('\n', metrics.size() - 2)), HasSubstr("\"skipped_examples\": 1"));
}

}  // namespace
}  // namespace headrace::run
