// How fast digits become batches. Needs .deps/data/mnist_5k.csv.gz; run from the root of the tree.
#include <benchmark/benchmark.h>

#include "headrace/data/pipeline.h"

namespace headrace::data {
namespace {

constexpr int64_t kBatchSize = 100;

CsvSource Digits() {
  return {.path = ".deps/data/mnist_5k.csv.gz",
          .label = "784",
          .image = CsvImage{{28, 28, 1}, 255},
          .examples = {.shuffle_seed = 7}};
}

// Bytes of compressed file to an open dataset.
void OpenDigits(benchmark::State& state) {
  for (auto _ : state) {
    auto dataset = Digits().Open();
    if (!dataset.ok()) return state.SkipWithError(dataset.status().message().c_str());
    benchmark::DoNotOptimize(dataset);
  }
}
BENCHMARK(OpenDigits)->Unit(benchmark::kMillisecond);

// Batches of 100 on one thread; the argument says whether they are augmented.
void MakeBatches(benchmark::State& state) {
  DataConfig config{.source = Digits(), .split = {.train = 4000, .eval = 1000}};
  if (state.range(0) != 0) config.augment = AugmentConfig{.affine = {.shift = 2, .rotate = 10}};
  const auto pipeline = Pipeline::Open(config, 7);
  if (!pipeline.ok()) return state.SkipWithError(pipeline.status().message().c_str());
  const auto batches = pipeline->Train(kBatchSize);
  int64_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize((*batches)(k++));
  state.SetItemsProcessed(state.iterations() * kBatchSize);
}
BENCHMARK(MakeBatches)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace headrace::data
