#include "headrace/data/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "headrace/data/test/numbered.h"

namespace headrace::data {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TrainBatches Train(int32_t examples, int64_t batch_size, uint64_t seed = 7) {
  return *TrainBatches::Create(Numbered(examples), {.batch_size = batch_size, .seed = seed});
}

std::vector<int32_t> Sequence(const TrainBatches& batches, int64_t count) {
  std::vector<int32_t> sequence;
  for (int64_t k = 0; k < count; ++k)
    for (int32_t label : LabelsOf(batches(k)->fields)) sequence.push_back(label);
  return sequence;
}

TEST(TrainBatches, EveryEpochHoldsEveryExampleOnceInANewOrder) {
  constexpr int kExamples = 10;
  const std::vector<int32_t> sequence = Sequence(Train(kExamples, 4), 15);  // 60 positions, 6 epochs
  std::set<std::vector<int32_t>> orders;
  for (size_t epoch = 0; epoch < 6; ++epoch) {
    std::vector<int32_t> order(sequence.begin() + epoch * kExamples,
                               sequence.begin() + (epoch + 1) * kExamples);
    orders.insert(order);
    std::ranges::sort(order);
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)) << "epoch " << epoch;
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST(TrainBatches, TheSequenceDoesNotDependOnTheBatchSize) {
  EXPECT_EQ(Sequence(Train(10, 4), 15), Sequence(Train(10, 6), 10));
  EXPECT_EQ(Sequence(Train(3, 8), 3), Sequence(Train(3, 24), 1));  // several epochs within a batch
  EXPECT_NE(Sequence(Train(10, 4, 7), 3), Sequence(Train(10, 4, 8), 3));
}

TEST(TrainBatches, GoldenSequence) {
  EXPECT_THAT(Sequence(Train(10, 4, 7), 3), ElementsAre(9, 0, 5, 7, 1, 3, 6, 4, 8, 2, 7, 5));
}

TEST(TrainBatches, FarBatchesTakeNoLonger) {
  const Result<Batch> batch = Train(10, 4)(int64_t{1} << 55);
  ASSERT_TRUE(batch.ok());
  EXPECT_EQ(batch->index, int64_t{1} << 55);
  EXPECT_EQ(LabelsOf(batch->fields).size(), 4u);
}

TEST(TrainBatches, FieldsAreAlignedAndTyped) {
  const TrainBatches batches = Train(10, 3);
  EXPECT_THAT(batches.fields(), ElementsAre(NamedType{"label", {DType::kI32, {3}}}));
  const Batch batch = *batches(0);
  const HostTensor* labels = batch.Find("label");
  ASSERT_NE(labels, nullptr);
  EXPECT_EQ(labels->type(), batches.fields()[0].type);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(labels->bytes().data()) % 64, 0u);
  EXPECT_EQ(batch.Find("image"), nullptr);
}

TEST(TrainBatches, TransformsSeeThePositionInTheSequence) {
  const Transform write_position = [](int64_t position, Row row) {
    const auto value = static_cast<int32_t>(position);
    std::memcpy(row[0].data(), &value, sizeof value);
  };
  Augment augment;
  augment.transforms = {write_position};
  const auto batches = TrainBatches::Create(Numbered(5), {.batch_size = 4, .augment = augment});
  EXPECT_THAT(LabelsOf((*batches)(2)->fields), ElementsAre(8, 9, 10, 11));
}

TEST(TrainBatches, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(Train(10, 4)(3, source.get_token()).status().ToString(), "CANCELLED: batch 3 was given up");
}

TEST(TrainBatches, RefusesSizesThatMakeNoBatch) {
  EXPECT_EQ(TrainBatches::Create(Numbered(3), {.batch_size = 0}).status().message(),
            "batch size 0 is not positive");
  EXPECT_EQ(TrainBatches::Create(Numbered(0), {.batch_size = 1}).status().message(),
            "no examples of numbers are left to make batches of");
}

TEST(EvalBatches, TakesEveryExampleOnceAndFillsUpWithWeightZero) {
  const Result<EvalBatches> batches = EvalBatches::Create(Numbered(5), 3);
  ASSERT_TRUE(batches.ok());
  EXPECT_EQ(batches->count(), 2);
  EXPECT_THAT(batches->fields(),
              ElementsAre(NamedType{"label", {DType::kI32, {3}}}, NamedType{"weight", {DType::kF32, {3}}}));
  const Batch first = *(*batches)(0);
  EXPECT_THAT(LabelsOf(first.fields), ElementsAre(0, 1, 2));
  EXPECT_THAT(first.Find("weight")->data<float>(), Each(1));
  const Batch last = *(*batches)(1);
  EXPECT_THAT(LabelsOf(last.fields), ElementsAre(3, 4, 0));
  EXPECT_THAT(last.Find("weight")->data<float>(), ElementsAre(1, 1, 0));
}

TEST(EvalBatches, KeepsTheWeightsThatExamplesHave) {
  const auto weighted =
      *ArrayDataset::Create({.name = "w"}, {{"weight", HostTensor::Of<float>({3}, {1, 0, 1})}});
  const auto batches = EvalBatches::Create(weighted, 2);
  ASSERT_TRUE(batches.ok()) << batches.status().ToString();
  EXPECT_EQ(batches->fields().size(), 1u);
  EXPECT_THAT((*batches)(0)->Find("weight")->data<float>(), ElementsAre(1, 0));
  EXPECT_THAT((*batches)(1)->Find("weight")->data<float>(), ElementsAre(1, 0));
}

}  // namespace
}  // namespace headrace::data
