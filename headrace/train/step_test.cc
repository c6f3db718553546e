// What a step can do beside the plain one: accumulate, freeze, average, scale the loss, compute in other
// types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/jit/test_client.h"
#include "headrace/train/test/regression.h"

namespace headrace::train {
namespace {

using test::Batches;
using test::kSteps;
using test::Losses;
using test::NewTrainer;
using test::Options;
using test::Regression;
using test::RunStep;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> LeafNames(const Trainer& trainer) {
  std::vector<std::string> names;
  for (const Leaf& leaf : trainer.layout().leaves) names.push_back(leaf.name);
  return names;
}

int64_t Count(std::string_view text, std::string_view word) {
  int64_t count = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// What is equal exactly if two tensors are.
std::string Bits(const HostTensor& tensor) { return checkpoint::ParamsSha256({{"tensor", tensor}}); }
std::string Bits(const checkpoint::TensorMap& tensors) { return checkpoint::ParamsSha256(tensors); }

void ExpectNear(const HostTensor& got, const HostTensor& want, double tolerance) {
  ASSERT_EQ(got.type(), want.type());
  for (int64_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got.At(i), want.At(i), tolerance) << "element " << i;
}

// ---- accumulation ----

// Two of three examples count, and microbatches hold unequal shares of them.
TEST(Accumulation, WeightedMicrobatchesAddUpToTheBatch) {
  const auto whole = NewTrainer({}, Options(), Regression(), /*weighted=*/true);
  const std::vector<double> want = Losses(*whole, true);
  for (const int64_t microbatches : {2, 4, 8, 16}) {  // written out, and in a loop
    SCOPED_TRACE(microbatches);
    StepOptions options = Options();
    options.microbatches = microbatches;
    const auto cut = NewTrainer({}, options, Regression(), true);
    const std::vector<double> got = Losses(*cut, true);
    for (size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 2e-5 * want[i]) << "step " << i;
    ExpectNear(cut->ToHost()->model.at("hidden.weight"), whole->ToHost()->model.at("hidden.weight"), 1e-5);
  }
}

TEST(Accumulation, ABatchInWhichNothingCountsHasNoLossAndNoGradient) {
  data::Batch batch = *Batches(/*weighted=*/true)(0);
  ASSERT_EQ(batch.fields[2].name, "weight");
  batch.fields[2].tensor = HostTensor(batch.fields[2].tensor.type());
  for (const int64_t microbatches : {1, 4, 16}) {
    SCOPED_TRACE(microbatches);
    StepOptions options = Options();
    options.microbatches = microbatches;
    const auto trainer = NewTrainer({}, options, Regression(), true);
    const StepResult result = RunStep(*trainer, batch);
    EXPECT_TRUE(result.nonfinite.empty());
    EXPECT_EQ(result.metrics[0], 0);
    EXPECT_EQ(trainer->metric_names()[2], "grad_norm");
    EXPECT_EQ(result.metrics[2], 0);
  }
}

TEST(Accumulation, DevicesShareEveryMicrobatch) {
  StepOptions options = Options();
  options.microbatches = 8;
  const std::vector<double> one = Losses(*NewTrainer({}, options));
  const std::vector<double> two = Losses(*NewTrainer({{{"data", 2}}}, options));
  for (size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(two[i], one[i], 2e-5 * one[i]) << "step " << i;
}

TEST(Accumulation, ALoopKeepsTheProgramSmall) {
  StepOptions options = Options();
  options.microbatches = 8;
  const size_t eight = NewTrainer({}, options)->step_program().text().size();
  options.microbatches = 16;
  EXPECT_NEAR(static_cast<double>(NewTrainer({}, options)->step_program().text().size()),
              static_cast<double>(eight), 0.02 * static_cast<double>(eight));
}

// ---- frozen parameters ----

TEST(Frozen, NoGradientAndNoStateIsKept) {
  Task task = Regression();
  ASSERT_TRUE(TrainOnly(std::vector<std::string>{"out"}, task).ok());
  const auto trainer = NewTrainer({}, Options(), task);
  EXPECT_THAT(LeafNames(*trainer), Contains("optimizer.mu.out"));
  EXPECT_THAT(LeafNames(*trainer), Not(Contains("optimizer.mu.hidden.weight")));
  // Forward two products; back one for `out`, none for the hidden layer. All trained: back one more for the
  // hidden activations, one for its weight.
  EXPECT_EQ(Count(trainer->step_program().text(), "stablehlo.dot_general"), 3);
  EXPECT_EQ(Count(NewTrainer()->step_program().text(), "stablehlo.dot_general"), 5);

  const checkpoint::Contents before = *trainer->ToHost();
  const std::vector<double> losses = Losses(*trainer);
  EXPECT_LT(losses.back(), losses.front());
  const checkpoint::Contents after = *trainer->ToHost();
  EXPECT_EQ(Bits(after.model.at("hidden.weight")), Bits(before.model.at("hidden.weight")));
  EXPECT_EQ(Bits(after.model.at("hidden.bias")), Bits(before.model.at("hidden.bias")));
  EXPECT_NE(Bits(after.model.at("out")), Bits(before.model.at("out")));
}

TEST(Frozen, PatternsMustMatch) {
  Task task = Regression();
  EXPECT_EQ(TrainOnly(std::vector<std::string>{"hiden.*"}, task).message(),
            "trainable: \"hiden.*\" matches no parameter; the closest is hidden.weight");
  EXPECT_FALSE(TrainOnly(std::vector<std::string>{"hidden.mean"}, task).ok());  // state, no parameter
  StepOptions options = Options();
  std::get<optim::AdamwConfig>(options.optimizer).no_decay = {"*.beta"};
  const auto devices = *jit::Devices::Of(jit::TestClient());
  EXPECT_THAT(Trainer::Create(devices, Regression(), Batches().fields(), options).status().message(),
              HasSubstr("optimizer.no_decay: \"*.beta\" matches no parameter; the closest is hidden.bias"));
}

// ---- initial values ----

TEST(Initialize, TakesWhatItIsGiven) {
  const auto trainer = NewTrainer();
  HostTensor weight({DType::kF32, {4, 8}});
  for (int64_t i = 0; i < weight.size(); ++i) weight.Set(i, static_cast<double>(i) / 8);
  ASSERT_TRUE(trainer->Initialize(11, {{"hidden.weight", weight.ConvertTo(DType::kBF16)}}).ok());
  EXPECT_EQ(Bits(trainer->ToHost()->model.at("hidden.weight")), Bits(weight));
  EXPECT_EQ(Bits(trainer->ToHost()->model.at("out")), Bits(NewTrainer()->ToHost()->model.at("out")));
}

TEST(Initialize, NamesWhatDoesNotFit) {
  const auto trainer = NewTrainer();
  const HostTensor wrong({DType::kF32, {8, 4}});
  EXPECT_EQ(trainer->Initialize(11, {{"hidden.weight", wrong}}).message(),
            "'hidden.weight' is f32[4, 8] in the model; what it is to be initialized from is f32[8, 4]");
  EXPECT_EQ(trainer->Initialize(11, {{"hiden.weight", wrong}}).message(),
            "the model has no 'hiden.weight' to initialize; did you mean hidden.weight?");
}

// ---- averages ----

StepOptions Averaging(const optim::AverageConfig& average) {
  StepOptions options = Options();
  options.average = average;
  return options;
}

// The weights after each step, and what a rule makes of them.
std::vector<HostTensor> LiveWeights() {
  const auto trainer = NewTrainer();
  const data::TrainBatches batches = Batches();
  std::vector<HostTensor> weights = {trainer->ToHost()->model.at("hidden.weight")};
  while (trainer->step() < kSteps) {
    RunStep(*trainer, *batches(trainer->step()));
    weights.push_back(trainer->ToHost()->model.at("hidden.weight"));
  }
  return weights;
}

TEST(Average, EmaMovesTowardsTheWeights) {
  const std::vector<HostTensor> live = LiveWeights();
  for (const bool warmup : {false, true}) {
    HostTensor want = live[0];
    for (size_t n = 1; n < live.size(); ++n) {
      const auto step = static_cast<double>(n);
      const double decay = warmup ? std::min(0.9, (1 + step) / (10 + step)) : 0.9;
      HostTensor next(want.type());
      for (int64_t i = 0; i < want.size(); ++i) next.Set(i, decay * want.At(i) + (1 - decay) * live[n].At(i));
      want = next;
    }
    const auto trainer = NewTrainer({}, Averaging(optim::EmaConfig{.decay = 0.9, .warmup = warmup}));
    Losses(*trainer);
    const checkpoint::Contents contents = *trainer->ToHost();
    ExpectNear(contents.model.at("hidden.weight"), want, 1e-6);
    EXPECT_EQ(Bits(contents.state.at("live.hidden.weight")),
              Bits(live.back()));  // training is not changed by it
  }
}

TEST(Average, SwaIsTheMeanOfEverySecondFromTheStart) {
  const std::vector<HostTensor> live = LiveWeights();
  const auto trainer = NewTrainer({}, Averaging(optim::SwaConfig{.start = 5, .every = 2}));
  const data::TrainBatches batches = Batches();
  while (trainer->step() < 4) RunStep(*trainer, *batches(trainer->step()));
  EXPECT_EQ(Bits(trainer->ToHost()->model.at("hidden.weight")), Bits(live[4]));
  while (trainer->step() < 10) RunStep(*trainer, *batches(trainer->step()));
  HostTensor want(live[0].type());
  for (int64_t i = 0; i < want.size(); ++i) want.Set(i, (live[5].At(i) + live[7].At(i) + live[9].At(i)) / 3);
  ExpectNear(trainer->ToHost()->model.at("hidden.weight"), want, 1e-6);
}

TEST(Average, IsWhatIsEvaluated) {
  const auto averaging = NewTrainer({}, Averaging(optim::EmaConfig{.decay = 0.9}));
  const auto plain = NewTrainer();
  Losses(*averaging);
  Losses(*plain);
  const data::EvalBatches held_out = test::HeldOut();
  const double averaged = averaging->Evaluate(held_out)->means[0];
  EXPECT_NE(averaged, plain->Evaluate(held_out)->means[0]);
  ASSERT_TRUE(plain->Initialize(11, averaging->ToHost()->model).ok());
  EXPECT_EQ(plain->Evaluate(held_out)->means[0], averaged);
}

TEST(Average, GoesOnBitForBit) {
  const StepOptions options = Averaging(optim::SwaConfig{.start = 3, .every = 2});
  const auto whole = NewTrainer({}, options);
  Losses(*whole);
  const auto first = NewTrainer({}, options);
  const data::TrainBatches batches = Batches();
  while (first->step() < 6) RunStep(*first, *batches(first->step()));
  const auto second = NewTrainer({}, options);
  ASSERT_TRUE(second->Restore(*first->ToHost()).ok());
  Losses(*second);
  EXPECT_EQ(Bits(second->ToHost()->model), Bits(whole->ToHost()->model));
  EXPECT_EQ(Bits(second->ToHost()->state), Bits(whole->ToHost()->state));
}

TEST(Average, FrozenParametersNeedNone) {
  Task task = Regression();
  ASSERT_TRUE(TrainOnly(std::vector<std::string>{"out"}, task).ok());
  const auto trainer = NewTrainer({}, Averaging(optim::EmaConfig()), task);
  EXPECT_THAT(LeafNames(*trainer), Contains("average.out"));
  EXPECT_THAT(LeafNames(*trainer), Contains("average.hidden.mean"));
  EXPECT_THAT(LeafNames(*trainer), Not(Contains("average.hidden.weight")));
  const checkpoint::Contents contents = *trainer->ToHost();
  EXPECT_TRUE(contents.model.contains("hidden.weight"));
  EXPECT_TRUE(contents.state.contains("live.out"));
  EXPECT_FALSE(contents.state.contains("live.hidden.weight"));
}

// ---- precision ----

StepOptions Computing(DType compute) {
  StepOptions options = Options();
  options.compute = compute;
  return options;
}

TEST(Precision, HalfTypesLearnAsWell) {
  const std::vector<double> want = Losses(*NewTrainer());
  for (const DType compute : {DType::kBF16, DType::kF16}) {
    SCOPED_TRACE(Name(compute));
    StepOptions options = Computing(compute);
    options.loss_scale.initial = 1024;  // fits at once, so that no update is withheld
    const auto trainer = NewTrainer({}, options);
    EXPECT_THAT(trainer->step_program().text(), HasSubstr(fmt::format("x{}>", MlirName(compute))));
    const std::vector<double> got = Losses(*trainer);
    for (size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 0.02 * want[i]) << "step " << i;
    EXPECT_EQ(trainer->ToHost()->model.at("hidden.weight").dtype(), DType::kF32);
  }
}

TEST(Precision, ProductsTakeThePrecisionOfTheConfig) {
  StepOptions options = Options();
  EXPECT_THAT(NewTrainer({}, options)->step_program().text(), Not(HasSubstr("HIGH")));
  options.dot = Precision::kHighest;
  const std::string text = NewTrainer({}, options)->step_program().text();
  EXPECT_EQ(Count(text, "#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>"), 5);
  EXPECT_THAT(text, Not(HasSubstr("precision DEFAULT")));
}

TEST(LossScale, IsHalvedUntilTheGradientsFit) {
  StepOptions options = Computing(DType::kF16);
  options.loss_scale.initial = 1 << 24;
  const auto trainer = NewTrainer({}, options);
  EXPECT_THAT(trainer->metric_names(), ElementsAre("loss", "learning_rate", "grad_norm", "loss_scale"));
  const data::TrainBatches batches = Batches();
  const checkpoint::Contents before = *trainer->ToHost();
  double scale = 1 << 24;
  int withheld = 0;
  for (StepResult result = RunStep(*trainer, *batches(0)); result.scaled_too_much;
       result = RunStep(*trainer, *batches(0))) {
    EXPECT_EQ(result.metrics[3], scale);
    EXPECT_TRUE(result.nonfinite.empty());  // not a fault
    EXPECT_EQ(Bits(trainer->ToHost()->model), Bits(before.model));
    EXPECT_EQ(trainer->ToHost()->state.at("optimizer.count").At(0), 0);
    scale /= 2;
    ++withheld;
  }
  EXPECT_GT(withheld, 3);
  EXPECT_LT(withheld, 20);
  EXPECT_NE(Bits(trainer->ToHost()->model), Bits(before.model));
  EXPECT_EQ(trainer->ToHost()->state.at("optimizer.count").At(0), 1);
}

TEST(LossScale, GrowsAfterGoodSteps) {
  StepOptions options = Computing(DType::kF16);
  options.loss_scale = {.initial = 64, .growth_interval = 3};
  const auto trainer = NewTrainer({}, options);
  const data::TrainBatches batches = Batches();
  std::vector<double> scales;
  while (trainer->step() < 8) scales.push_back(RunStep(*trainer, *batches(trainer->step())).metrics[3]);
  EXPECT_THAT(scales, ElementsAre(64, 64, 64, 128, 128, 128, 256, 256));
}

TEST(LossScale, DoesNotHideWhatIsNeverFinite) {
  StepOptions options = Computing(DType::kF16);
  options.loss_scale.initial = 4;
  const auto trainer = NewTrainer({}, options);
  data::Batch bad = *Batches()(0);
  bad.fields[0].tensor = HostTensor(bad.fields[0].tensor.type());
  bad.fields[0].tensor.Set(3, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(RunStep(*trainer, bad).scaled_too_much);  // at 4
  EXPECT_TRUE(RunStep(*trainer, bad).scaled_too_much);  // at 2
  EXPECT_THAT(RunStep(*trainer, bad).nonfinite, Contains("hidden.weight"));
}

}  // namespace
}  // namespace headrace::train
