// RunTraining on folders of real pictures: with the weights of EfficientNet-Lite0 and all but the last layer
// frozen, and with a file among them that cannot be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"
#include "headrace/run/run_directory.h"
#include "headrace/run/template.h"
#include "headrace/run/training.h"
#include "headrace/tensor/safetensors.h"

namespace headrace::run {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace headrace::run
