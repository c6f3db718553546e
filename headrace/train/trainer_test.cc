// Training on the CPU plugin: the same numbers however the work is cut up, and exact resumption.
#include "headrace/train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/data/array_dataset.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/test_client.h"
#include "headrace/train/loop.h"

namespace headrace::train {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kBatch = 16;
constexpr int64_t kSteps = 12;

// A small regression: y = tanh(x W + b) V, with a running mean of the hidden layer as untrained state.
Measures Measure(nn::Frame& frame, const Fields& batch) {
  const nn::Scope scope(frame);
  auto normal = [](Value key, const TensorType& type) { return Normal(key, type) * 0.5; };
  auto zeros = [](Value key, const TensorType& type) { return Full(key.graph(), type, 0); };
  const nn::Scope layer = scope / "hidden";
  const Value w = layer.Param("weight", {{4, ""}, {8, "embed"}}, normal);
  const Value b = layer.Param("bias", {{8, "embed"}}, zeros);
  const Value v = scope.Param("out", {{8, "embed"}, 1}, normal);
  layer.State("mean", {8}, zeros);
  const Value x = batch.at("features");
  const Value hidden = Tanh(Dot(x, w) + b);
  if (scope.train()) layer.SetState("mean", Mean(hidden, {0}));
  const Value error = Reshape(Dot(hidden, v), Ints{-1}) - batch.at("target");
  const auto weight = batch.find("weight");
  const Value weights = weight == batch.end() ? OnesLike(error) : weight->second;
  return {Sum(weights), {{"loss", Sum(weights * error * error)}}};
}

Task TestTask() {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  Measure(frame, {{"features", scratch.Parameter({DType::kF32, {2, 4}}, "x")},
                  {"target", scratch.Parameter({DType::kF32, {2}}, "y")}});
  return {.name = "regression", .variables = frame.specs(), .measure_names = {"loss"}, .measure = Measure};
}

data::TrainBatches Batches() {
  HostTensor x({DType::kF32, {64, 4}});
  HostTensor y({DType::kF32, {64}});
  for (int64_t i = 0; i < x.size(); ++i) x.Set(i, std::sin(static_cast<double>(i * i % 97)));
  for (int64_t i = 0; i < y.size(); ++i) y.Set(i, std::cos(static_cast<double>(i * i % 31)));
  auto dataset =
      data::ArrayDataset::Create({.name = "waves", .sha256 = ""}, {{"features", x}, {"target", y}});
  return *data::TrainBatches::Create(*dataset, {.batch_size = kBatch, .seed = 3, .augment = {}});
}

StepOptions Options() {
  optim::AdamwConfig adamw;
  adamw.learning_rate = 0.02;
  return {.optimizer = adamw, .schedule = {}, .total_steps = kSteps};
}

std::unique_ptr<Trainer> NewTrainer(const Mesh& mesh = {}, const StepOptions& options = Options()) {
  auto trainer =
      Trainer::Create(*jit::Devices::Of(jit::TestClient(), mesh), TestTask(), Batches().fields(), options);
  HR_CHECK(trainer.ok());
  HR_CHECK((*trainer)->Initialize(11).ok());
  return *std::move(trainer);
}

StepResult RunStep(Trainer& trainer, const data::Batch& batch) { return *(*trainer.Step(batch)).Wait(); }

std::vector<double> Losses(Trainer& trainer) {
  const data::TrainBatches batches = Batches();
  std::vector<double> losses;
  while (trainer.step() < kSteps) losses.push_back(RunStep(trainer, *batches(trainer.step())).metrics[0]);
  return losses;
}

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
  EXPECT_THAT(Trainer::Create(devices, TestTask(), Batches().fields(), options).status().message(),
              HasSubstr("a batch of 16 examples does not divide into 3 microbatches on 8 devices"));
}

