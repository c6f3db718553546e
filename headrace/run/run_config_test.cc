#include "headrace/run/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/run/template.h"

namespace headrace::run {
namespace {

using ::testing::HasSubstr;

std::string MnistText() {
  for (const Template& known : Templates()) {
    if (known.name == "mnist") return std::string(known.text);
  }
  return "";
}

// The error of loading mnist with these overrides.
std::string ErrorOf(const std::vector<std::string>& overrides) {
  RunConfig config;
  return config::Load(MnistText(), "mnist.yaml", overrides, config).message();
}

TEST(RunConfig, EveryTemplateLoads) {
  ASSERT_FALSE(Templates().empty());
  for (const Template& known : Templates()) {
    RunConfig config;
    EXPECT_EQ(config::Load(known.text, known.name, {}, config).ToString(), "OK");
    EXPECT_EQ(config.name, known.name);
    EXPECT_FALSE(known.Summary().empty());
  }
}

TEST(RunConfig, ReadsMnist) {
  RunConfig config;
  ASSERT_TRUE(config::Load(MnistText(), "mnist.yaml", {}, config).ok());
  EXPECT_EQ(std::get<models::ConvnetConfig>(config.model).classes, 10);
  EXPECT_EQ(std::get<data::CsvSource>(config.data.source).label, "784");
  EXPECT_EQ(std::get<optim::AdamwConfig>(config.optimizer).learning_rate, 2e-3);
  EXPECT_EQ(config.train.TotalSteps(4000), 1500);
}

TEST(RunConfig, OnlyModelsOfBlocksTakeRemat) {
  EXPECT_THAT(
      ErrorOf({"train.remat=full"}),
      HasSubstr("train.remat: a model of kind convnet has no blocks to work out again; gpt, llama, resnet "
                "and vit have"));
  EXPECT_THAT(ErrorOf({"train.remat=some"}), HasSubstr("full"));
  const std::vector<std::string> resnet = {"model={kind: resnet}", "train.remat=dots"};
  RunConfig config;
  ASSERT_EQ(config::Load(MnistText(), "mnist.yaml", resnet, config).ToString(), "OK");
  EXPECT_EQ(config.train.Remat(), RematPolicy::kDots);
}

TEST(RunConfig, WhatIsDumpedLoadsTheSame) {
  RunConfig config, back;
  ASSERT_TRUE(config::Load(MnistText(), "mnist.yaml", {}, config).ok());
  ASSERT_EQ(config::Load(config::DumpYaml(config), "config.yaml", {}, back).ToString(), "OK");
  EXPECT_TRUE(config::Compare(config, back).empty());
}

TEST(RunConfig, WrongThingsAreNamed) {
  EXPECT_EQ(ErrorOf({"train.stps=3"}),
            "override \"train.stps=3\": train.stps: unknown key; did you mean train.steps?");
  EXPECT_EQ(ErrorOf({"train.steps=-3"}),
            "override \"train.steps=-3\": train.steps: must be at least 1, got -3");
  EXPECT_THAT(ErrorOf({"train.epochs=3"}), HasSubstr("train.epochs: give steps or epochs, not both"));
  EXPECT_THAT(ErrorOf({"train.steps=null"}), HasSubstr("train: give steps or epochs"));
  EXPECT_THAT(
      ErrorOf({"train.gradient_accumulation_steps=3"}),
      HasSubstr("train.gradient_accumulation_steps: a batch of 100 does not divide into 3 equal parts"));
  EXPECT_THAT(ErrorOf({"name=../up"}), HasSubstr("name: must be letters"));
  EXPECT_THAT(ErrorOf({"precision.compute=f8"}),
              HasSubstr("precision.compute: must be one of f32, bf16, f16"));
  EXPECT_THAT(ErrorOf({"precision.loss_scale=1000"}),
              HasSubstr("precision.loss_scale: must be a power of two, so that it rounds nothing; got 1000"));
  EXPECT_THAT(ErrorOf({"train.early_stopping={metric: loss}", "train.eval_every=0"}),
              HasSubstr("train.early_stopping: needs evaluations to judge by; set eval_every above 0"));
  EXPECT_THAT(ErrorOf({"checkpoint.best={metric: accuracy}"}),
              HasSubstr("mode: say whether a smaller (min) or a larger accuracy (max) is better"));
  EXPECT_THAT(ErrorOf({"model.kind=convnt"}),
              HasSubstr("model: unknown kind \"convnt\", did you mean convnet?"));
  EXPECT_THAT(ErrorOf({"mesh.data=0"}), HasSubstr("mesh.data: must be -1, or at least 1"));
}

TEST(RunConfig, EpochsBecomeSteps) {
  TrainConfig train{.epochs = 2.5, .global_batch_size = 100};
  EXPECT_EQ(train.TotalSteps(4000), 100);
  EXPECT_EQ(train.TotalSteps(4001), 101);  // the last part of an epoch is a step too
}

std::string MeshOf(std::optional<int64_t> data, int64_t fsdp, int64_t devices) {
  const Result<Mesh> mesh = MeshConfig{.data = data, .fsdp = fsdp}.Resolve(devices);
  if (!mesh.ok()) return mesh.status().message();
  return fmt::format("{} {}", mesh->AxisSize("data"), mesh->AxisSize("fsdp"));
}

TEST(MeshConfig, TheRestGoesToOneAxis) {
  EXPECT_EQ(MeshOf({}, 1, 8), "8 1");
  EXPECT_EQ(MeshOf({}, 2, 8), "4 2");
  EXPECT_EQ(MeshOf({}, -1, 8), "1 8");
  EXPECT_EQ(MeshOf(2, -1, 8), "2 4");
  EXPECT_EQ(MeshOf(2, 2, 8), "2 2");  // the others stay idle
  EXPECT_EQ(MeshOf(4, 1, 1), "mesh: needs 4 devices, but only 1 is visible; see --devices");
  EXPECT_EQ(MeshOf(-1, 3, 8), "mesh: 8 devices do not divide by 3");
}

}  // namespace
}  // namespace headrace::run
