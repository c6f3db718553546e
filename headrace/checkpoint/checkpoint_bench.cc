// How fast checkpoints are saved, read and hashed on files; in TMPDIR, /tmp by default.
#include <benchmark/benchmark.h>

#include <cstring>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/core/check.h"
#include "headrace/io/file_store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::checkpoint {
namespace {

// A model and two moments of it, `mib` in all, in tensors of 4 MiB.
Snapshot LargeSnapshot(int64_t mib) {
  Snapshot snapshot{.step = 1, .model_config = "{}\n"};
  for (int64_t i = 0; i < mib / 12; ++i) {
    HostTensor tensor({DType::kF32, {1024, 1024}});
    std::memset(tensor.mutable_bytes().data(), static_cast<int>(i), tensor.bytes().size());
    std::string name = "layers." + std::to_string(i) + ".weight";
    snapshot.model[name] = tensor;
    snapshot.state["adam.m." + name] = tensor;
    snapshot.state["adam.v." + name] = tensor;
  }
  return snapshot;
}

void Report(benchmark::State& state, const Checkpoint& checkpoint) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * checkpoint.manifest().TotalBytes());
}

void SaveCheckpoint(benchmark::State& state) {
  io::TemporaryFolder folder;
  io::FileStore store(folder.path());
  CheckpointStore checkpoints(store, "checkpoints");
  Snapshot snapshot = LargeSnapshot(state.range(0));
  for (auto _ : state) {
    auto saved = checkpoints.Save(snapshot);
    HR_CHECK(saved.ok());
    ++snapshot.step;
    state.PauseTiming();
    HR_CHECK(checkpoints.Prune(1).ok());
    state.ResumeTiming();
  }
  Report(state, **checkpoints.Latest());
}

void RestoreCheckpoint(benchmark::State& state) {
  io::TemporaryFolder folder;
  io::FileStore store(folder.path());
  CheckpointStore checkpoints(store, "checkpoints");
  HR_CHECK(checkpoints.Save(LargeSnapshot(state.range(0))).ok());
  for (auto _ : state) {
    auto restored = checkpoints.ReadLatest();
    HR_CHECK(restored.ok());
    benchmark::DoNotOptimize(restored->contents.model.begin()->second.bytes().data());
  }
  Report(state, **checkpoints.Latest());
}

void HashParams(benchmark::State& state) {
  Snapshot snapshot = LargeSnapshot(state.range(0) * 3);
  for (auto _ : state) benchmark::DoNotOptimize(ParamsSha256(snapshot.model));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * (state.range(0) << 20));
}

BENCHMARK(SaveCheckpoint)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(RestoreCheckpoint)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(HashParams)->Arg(256)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace headrace::checkpoint
