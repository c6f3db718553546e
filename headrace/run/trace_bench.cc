// How long it takes until the compiler has a program: the training step of a Llama of 48 layers, traced,
// differentiated and written as StableHLO.
#include <benchmark/benchmark.h>

#include "headrace/core/check.h"
#include "headrace/data/dataset.h"
#include "headrace/graph/module.h"
#include "headrace/run/language_modeling.h"
#include "headrace/train/programs.h"

namespace headrace::run {
namespace {

void TraceAndEmitLlama48(benchmark::State& state) {
  models::LlamaConfig llama;
  llama.vocab_size = 32000;
  llama.hidden_size = 1024;
  llama.intermediate_size = 2816;
  llama.num_hidden_layers = 48;
  llama.num_attention_heads = 16;
  llama.num_key_value_heads = 4;
  const auto tokens = [](std::string_view name, const Shape& shape) {
    return NamedType{std::string(name), {DType::kI32, shape}};
  };
  const std::vector<NamedType> example = {tokens(data::kTokens, {1024}), tokens(data::kTargets, {1024})};
  const std::vector<NamedType> batch = {tokens(data::kTokens, {8, 1024}), tokens(data::kTargets, {8, 1024})};
  train::StepOptions options;
  options.optimizer = optim::AdamwConfig();
  options.total_steps = 1000;

  size_t bytes = 0;
  for (auto _ : state) {
    const Result<train::Task> task = LanguageModelingTask("llama", llama, example);
    HR_CHECK(task.ok());
    const auto layout = train::StateLayout::Of(*task, options, Mesh());
    const Result<train::PlacedFunction> step = train::TraceStep(*task, layout, batch, Mesh(), options);
    HR_CHECK(step.ok());
    const std::string text = EmitModule(step->function, {.donations = step->donations});
    bytes = text.size();
    benchmark::DoNotOptimize(bytes);
  }
  state.counters["program_bytes"] = static_cast<double>(bytes);
}
BENCHMARK(TraceAndEmitLlama48)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::run
