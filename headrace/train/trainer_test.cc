// Training on the CPU plugin: the same numbers however the work is cut up, and exact resumption.
#include "headrace/train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/jit/test_client.h"
#include "headrace/train/test/regression.h"

namespace headrace::train {
namespace {

using test::Batches;
using test::Losses;
using test::NewTrainer;
using test::Options;
using test::Regression;
using test::RunStep;
using ::testing::HasSubstr;

void ExpectNear(const std::vector<double>& got, const std::vector<double>& want) {
  ASSERT_EQ(got.size(), want.size());
  // The same f32 sums in another order, carried through 12 steps.
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 2e-5 * want[i]) << "step " << i;
}

TEST(Trainer, LowersTheLoss) {
  const std::vector<double> losses = Losses(*NewTrainer());
  EXPECT_LT(losses.back(), 0.8 * losses.front());
}

TEST(Trainer, LossesAreTheSameOnAnyMesh) {
  const std::vector<double> one = Losses(*NewTrainer());
  for (const char* axis : {"data", "fsdp"}) {
    for (int64_t count : {1, 2, 4, 8}) {
      SCOPED_TRACE(fmt::format("{} {}", axis, count));
      ExpectNear(Losses(*NewTrainer({{{axis, count}}})), one);
    }
  }
}

TEST(Trainer, FullyShardedStateIsSplit) {
  const auto trainer = NewTrainer({{{"fsdp", 4}}});
  const Leaf& weight = trainer->layout().leaves[0];
  EXPECT_EQ(weight.name, "hidden.weight");
  EXPECT_EQ(weight.sharding, (Sharding{{{}, {"fsdp"}}}));
}

TEST(Trainer, MicrobatchesAddUpToTheBatch) {
  StepOptions options = Options();
  options.microbatches = 4;
  const std::vector<double> cut = Losses(*NewTrainer({}, options));
  ExpectNear(cut, Losses(*NewTrainer()));
  ExpectNear(Losses(*NewTrainer({{{"data", 2}}}, options)), cut);
}

TEST(Trainer, GoesOnBitForBitFromItsCopy) {
  const auto whole = NewTrainer();
  Losses(*whole);

  const auto first = NewTrainer();
  const data::TrainBatches batches = Batches();
  for (int64_t k = 0; k < 5; ++k) RunStep(*first, *batches(k));
  const auto second = NewTrainer();
  ASSERT_TRUE(second->Restore(*first->ToHost()).ok());
  EXPECT_EQ(second->step(), 5);
  Losses(*second);
  EXPECT_EQ(checkpoint::ParamsSha256(second->ToHost()->model),
            checkpoint::ParamsSha256(whole->ToHost()->model));
}

TEST(Trainer, RestoreNamesWhatIsMissing) {
  const auto trainer = NewTrainer();
  checkpoint::Contents contents = *trainer->ToHost();
  contents.state.erase("optimizer.mu.out");
  EXPECT_THAT(trainer->Restore(contents).message(), HasSubstr("has no 'optimizer.mu.out'"));
}

TEST(Trainer, ANonFiniteGradientWithholdsTheUpdate) {
  const auto trainer = NewTrainer();
  const data::TrainBatches batches = Batches();
  data::Batch bad = *batches(0);
  bad.fields[0].tensor = HostTensor(bad.fields[0].tensor.type());
  bad.fields[0].tensor.Set(3, std::numeric_limits<double>::infinity());
  bad.fields[1].tensor = HostTensor(bad.fields[1].tensor.type());
  const std::string before = checkpoint::ParamsSha256(trainer->ToHost()->model);
  const StepResult result = RunStep(*trainer, bad);
  EXPECT_THAT(result.nonfinite, ::testing::Contains("hidden.weight"));
  EXPECT_EQ(checkpoint::ParamsSha256(trainer->ToHost()->model), before);
  EXPECT_EQ(trainer->step(), 1);
  EXPECT_TRUE(RunStep(*trainer, *batches(1)).nonfinite.empty());
}

TEST(Trainer, ABatchMustDivide) {
  const auto devices = *jit::Devices::Of(jit::TestClient(), {{{"data", 8}}});
  StepOptions options = Options();
  options.microbatches = 3;
  EXPECT_THAT(Trainer::Create(devices, Regression(), Batches().fields(), options).status().message(),
              HasSubstr("a batch of 16 examples does not divide into 3 microbatches on 8 devices"));
}

TEST(Trainer, EvaluationCountsEveryExampleOnce) {
  const auto trainer = NewTrainer();
  const Evaluation evaluation = *trainer->Evaluate(test::HeldOut());
  EXPECT_EQ(evaluation.weight, 10);
  EXPECT_NEAR(evaluation.means[0], 28.5, 1e-4);  // the model gives 0: the mean of i^2 below 10
}

}  // namespace
}  // namespace headrace::train
