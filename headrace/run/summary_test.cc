#include "headrace/run/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/io/temporary_folder.h"

namespace headrace::run {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TrainingReport Example() {
  return {.path = "runs/mnist",
          .steps = 600,
          .stop_reason = "done",
          .examples_per_second = 2000.5,
          .steps_per_second = 20.005,
          .step_ms_median = 48,
          .step_ms_p90 = 60.25,
          .first_step_seconds = 2.5,
          .train_seconds = 31,
          .stall_share = 0.01,
          .eval = {{"loss", 0.125}, {"accuracy", 0.975}},
          .eval_examples = 1000,
          .best = BestEvaluation{.metric = "accuracy", .value = 0.98, .step = 550},
          .params_sha256 = "aa",
          .data_sha256 = "bb",
          .config_sha256 = "cc",
          .version = "0.1.0",
          .plugin = "cpu",
          .device = "cpu",
          .devices = 4,
          .checkpoint = "runs/mnist/checkpoints/step-000600"};
}

class SummaryTest : public testing::Test {
 protected:
  SummaryTest() {
    run_.path = folder_.path();
    run_.store = *io::OpenStore(folder_.path());
  }

  io::TemporaryFolder folder_;
  ExistingRun run_;
};

TEST_F(SummaryTest, ReadsWhatItWrote) {
  const TrainingReport report = Example();
  ASSERT_TRUE(WriteSummary(run_, report).ok());
  const auto read = ReadSummary(run_);
  ASSERT_TRUE(read.ok() && read->has_value()) << read.status().ToString();
  TrainingReport back = **read;
  EXPECT_EQ(back.path, folder_.path());  // where it lies now, whatever it says
  back.path = report.path;
  EXPECT_EQ(ToJson(back), ToJson(report));
  EXPECT_FALSE(back.was_finished);
}

TEST_F(SummaryTest, NumbersThatJsonHasNotSurvive) {
  TrainingReport report = Example();
  report.eval = {{"loss", std::nan("")}, {"worst", HUGE_VAL}, {"best", -HUGE_VAL}};
  ASSERT_TRUE(WriteSummary(run_, report).ok());
  EXPECT_THAT(*run_.store->ReadText("summary.json"),
              AllOf(HasSubstr("\"loss\": \"NaN\""), HasSubstr("\"worst\": \"Infinity\"")));
  const TrainingReport back = **ReadSummary(run_);
  EXPECT_TRUE(std::isnan(back.eval[0].value));
  EXPECT_EQ(back.eval[1].value, HUGE_VAL);
  EXPECT_EQ(back.eval[2].value, -HUGE_VAL);
}

TEST_F(SummaryTest, NoneIsNoError) { EXPECT_FALSE(ReadSummary(run_)->has_value()); }

TEST_F(SummaryTest, ADamagedOneSaysWhatToDo) {
  for (const char* text : {"", "{\"steps\": 600", "{\"steps\": \"many\"}", "[]"}) {
    ASSERT_TRUE(run_.store->Write("summary.json", io::AsBytes(std::string_view(text))).ok());
    const Status status = ReadSummary(run_).status();
    EXPECT_EQ(status.code(), Code::kDataLoss) << text;
    EXPECT_THAT(status.message(), HasSubstr("summary.json is damaged")) << text;
    EXPECT_THAT(status.message(), HasSubstr("remove it, and the run will write it again")) << text;
  }
}

TEST(DryRunReport, AsJson) {
  DryRunReport report{.parameters = {{.name = "fc.weight", .type = {DType::kF32, {2, 3}}, .sharding = "s"}},
                      .parameter_count = 6,
                      .steps = 5,
                      .train_examples = 4,
                      .eval_examples = 1,
                      .mesh = "data=1, fsdp=1",
                      .memory = {},
                      .forward = {.products = 12, .others = 3},
                      .step = {.products = 120, .others = 30, .uncounted = {"while"}}};
  EXPECT_THAT(ToJson(report),
              AllOf(HasSubstr("\"name\": \"fc.weight\""), HasSubstr("\"dtype\": \"f32\""),
                    HasSubstr("\"parameter_count\": 6"), HasSubstr("\"forward_flops_per_example\": 15.0"),
                    HasSubstr("\"step_flops\": 150.0"), HasSubstr("\"while\"")));
}

}  // namespace
}  // namespace headrace::run