TEST(Trainer, EvaluationCountsEveryExampleOnce) {
  const auto trainer = NewTrainer();
  HostTensor x({DType::kF32, {10, 4}});
  HostTensor y({DType::kF32, {10}});
  for (int64_t i = 0; i < 10; ++i) y.Set(i, static_cast<double>(i));
  const auto dataset =
      *data::ArrayDataset::Create({.name = "ten", .sha256 = ""}, {{"features", x}, {"target", y}});
  const Evaluation evaluation = *trainer->Evaluate(*data::EvalBatches::Create(dataset, 4));
  EXPECT_EQ(evaluation.weight, 10);
  EXPECT_NEAR(evaluation.means[0], 28.5, 1e-4);  // the model gives 0: the mean of i^2 below 10
}

// ---- the loop ----

struct LoopRun {
  std::vector<int64_t> logged, saved, evaluated;
  std::vector<std::string> order;  // of saves and evaluations
  StopReason reason = StopReason::kDone;
};

LoopRun RunTestLoop(Trainer& trainer, const LoopOptions& options, int64_t stop_at = -1) {
  LoopRun run;
  const data::TrainBatches batches = Batches();
  int64_t next = trainer.step();
  LoopHooks hooks;
  hooks.next_batch = [&]() -> Result<std::optional<data::Batch>> {
    HR_TRY(data::Batch batch, batches(next++));
    return std::optional(std::move(batch));
  };
  hooks.stall_seconds = [] { return 0.0; };
  hooks.log = [&](const LoggedStep& step) { return run.logged.push_back(step.step), Ok(); };
  hooks.save = [&](int64_t step) {
    run.saved.push_back(step);
    run.order.push_back(fmt::format("save {}", step));
    return Ok();
  };
  hooks.evaluate = [&](int64_t step) {
    run.evaluated.push_back(step);
    run.order.push_back(fmt::format("evaluate {}", step));
    return Ok();
  };
  hooks.bad_step = [](int64_t, const std::vector<std::string>&) { return Ok(); };
  hooks.should_stop = [&] { return trainer.step() == stop_at; };
  auto result = RunLoop(trainer, options, hooks);
  EXPECT_TRUE(result.ok()) << result.status().ToString();
  run.reason = result->reason;
  return run;
}

TEST(Loop, CallsItsHooksInTime) {
  const auto trainer = NewTrainer();
  const LoopRun run =
      RunTestLoop(*trainer, {.steps = 7, .log_every = 2, .checkpoint_every = 3, .eval_every = 5});
  EXPECT_THAT(run.logged, ::testing::ElementsAre(2, 4, 6, 7));
  EXPECT_THAT(run.saved, ::testing::ElementsAre(3, 6, 7));
  EXPECT_THAT(run.evaluated, ::testing::ElementsAre(5, 7));
  EXPECT_EQ(run.reason, StopReason::kDone);
}

// So that a run that goes on from the checkpoint of a step neither repeats nor misses its evaluation.
TEST(Loop, EvaluatesBeforeItSaves) {
  const auto trainer = NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 6, .checkpoint_every = 3, .eval_every = 3});
  EXPECT_THAT(run.order, ::testing::ElementsAre("evaluate 3", "save 3", "evaluate 6", "save 6"));
}

TEST(Loop, StopsWithACheckpointWhenAsked) {
  const auto trainer = NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 7}, /*stop_at=*/4);
  EXPECT_THAT(run.saved, ::testing::ElementsAre(4));
  EXPECT_EQ(run.reason, StopReason::kStopped);
  EXPECT_EQ(trainer->step(), 4);
}

// A run that goes on does not evaluate again where it was stopped, so that is done now; but after the save.
TEST(Loop, AStopAtAnEvaluationSavesAndThenEvaluates) {
  const auto trainer = NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 7, .eval_every = 2}, /*stop_at=*/4);
  EXPECT_THAT(run.order, ::testing::ElementsAre("evaluate 2", "save 4", "evaluate 4"));
  EXPECT_EQ(run.reason, StopReason::kStopped);
}

TEST(Loop, AStopAtTheLastStepIsNoStop) {
  const auto trainer = NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 4}, /*stop_at=*/4);
  EXPECT_THAT(run.order, ::testing::ElementsAre("evaluate 4", "save 4"));
  EXPECT_EQ(run.reason, StopReason::kDone);
}

}  // namespace
}  // namespace headrace::train
