// The files of a real run, read by the software that they are made for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "headrace/cli/test/tiny_run.h"

namespace headrace::cli {
namespace {

TEST(OtherSoftware, SafetensorsAndTensorBoardReadARunOnRealDigits) {
  const char* named = std::getenv("HEADRACE_PYTHON");
  const std::filesystem::path python = std::filesystem::absolute(named ? named : ".deps/python/bin/python");
  if (!std::filesystem::exists(python)) {
    GTEST_SKIP() << "no Python with safetensors and TensorBoard: run tools/setup.sh, or set HEADRACE_PYTHON";
  }
  TinyRun folder;
  const std::string digits = std::filesystem::absolute(".deps/data/mnist_5k.csv.gz");
  const std::string run = fmt::format(
      "train '{}' data.source.path='{}' 'model.channels=[4,8]' model.hidden=16 train.log_every=2 "
      "train.eval_every=5 checkpoint.every=4 ",
      std::filesystem::absolute("examples/mnist.yaml").string(), digits);
  // In two processes, as a run that was stopped.
  ASSERT_EQ(folder.Run(run + "schedule.kind=constant train.steps=6").exit_code, 0);
  ASSERT_EQ(folder.Run(run + "schedule.kind=constant train.steps=12").exit_code, 0);

  const std::string command = fmt::format("'{}' headrace/cli/test/read_run.py '{}/runs/mnist' >'{}/read.txt'",
                                          python.string(), folder.path(), folder.path());
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_EQ(folder.Read("read.txt"), fmt::format("tensor blocks.0.conv.weight float32 3x3x1x4\n"
                                                 "tensor blocks.0.norm.bias float32 4\n"
                                                 "tensor blocks.0.norm.running_mean float32 4\n"
                                                 "tensor blocks.0.norm.running_var float32 4\n"
                                                 "tensor blocks.0.norm.weight float32 4\n"
                                                 "tensor blocks.1.conv.weight float32 3x3x4x8\n"
                                                 "tensor blocks.1.norm.bias float32 8\n"
                                                 "tensor blocks.1.norm.running_mean float32 8\n"
                                                 "tensor blocks.1.norm.running_var float32 8\n"
                                                 "tensor blocks.1.norm.weight float32 8\n"
                                                 "tensor classifier.bias float32 10\n"
                                                 "tensor classifier.weight float32 16x10\n"
                                                 "tensor hidden.bias float32 16\n"
                                                 "tensor hidden.weight float32 392x16\n"
                                                 "model_type convnet\n"
                                                 "scalar accuracy 2 4 6 8 10 12\n"
                                                 "scalar eval/accuracy 5 6 10 12\n"
                                                 "scalar eval/loss 5 6 10 12\n"
                                                 "scalar examples_per_second 2 4 6 8 10 12\n"
                                                 "scalar grad_norm 2 4 6 8 10 12\n"
                                                 "scalar learning_rate 2 4 6 8 10 12\n"
                                                 "scalar loss 2 4 6 8 10 12\n"
                                                 "scalar step_time_ms 2 4 6 8 10 12\n"
                                                 "last loss {:.5g}, eval {:.5g}\n",
                                                 folder.Metric("runs/mnist", "loss").back(),
                                                 std::stod(folder.Summary("runs/mnist", "loss"))));
}

}  // namespace
}  // namespace headrace::cli
