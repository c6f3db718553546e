// How a program becomes an Executable: compiled from StableHLO, or loaded from bytes.
#include <pjrt_c_api.h>

#include <algorithm>

#include "headrace/runtime/client.h"
#include "headrace/runtime/internal/client_state.h"

namespace headrace::runtime {

using internal::Args;

namespace {

// A plugin's own words for these are not always about the cause.
Status CheckDevices(const CompileOptions& options, const internal::ClientState& client) {
  const int wanted = options.num_replicas * options.num_partitions;
  if (wanted > static_cast<int>(client.devices.size())) {
    return InvalidArgument("the program is to run on {} devices ({} replicas of {} partitions); {} has {}",
                           wanted, options.num_replicas, options.num_partitions, client.platform_name,
                           client.devices.size());
  }
  for (int64_t id : options.device_ids) {
    if (std::ranges::none_of(client.devices, [id](const Device& device) { return device.id() == id; })) {
      return InvalidArgument(
          "device_ids names device {}, which does not exist; {} has {} devices, the first is {}", id,
          client.platform_name, client.devices.size(), client.devices.front().id());
    }
  }
  return Ok();
}

// XLA's CPU compiler, left to itself, drops NaN in minimum and maximum; what diverged would look sound.
CompileOptions WithDefaults(CompileOptions options, std::string_view platform) {
  constexpr const char* kFastMinMax = "xla_cpu_enable_fast_min_max";
  const bool said = std::ranges::find(options.overrides, kFastMinMax, &CompileOptions::Override::name) !=
                    options.overrides.end();
  if (platform == "cpu" && !said) options.overrides.push_back({kFastMinMax, false});
  return options;
}

}  // namespace

Result<Executable> Client::Compile(std::string_view program, const CompileOptions& options) const {
  HR_TRY(options.Validate());
  HR_TRY(CheckDevices(options, *state_));
  const std::string serialized = WithDefaults(options, platform_name()).Serialize();
  constexpr std::string_view kFormat =
      "mlir";  // StableHLO; the plugin tells text from bytecode by its first bytes
  Args<PJRT_Program> code;
  code.code = const_cast<char*>(program.data());  // an in-out field, but only read here
  code.code_size = program.size();
  code.format = kFormat.data();
  code.format_size = kFormat.size();
  Args<PJRT_Client_Compile_Args> args;
  args.client = state_->handle;
  args.program = &code;
  args.compile_options = serialized.data();
  args.compile_options_size = serialized.size();
  HR_TRY(state_->api.Call(&PJRT_Api::PJRT_Client_Compile, args).Context("compiling for {}", platform_name()));
  return Executable::Wrap(state_, args.executable);
}

Result<Executable> Client::Load(std::string_view serialized) const {
  Args<PJRT_Executable_DeserializeAndLoad_Args> args;
  args.client = state_->handle;
  args.serialized_executable = serialized.data();
  args.serialized_executable_size = serialized.size();
  HR_TRY(state_->api.Call(&PJRT_Api::PJRT_Executable_DeserializeAndLoad, args)
             .Context("loading a compiled program of {} bytes on {}", serialized.size(), platform_name()));
  return Executable::Wrap(state_, args.loaded_executable);
}

}  // namespace headrace::runtime
