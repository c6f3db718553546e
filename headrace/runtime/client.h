// The front of `runtime`: everything between a StableHLO program and a device, through the PJRT C API.
//
// A Client is a running plugin with its devices. It moves tensors to devices and compiles programs; buffers,
// events and executables share the client's state and keep it alive, so they may be dropped in any order. All
// of it may be used from any thread, except that moving or deleting an object needs that object to oneself.
//
//   HR_TRY(const Plugin* plugin, Plugin::Load(path));
//   HR_TRY(std::unique_ptr<Client> client, Client::Create(*plugin, {{{"cpu_device_count", int64_t{4}}}}));
//   HR_TRY(Executable program, client->Compile(stablehlo_text));
//   HR_TRY(Buffer x, client->ToDevice(HostTensor::Of<float>({2}, {1, 2})));
//   HR_TRY(std::vector<Buffer> outputs, program.Execute({{&x}}));
//   HR_TRY(HostTensor y, outputs[0].ToHost());
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "headrace/core/status.h"
#include "headrace/runtime/buffer.h"
#include "headrace/runtime/compile_options.h"
#include "headrace/runtime/device.h"
#include "headrace/runtime/executable.h"
#include "headrace/runtime/plugin.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::runtime {

class Client {
 public:
  // `options` are the plugin's own, e.g. cpu_device_count (int64) for CPU.
  static Result<std::unique_ptr<Client>> Create(const Plugin& plugin,
                                                std::span<const NamedValue> options = {});

  const Plugin& plugin() const { return plugin_; }
  const std::string& platform_name() const;     // "cpu", "cuda", "tpu"
  const std::string& platform_version() const;  // the plugin's words, may have several lines
  int process_index() const;

  // Every device that takes part, over all processes.
  std::span<const Device> devices() const;
  // The devices of this process; never empty.
  std::span<const Device* const> addressable_devices() const;

  // Copies a tensor to `device`. Returns at once; the tensor's bytes are kept alive for as long as the device
  // reads them. A CPU device uses 64-byte aligned bytes in place, without a copy.
  Result<Buffer> ToDevice(const HostTensor& tensor, const Device& device) const;
  Result<Buffer> ToDevice(const HostTensor& tensor) const;  // the first addressable device

  // Compiles StableHLO, as text or as MLIR bytecode. `program` is only read during the call. On CPU, unless
  // the options say otherwise, minimum and maximum keep NaN, as StableHLO has it.
  Result<Executable> Compile(std::string_view program, const CompileOptions& options = {}) const;
  // Loads what Executable::Serialize wrote, by the same build of the same plugin on a machine with the same
  // CPU features.
  Result<Executable> Load(std::string_view serialized) const;

 private:
  Client(const Plugin& plugin, std::shared_ptr<const internal::ClientState> state);

  const Plugin& plugin_;
  std::shared_ptr<const internal::ClientState> state_;
};

}  // namespace headrace::runtime
