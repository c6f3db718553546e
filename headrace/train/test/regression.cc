#include "headrace/train/test/regression.h"

#include <cmath>

#include "headrace/data/array_dataset.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/test_client.h"

namespace headrace::train::test {
namespace {

Measures Measure(nn::Frame& frame, const Fields& batch) {
  const nn::Scope scope(frame);
  auto normal = [](Value key, const TensorType& type) { return Normal(key, type) * 0.5; };
  auto zeros = [](Value key, const TensorType& type) { return Full(key.graph(), type, 0); };
  const nn::Scope layer = scope / "hidden";
  const Value w = layer.Param("weight", {{4, ""}, {8, "embed"}}, normal);
  const Value b = layer.Param("bias", {{8, "embed"}}, zeros);
  const Value v = scope.Param("out", {{8, "embed"}, 1}, normal);
  layer.State("mean", {8}, zeros);
  const Value x = Convert(batch.at("features"), scope.compute_dtype());
  const Value hidden = Tanh(Dot(x, w) + b);
  if (scope.train()) layer.SetState("mean", Convert(Mean(hidden, {0}), DType::kF32));
  const Value error = Convert(Reshape(Dot(hidden, v), Ints{-1}), DType::kF32) - batch.at("target");
  const auto weight = batch.find("weight");
  const Value weights = weight == batch.end() ? OnesLike(error) : weight->second;
  return {Sum(weights), {{"loss", Sum(weights * error * error)}}};
}

}  // namespace

Task Regression() {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  Measure(frame, {{"features", scratch.Parameter({DType::kF32, {2, 4}}, "x")},
                  {"target", scratch.Parameter({DType::kF32, {2}}, "y")}});
  return {.name = "regression", .variables = frame.specs(), .measure_names = {"loss"}, .measure = Measure};
}

data::TrainBatches Batches(bool weighted) {
  HostTensor x({DType::kF32, {64, 4}});
  HostTensor y({DType::kF32, {64}});
  HostTensor weight({DType::kF32, {64}});
  for (int64_t i = 0; i < x.size(); ++i) x.Set(i, std::sin(static_cast<double>(i * i % 97)));
  for (int64_t i = 0; i < y.size(); ++i) y.Set(i, std::cos(static_cast<double>(i * i % 31)));
  for (int64_t i = 0; i < y.size(); ++i) weight.Set(i, i % 3 == 0 ? 0 : 1);
  std::vector<data::Column> fields = {{"features", x}, {"target", y}};
  if (weighted) fields.push_back({"weight", weight});
  auto dataset = data::ArrayDataset::Create({.name = "waves", .sha256 = ""}, std::move(fields));
  return *data::TrainBatches::Create(*dataset, {.batch_size = kBatch, .seed = 3, .augment = {}});
}

data::EvalBatches HeldOut() {
  HostTensor x({DType::kF32, {10, 4}});
  HostTensor y({DType::kF32, {10}});
  for (int64_t i = 0; i < 10; ++i) y.Set(i, static_cast<double>(i));
  const auto dataset =
      *data::ArrayDataset::Create({.name = "ten", .sha256 = ""}, {{"features", x}, {"target", y}});
  return *data::EvalBatches::Create(dataset, 4);
}

StepOptions Options() {
  optim::AdamwConfig adamw;
  adamw.learning_rate = 0.02;
  return {.optimizer = adamw, .total_steps = kSteps};
}

std::unique_ptr<Trainer> NewTrainer(const Mesh& mesh, const StepOptions& options, const Task& task,
                                    bool weighted) {
  auto trainer =
      Trainer::Create(*jit::Devices::Of(jit::TestClient(), mesh), task, Batches(weighted).fields(), options);
  HR_CHECK(trainer.ok());
  HR_CHECK((*trainer)->Initialize(11).ok());
  return *std::move(trainer);
}

StepResult RunStep(Trainer& trainer, const data::Batch& batch) { return *(*trainer.Step(batch)).Wait(); }

std::vector<double> Losses(Trainer& trainer, bool weighted) {
  const data::TrainBatches batches = Batches(weighted);
  std::vector<double> losses;
  while (trainer.step() < kSteps) losses.push_back(RunStep(trainer, *batches(trainer.step())).metrics[0]);
  return losses;
}

}  // namespace headrace::train::test
