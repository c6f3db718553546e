#include "headrace/run/init_from.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "headrace/io/temporary_folder.h"
#include "headrace/tensor/safetensors.h"

namespace headrace::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InitFrom : public ::testing::Test {
 protected:
  std::string Write(const std::string& key, const std::string& bytes) const {
    const std::filesystem::path path = std::filesystem::path(folder_.path()) / key;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.native();
  }
  std::string WriteWeights(const std::string& key, const std::vector<NamedTensor>& tensors) const {
    return Write(key, *EncodeSafetensors(tensors));
  }
  static std::vector<NamedTensor> Weights(const std::string& prefix = "") {
    return {{prefix + "conv.weight", HostTensor::Of<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
            {prefix + "fc.weight", HostTensor::Of<float>({2, 2}, {1, 2, 3, 4})},
            {prefix + "fc.bias", HostTensor::Of<float>({2}, {7, 8})}};
  }
  static std::vector<nn::VariableSpec> Variables(int64_t classes = 2) {
    return {{.name = "conv.weight", .type = {DType::kF32, {2, 3}}},
            {.name = "fc.weight", .type = {DType::kF32, {classes, 2}}},
            {.name = "fc.bias", .type = {DType::kF32, {classes}}}};
  }
  // The values at `path`, which must fit.
  static checkpoint::TensorMap ValuesAt(const std::string& path) {
    Result<InitialValues> initial = ReadInitialValues(path, {}, Variables());
    EXPECT_TRUE(initial.ok()) << initial.status().ToString();
    return initial.ok() ? std::move(initial->values) : checkpoint::TensorMap();
  }
  static std::string ErrorOf(const std::string& path, const std::vector<std::string>& except,
                             int64_t classes = 2) {
    return ReadInitialValues(path, except, Variables(classes)).status().message();
  }

  io::TemporaryFolder folder_;
};

TEST_F(InitFrom, AFileGoesToTheVariablesOfItsNames) {
  std::vector<NamedTensor> tensors = Weights();
  tensors.push_back({"counter", HostTensor::Of<float>({1}, {1})});
  const std::string path = WriteWeights("a.safetensors", tensors);
  const Result<InitialValues> initial = ReadInitialValues(path, {}, Variables());
  ASSERT_TRUE(initial.ok()) << initial.status().ToString();
  EXPECT_EQ(initial->values.size(), 3u);
  EXPECT_EQ(initial->values.at("fc.bias").At(1), 8);
  EXPECT_THAT(initial->fresh, IsEmpty());
  EXPECT_THAT(initial->unused, ElementsAre("counter"));
  EXPECT_EQ(initial->Summary(), "initial values from " + path + ": 3 loaded, 1 left (counter)");
}

TEST_F(InitFrom, WhatIsExceptedBeginsAnewWhateverItsShape) {
  const std::string path = WriteWeights("a.safetensors", Weights());
  const std::vector<std::string> except = {"fc.*"};
  const Result<InitialValues> initial = ReadInitialValues(path, except, Variables(10));
  ASSERT_TRUE(initial.ok()) << initial.status().ToString();
  EXPECT_EQ(initial->values.size(), 1u);
  EXPECT_THAT(initial->fresh, ElementsAre("fc.weight", "fc.bias"));
  EXPECT_EQ(initial->Summary(), "initial values from " + path +
                                    ": 1 loaded, 2 new (fc.weight, fc.bias), 2 left (fc.bias, fc.weight)");
}

TEST_F(InitFrom, NothingIsLeftRandomUnasked) {
  const std::string path = WriteWeights("a.safetensors", Weights());
  EXPECT_EQ(ErrorOf(path, {}, 10),
            "init_from: " + path +
                " has fc.weight as f32[2, 2], but the model wants f32[10, 2]; if it is to begin "
                "anew, name it in init_except");
  const std::string part = WriteWeights("b.safetensors", {Weights()[0]});
  EXPECT_EQ(ErrorOf(part, {}),
            "init_from: " + part +
                " does not have fc.weight, fc.bias, which the model needs; what is to begin anew is "
                "named in init_except");
  EXPECT_THAT(ErrorOf(path, {"classifier.*"}), HasSubstr("init_except"));
}

TEST_F(InitFrom, NamesMayAllStandBehindTheSameWords) {
  const std::string path = WriteWeights("a.safetensors", Weights("backbone."));
  const Result<InitialValues> initial = ReadInitialValues(path, {}, Variables());
  ASSERT_TRUE(initial.ok()) << initial.status().ToString();
  EXPECT_EQ(initial->values.at("conv.weight").At(5), 6);
  EXPECT_EQ(initial->Summary(), "initial values from " + path + ": 3 loaded, found behind 'backbone.'");
}

TEST_F(InitFrom, ReadsFoldersOfHuggingFaceWholeAndInShards) {
  WriteWeights("whole/model.safetensors", Weights());
  EXPECT_EQ(ValuesAt(folder_ / "whole").size(), 3u);
  const std::vector<NamedTensor> tensors = Weights();
  WriteWeights("shards/one.safetensors", {tensors[0]});
  WriteWeights("shards/two.safetensors", {tensors[1], tensors[2]});
  Write(
      "shards/model.safetensors.index.json",
      R"({"weight_map": {"conv.weight": "one.safetensors", "fc.weight": "two.safetensors", "fc.bias": "two.safetensors"}})");
  EXPECT_EQ(ValuesAt(folder_ / "shards").at("fc.weight").At(3), 4);
  Write("shards/model.safetensors.index.json", "{}");
  EXPECT_THAT(ErrorOf(folder_ / "shards", {}),
              HasSubstr("model.safetensors.index.json is no index of weights"));
}

TEST_F(InitFrom, ReadsTheCheckpointOfARun) {
  WriteWeights("step-000600/model/model.safetensors", Weights());
  EXPECT_EQ(ValuesAt(folder_ / "step-000600").size(), 3u);
}

TEST_F(InitFrom, SaysWhereItFoundNothing) {
  EXPECT_EQ(ErrorOf(folder_ / "gone", {}),
            "init_from: there are no weights at " + (folder_ / "gone") +
                ": it is neither the folder of a run (with config.yaml) nor one of Hugging Face (with "
                "model.safetensors), nor a .safetensors file");
  EXPECT_THAT(ErrorOf(folder_ / "gone.safetensors", {}), HasSubstr("gone.safetensors"));
  EXPECT_THAT(ErrorOf(Write("bad.safetensors", "hello"), {}), HasSubstr("bad.safetensors"));
}

}  // namespace
}  // namespace headrace::run
