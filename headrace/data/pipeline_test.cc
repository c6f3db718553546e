#include "headrace/data/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "headrace/io/store.h"

namespace headrace::data {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

DataConfig Loaded(std::string_view yaml) {
  DataConfig config;
  const Status status = config::Load(yaml, "run.yaml", {}, config);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return config;
}

void Write(std::string_view key, std::string_view text) {
  auto store = io::OpenStore("mem://pipeline");
  ASSERT_TRUE((*store)->Write(key, io::AsBytes(text)).ok());
}

TEST(Pipeline, FromConfigToBatches) {
  Write("t.csv", "1,0\n2,1\n3,0\n4,1\n5,0\n");
  const DataConfig config = Loaded(R"(
source: {format: csv, path: mem://pipeline/t.csv, label: 1}
split: {train: 3, eval: 2}
workers: 2
)");
  const Result<Pipeline> pipeline = Pipeline::Open(config, 7);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status().ToString();
  EXPECT_EQ(pipeline->train()->size(), 3);
  EXPECT_EQ(pipeline->Sha256(), pipeline->eval()->Sha256());

  const Result<TrainBatches> train = pipeline->Train(2);
  ASSERT_TRUE(train.ok());
  Loader loader(*train, pipeline->LoaderFrom(3, 4));
  const Result<std::optional<Batch>> made_ahead = loader.Next();
  ASSERT_TRUE(made_ahead.ok() && made_ahead->has_value());
  const Batch third = *(*train)(3);
  EXPECT_TRUE(std::ranges::equal((*made_ahead)->Find("features")->bytes(), third.Find("features")->bytes()));
  EXPECT_FALSE((*loader.Next()).has_value());

  const Result<EvalBatches> eval = pipeline->Eval(4);
  ASSERT_TRUE(eval.ok());
  EXPECT_THAT((*eval)(0)->Find("features")->data<float>(), ElementsAre(4, 5, 0, 0));
}

TEST(Pipeline, AugmentsOnlyWhatIsTrainedOn) {
  Write("i.csv", "9,9,9,9\n9,9,9,9\n");
  const DataConfig config = Loaded(R"(
source: {format: csv, path: mem://pipeline/i.csv, image: {shape: [2, 2, 1]}}
split: {train: 0.5, eval: 0.5}
augment: {shift: 1}
)");
  const Result<Pipeline> pipeline = Pipeline::Open(config, 7);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status().ToString();
  EXPECT_THAT((*pipeline->Eval(1))(0)->Find("image")->data<float>(), Each(9));
  EXPECT_THAT((*pipeline->Train(1))(0)->Find("image")->data<float>(), ::testing::Not(Each(9)));
}

TEST(Pipeline, SaysWhatIsMissing) {
  Write("f.csv", "1,0\n2,1\n");
  DataConfig config = Loaded("source: {format: csv, path: mem://pipeline/f.csv, label: 1}");
  EXPECT_EQ(Pipeline::Open(config, 7)->Eval(1).status().message(),
            "no examples of mem://pipeline/f.csv are left to make batches of");
  config.augment = AugmentConfig{.affine = {.shift = 1}};
  EXPECT_THAT(Pipeline::Open(config, 7).status().message(),
              HasSubstr("augment: examples have no field 'image'"));
  EXPECT_THAT(config::Load("source: {format: cvs}", "run.yaml", {}, config).message(), HasSubstr("csv"));
}

// The real digits, where they were installed: 500 of each class, in order.
TEST(Pipeline, ReadsTheDigits) {
  const std::string path = ".deps/data/mnist_5k.csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not installed";
  DataConfig config = Loaded(R"(
source: {format: csv, path: .deps/data/mnist_5k.csv.gz, label: 784, image: {shape: [28, 28, 1], scale: 255},
         classes: 10, shuffle_seed: 7}
split: {train: 4000, eval: 1000}
augment: {shift: 2, rotate: 10}
)");
  const Result<Pipeline> pipeline = Pipeline::Open(config, 7);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status().ToString();
  EXPECT_EQ(pipeline->train()->size(), 4000);
  std::array<int, 10> counts{};
  for (int k = 0; k < 10; ++k) {
    const Batch batch = *(*pipeline->Eval(100))(k);
    for (int32_t label : batch.Find("label")->data<int32_t>()) ++counts[label];
    for (float value : batch.Find("image")->data<float>()) ASSERT_TRUE(value >= 0 && value <= 1);
  }
  EXPECT_THAT(counts, Each(::testing::AllOf(::testing::Ge(70), ::testing::Le(130))));
}

}  // namespace
}  // namespace headrace::data
