// Executable: a program compiled for, and loaded on, one or more devices.
//
// Move-only; owns the loaded program and keeps the client alive. Execute is safe from several threads at
// once, as long as no two of them donate the same buffer. An Executable may be dropped while executions are
// under way.
//
//   HR_TRY(Executable step, client->Compile(text));
//   HR_TRY(std::vector<Buffer> next, step.Execute({{&params, &batch}}));    // returns before the work is
//   done HR_TRY(HostTensor loss, next[1].ToHost());
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/runtime/buffer.h"
#include "headrace/tensor/shape.h"

struct PJRT_Executable;
struct PJRT_LoadedExecutable;

namespace headrace::runtime {

// What the compiler says a program takes on one device, in bytes.
struct CompiledMemory {
  int64_t arguments = 0;
  int64_t outputs = 0;
  int64_t aliased = 0;  // of the outputs, those that reuse donated arguments
  int64_t temporaries = 0;
  int64_t code = 0;
  int64_t peak = 0;  // 0 where the plugin does not say
};

struct ExecuteOptions {
  // Parameters not to donate in this call, though the program allows it.
  std::span<const int64_t> keep;
  // If not null, gets one Event a device: the end of that device's work. An error of the work also comes out
  // of each output; this is for programs without outputs, and for timing.
  std::vector<Event>* done = nullptr;
  // Programs that span processes must be launched everywhere in the order of these numbers; 0: not said.
  int launch_id = 0;
};

class Executable {
 public:
  struct Parameter {
    TensorType type;       // on one device: the shard, if it is sharded
    bool donated = false;  // an execution takes over the argument and leaves it deleted
  };

  // For this module: takes over `handle`.
  static Result<Executable> Wrap(std::shared_ptr<const internal::ClientState> client,
                                 PJRT_LoadedExecutable* handle);
  ~Executable();
  Executable(Executable&&) noexcept;
  Executable& operator=(Executable&&) noexcept;

  const std::string& name() const;
  // The devices of this process that it runs on, in the order of its replicas and partitions.
  std::span<const Device* const> devices() const;
  // What it takes. REQUIRES: knows_parameters()
  std::span<const Parameter> parameters() const;
  // Whether the plugin says what the parameters are. If not, Execute leaves checking them to the plugin.
  bool knows_parameters() const;
  // What it returns, on one device.
  std::span<const std::shared_ptr<const TensorType>> outputs() const;

  // Starts one execution on all devices(). `arguments` are [devices, parameters], row-major, each on its
  // device; the result is [devices, outputs]. Arguments of donated parameters are left deleted. Wrong
  // arguments are kInvalidArgument, naming the first: nothing has been started or donated then.
  Result<std::vector<Buffer>> Execute(std::span<const Buffer* const> arguments,
                                      const ExecuteOptions& options = {}) const;

  // Bytes for Client::Load.
  Result<std::string> Serialize() const;
  // The program after the compiler's passes, to read: HLO, one instruction a line.
  Result<std::string> OptimizedText() const;
  // The same as the plugin gives it: a serialized HloModuleProto in the proto HloModuleProtoWithConfig.
  Result<std::string> OptimizedProto() const;
  Result<CompiledMemory> Memory() const;
  // Figures by the compiler's names ("flops", "bytes accessed"). kUnimplemented from plugins that keep none.
  Result<std::vector<NamedValue>> CostAnalysis() const;
  // Equal for equal programs, options and compilers.
  Result<std::string> Fingerprint() const;

  // For this module.
  PJRT_LoadedExecutable* handle() const;

 private:
  struct State;
  explicit Executable(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace headrace::runtime
