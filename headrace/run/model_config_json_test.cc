#include "headrace/run/model_config_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::run {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ModelConfigJson, SaysWhichFamilyOfHuggingFaceOpensIt) {
  models::LlamaConfig llama;
  EXPECT_THAT(ModelConfigJson(llama, {}),
              AllOf(HasSubstr(R"("model_type": "llama")"), HasSubstr(R"("LlamaForCausalLM")"),
                    Not(HasSubstr("num_local_experts"))));
  llama.moe = {.experts = 4, .top_k = 3};
  EXPECT_THAT(ModelConfigJson(llama, {}),
              AllOf(HasSubstr(R"("model_type": "mixtral")"), HasSubstr(R"("MixtralForCausalLM")"),
                    HasSubstr(R"("num_local_experts": 4)"), HasSubstr(R"("num_experts_per_tok": 3)")));
  EXPECT_THAT(ModelConfigJson(models::VitConfig{.classes = 7}, {}),
              AllOf(HasSubstr(R"("ViTForImageClassification")"), HasSubstr(R"("num_labels": 7)")));
  EXPECT_THAT(ModelConfigJson(models::ResnetConfig(), {}),
              AllOf(HasSubstr(R"("model_type": "resnet")"), Not(HasSubstr("architectures"))));
}

TEST(ModelConfigJson, MasksDoNotGoIn) {
  const std::vector<NamedType> fields = {{"image", {DType::kF32, {16, 16, 1}}},
                                         {"mask", {DType::kI32, {16, 16}}}};
  EXPECT_THAT(ModelConfigJson(models::UnetConfig(), fields),
              AllOf(HasSubstr(R"("image": [)"), Not(HasSubstr(R"("mask")"))));
}

TEST(ModelConfigJson, SaysWhatGoesInAndHowClassesAreCalled) {
  const std::vector<NamedType> fields = {{"image", {DType::kF32, {28, 28, 1}}}, {"label", {DType::kI32, {}}}};
  const std::string json = ModelConfigJson(models::ResnetConfig{.classes = 2}, fields, {"cat", "dog"});
  EXPECT_THAT(json, AllOf(HasSubstr(R"("image": [)"), Not(HasSubstr(R"("label": )"))));
  EXPECT_THAT(json, AllOf(HasSubstr(R"("1": "dog")"), HasSubstr(R"("dog": 1)")));
}

}  // namespace
}  // namespace headrace::run
