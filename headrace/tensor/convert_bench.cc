// ConvertTo between the types that data and checkpoints convert most; bytes per second of the input.
#include <benchmark/benchmark.h>

#include "headrace/tensor/host_tensor.h"

namespace headrace {
namespace {

void Convert(benchmark::State& state, DType from, DType to) {
  HostTensor values({DType::kF32, {1 << 20}});
  for (int64_t i = 0; i < values.size(); ++i) values.Set(i, static_cast<double>(i % 255) / 3);
  const HostTensor input = values.ConvertTo(from);
  for (auto _ : state) benchmark::DoNotOptimize(input.ConvertTo(to).bytes().data());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(input.bytes().size()));
}

BENCHMARK_CAPTURE(Convert, u8_to_f32, DType::kU8, DType::kF32);
BENCHMARK_CAPTURE(Convert, i32_to_f32, DType::kI32, DType::kF32);
BENCHMARK_CAPTURE(Convert, f32_to_bf16, DType::kF32, DType::kBF16);
BENCHMARK_CAPTURE(Convert, bf16_to_f32, DType::kBF16, DType::kF32);
BENCHMARK_CAPTURE(Convert, f32_to_f16, DType::kF32, DType::kF16);
BENCHMARK_CAPTURE(Convert, f16_to_f32, DType::kF16, DType::kF32);
BENCHMARK_CAPTURE(Convert, f32_to_f8e4m3fn, DType::kF32, DType::kF8E4M3FN);
BENCHMARK_CAPTURE(Convert, f32_to_u8, DType::kF32, DType::kU8);

}  // namespace
}  // namespace headrace
