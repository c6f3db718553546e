// What runtime adds to the bare C API, and what the plugin itself takes. Run from the root of the tree.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <pjrt_c_api.h>

#include <cstdlib>
#include <stdexcept>

#include "headrace/runtime/client.h"

namespace headrace::runtime {
namespace {

const std::string kPath = ".deps/pjrt/cpu/pjrt_c_api_cpu_plugin.so";

template <class T>
T Must(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

const Client& TheClient() {
  static const Client& client = *Must([]() -> Result<std::unique_ptr<Client>> {
                                   setenv("TF_CPP_MIN_LOG_LEVEL", "1", 0);
                                   HR_TRY(const Plugin* plugin, Plugin::Load(kPath));
                                   return Client::Create(*plugin);
                                 }())
                                     .release();
  return client;
}

// Takes and returns `count` scalars.
std::string Scalars(int64_t count) {
  std::string parameters, types, body, names;
  for (int64_t i = 0; i < count; ++i) {
    const std::string comma = i == 0 ? "" : ", ", n = std::to_string(i);
    parameters += comma + "%x" + n + ": tensor<f32>";
    types += comma + "tensor<f32>";
    names += comma + "%y" + n;
    body += "%y" + n + " = stablehlo.negate %x" + n + " : tensor<f32>\n";
  }
  return "func.func public @main(" + parameters + ") -> (" + types + ") {\n" + body + "return " + names +
         " : " + types + "\n}";
}

struct Arguments {
  explicit Arguments(int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      buffers.push_back(Must(TheClient().ToDevice(HostTensor::Scalar<float>(1))));
    for (const Buffer& buffer : buffers) pointers.push_back(&buffer);
  }
  std::vector<Buffer> buffers;
  std::vector<const Buffer*> pointers;
};

void LoadPlugin(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Must(Plugin::Load(kPath)));
}
BENCHMARK(LoadPlugin)->Iterations(1)->Unit(benchmark::kMillisecond);

void CreateClient(benchmark::State& state) {
  const Plugin* plugin = Must(Plugin::Load(kPath));
  for (auto _ : state) benchmark::DoNotOptimize(Must(Client::Create(*plugin)));
}
BENCHMARK(CreateClient)->Unit(benchmark::kMillisecond);

void CompileTiny(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Must(TheClient().Compile(Scalars(1))));
}
BENCHMARK(CompileTiny)->Unit(benchmark::kMillisecond);

void LoadSerialized(benchmark::State& state) {
  const std::string bytes = Must(Must(TheClient().Compile(Scalars(1))).Serialize());
  for (auto _ : state) benchmark::DoNotOptimize(Must(TheClient().Load(bytes)));
}
BENCHMARK(LoadSerialized)->Unit(benchmark::kMillisecond);

// `range` arguments and results.
void Execute(benchmark::State& state) {
  Executable program = Must(TheClient().Compile(Scalars(state.range(0))));
  Arguments arguments(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(Must(program.Execute(arguments.pointers)));
}
BENCHMARK(Execute)->Arg(1)->Arg(150)->Unit(benchmark::kMicrosecond);

// The same through the C API alone: the least that Execute could take.
void ExecuteBare(benchmark::State& state) {
  const auto count = static_cast<size_t>(state.range(0));
  Executable program = Must(TheClient().Compile(Scalars(state.range(0))));
  Arguments arguments(state.range(0));
  void* library = dlopen(kPath.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  const PJRT_Api& table = *reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"))();
  std::vector<PJRT_Buffer*> in, out(count);
  for (const Buffer& buffer : arguments.buffers) in.push_back(buffer.handle());
  PJRT_Buffer* const* in_list = in.data();
  PJRT_Buffer** out_list = out.data();
  for (auto _ : state) {
    PJRT_ExecuteOptions options{.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_LoadedExecutable_Execute_Args args{.struct_size = PJRT_LoadedExecutable_Execute_Args_STRUCT_SIZE,
                                            .executable = program.handle(),
                                            .options = &options,
                                            .argument_lists = &in_list,
                                            .num_devices = 1,
                                            .num_args = count,
                                            .output_lists = &out_list};
    if (table.PJRT_LoadedExecutable_Execute(&args) != nullptr) throw std::runtime_error("execute");
    for (PJRT_Buffer* buffer : out) {
      PJRT_Buffer_Destroy_Args destroy{.struct_size = PJRT_Buffer_Destroy_Args_STRUCT_SIZE, .buffer = buffer};
      table.PJRT_Buffer_Destroy(&destroy);
    }
  }
}
BENCHMARK(ExecuteBare)->Arg(1)->Arg(150)->Unit(benchmark::kMicrosecond);

void ToDevice(benchmark::State& state) {
  const HostTensor tensor({DType::kU8, {state.range(0)}});
  for (auto _ : state) {
    Buffer buffer = Must(TheClient().ToDevice(tensor));
    benchmark::DoNotOptimize(buffer.Wait().ok());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(ToDevice)->Arg(1 << 12)->Arg(1 << 26)->Unit(benchmark::kMicrosecond);

void ToDeviceUnaligned(benchmark::State& state) {
  const HostTensor tensor({DType::kU8, {state.range(0) + 1}});
  const HostTensor view({DType::kU8, {state.range(0)}}, tensor.bytes().subspan(1),
                        std::make_shared<HostTensor>(tensor));
  for (auto _ : state) {
    Buffer buffer = Must(TheClient().ToDevice(view));
    benchmark::DoNotOptimize(buffer.Wait().ok());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(ToDeviceUnaligned)->Arg(1 << 12)->Arg(1 << 26)->Unit(benchmark::kMicrosecond);

void ToHost(benchmark::State& state) {
  Buffer buffer = Must(TheClient().ToDevice(HostTensor({DType::kU8, {state.range(0)}})));
  for (auto _ : state) benchmark::DoNotOptimize(Must(buffer.ToHost()));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(ToHost)->Arg(4)->Arg(1 << 12)->Arg(1 << 26)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace headrace::runtime
