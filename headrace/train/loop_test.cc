// The loop calls its hooks at the right steps, in the right order.
#include "headrace/train/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/train/test/regression.h"

namespace headrace::train {
namespace {

using ::testing::ElementsAre;

struct LoopRun {
  std::vector<int64_t> logged, saved, evaluated;
  std::vector<std::string> order;  // of saves and evaluations
  StopReason reason = StopReason::kDone;
};

using Judge = std::function<Judgement(int64_t step)>;

LoopRun RunTestLoop(
    Trainer& trainer, const LoopOptions& options, int64_t stop_at = -1,
    const Judge& judge = [](int64_t) { return Judgement(); }) {
  LoopRun run;
  const data::TrainBatches batches = test::Batches();
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
    return judge(step);
  };
  hooks.bad_step = [](int64_t, const std::vector<std::string>&) { return Ok(); };
  hooks.should_stop = [&] { return trainer.step() == stop_at; };
  auto result = RunLoop(trainer, options, hooks);
  EXPECT_TRUE(result.ok()) << result.status().ToString();
  run.reason = result->reason;
  return run;
}

TEST(Loop, CallsItsHooksInTime) {
  const auto trainer = test::NewTrainer();
  const LoopRun run =
      RunTestLoop(*trainer, {.steps = 7, .log_every = 2, .checkpoint_every = 3, .eval_every = 5});
  EXPECT_THAT(run.logged, ElementsAre(2, 4, 6, 7));
  EXPECT_THAT(run.saved, ElementsAre(3, 6, 7));
  EXPECT_THAT(run.evaluated, ElementsAre(5, 7));
  EXPECT_EQ(run.reason, StopReason::kDone);
}

// So that a run that goes on from the checkpoint of a step neither repeats nor misses its evaluation.
TEST(Loop, EvaluatesBeforeItSaves) {
  const auto trainer = test::NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 6, .checkpoint_every = 3, .eval_every = 3});
  EXPECT_THAT(run.order, ElementsAre("evaluate 3", "save 3", "evaluate 6", "save 6"));
}

TEST(Loop, StopsWithACheckpointWhenAsked) {
  const auto trainer = test::NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 7}, /*stop_at=*/4);
  EXPECT_THAT(run.saved, ElementsAre(4));
  EXPECT_EQ(run.reason, StopReason::kStopped);
  EXPECT_EQ(trainer->step(), 4);
}

// A run that goes on does not evaluate again where it was stopped, so that is done now; but after the save.
TEST(Loop, AStopAtAnEvaluationSavesAndThenEvaluates) {
  const auto trainer = test::NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 7, .eval_every = 2}, /*stop_at=*/4);
  EXPECT_THAT(run.order, ElementsAre("evaluate 2", "save 4", "evaluate 4"));
  EXPECT_EQ(run.reason, StopReason::kStopped);
}

TEST(Loop, AStopAtTheLastStepIsNoStop) {
  const auto trainer = test::NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 4}, /*stop_at=*/4);
  EXPECT_THAT(run.order, ElementsAre("evaluate 4", "save 4"));
  EXPECT_EQ(run.reason, StopReason::kDone);
}

TEST(Loop, SavesTheBestAndEndsWhereItIsEnough) {
  const auto trainer = test::NewTrainer();
  const LoopRun run =
      RunTestLoop(*trainer, {.steps = 12, .checkpoint_every = 5, .eval_every = 2}, -1,
                  [](int64_t step) { return Judgement{.is_best = step == 4, .is_enough = step == 8}; });
  EXPECT_THAT(run.order, ElementsAre("evaluate 2", "evaluate 4", "save 4", "save 5", "evaluate 6",
                                     "evaluate 8", "save 8"));
  EXPECT_EQ(run.reason, StopReason::kEnough);
  EXPECT_EQ(trainer->step(), 8);
}

TEST(Loop, EnoughAtTheLastStepIsDone) {
  const auto trainer = test::NewTrainer();
  const LoopRun run = RunTestLoop(*trainer, {.steps = 4, .eval_every = 2}, -1,
                                  [](int64_t step) { return Judgement{.is_enough = step == 4}; });
  EXPECT_THAT(run.order, ElementsAre("evaluate 2", "evaluate 4", "save 4"));
  EXPECT_EQ(run.reason, StopReason::kDone);
}

}  // namespace
}  // namespace headrace::train
