#include "headrace/checkpoint/shard_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::checkpoint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

HostTensor Bytes(Shape shape) { return HostTensor({DType::kU8, std::move(shape)}); }

std::vector<std::string> Describe(const std::vector<PlannedFile>& files) {
  std::vector<std::string> lines;
  for (const PlannedFile& file : files) {
    std::string line = file.name + ":";
    for (const PlannedPiece& piece : file.pieces)
      line += fmt::format(" {}{}", piece.tensor, piece.box.ToString());
    lines.push_back(line);
  }
  return lines;
}

TEST(ShardPlan, NeedsOneFileForLittle) {
  TensorMap tensors = {{"b", Bytes({2, 2})}, {"a", Bytes({})}, {"c", Bytes({0, 3})}};
  EXPECT_THAT(Describe(PlanWhole(tensors, "model", 100)),
              ElementsAre("model.safetensors: a[] b[0:2, 0:2] c[0:0, 0:3]"));
  EXPECT_THAT(Describe(PlanSplit(tensors, "state", 100)),
              ElementsAre("state.safetensors: a[] b[0:2, 0:2] c[0:0, 0:3]"));
}

TEST(ShardPlan, NeedsNoFileForNothing) { EXPECT_THAT(PlanWhole({}, "model", 100), IsEmpty()); }

TEST(ShardPlan, KeepsTheTensorsOfTheModelWhole) {
  TensorMap tensors = {
      {"a", Bytes({60})}, {"b", Bytes({40})}, {"c", Bytes({1})}, {"d", Bytes({300})}, {"e", Bytes({9})}};
  EXPECT_THAT(
      Describe(PlanWhole(tensors, "model", 100)),
      ElementsAre("model-00001-of-00004.safetensors: a[0:60] b[0:40]",
                  "model-00002-of-00004.safetensors: c[0:1]", "model-00003-of-00004.safetensors: d[0:300]",
                  "model-00004-of-00004.safetensors: e[0:9]"));
}

TEST(ShardPlan, CutsLargeTensorsOfTheState) {
  TensorMap rows = {{"a", Bytes({5, 40})}};
  EXPECT_THAT(Describe(PlanSplit(rows, "state", 100)),
              ElementsAre("state-00001-of-00003.safetensors: a[0:2, 0:40]",
                          "state-00002-of-00003.safetensors: a[2:4, 0:40]",
                          "state-00003-of-00003.safetensors: a[4:5, 0:40]"));
  TensorMap wide = {{"a", Bytes({1, 2, 150})}};
  EXPECT_THAT(Describe(PlanSplit(wide, "state", 100)),
              ElementsAre("state-00001-of-00004.safetensors: a[0:1, 0:1, 0:100]",
                          "state-00002-of-00004.safetensors: a[0:1, 0:1, 100:150]",
                          "state-00003-of-00004.safetensors: a[0:1, 1:2, 0:100]",
                          "state-00004-of-00004.safetensors: a[0:1, 1:2, 100:150]"));
}

TEST(ShardPlan, CannotCutAnElement) {
  TensorMap tensors = {{"a", HostTensor({DType::kF64, {2}})}};
  EXPECT_THAT(
      Describe(PlanSplit(tensors, "state", 4)),
      ElementsAre("state-00001-of-00002.safetensors: a[0:1]", "state-00002-of-00002.safetensors: a[1:2]"));
}

}  // namespace
}  // namespace headrace::checkpoint
