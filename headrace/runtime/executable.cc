#include "headrace/runtime/executable.h"

#include <pjrt_c_api.h>

#include <utility>

#include "headrace/runtime/client.h"
#include "headrace/runtime/internal/element_type.h"
#include "headrace/runtime/internal/executable_state.h"
#include "headrace/runtime/internal/hlo.h"
#include "headrace/runtime/internal/named_values.h"

namespace headrace::runtime {

using internal::Api;
using internal::Args;

namespace {

struct Program {
  std::string format;
  std::string bytes;
};

Result<Program> GetOptimizedProgram(const Api& api, PJRT_Executable* executable) {
  Args<PJRT_Program> program;
  Args<PJRT_Executable_OptimizedProgram_Args> args;
  args.executable = executable;
  args.program = &program;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Executable_OptimizedProgram, args));  // says how long it is
  std::string bytes(program.code_size, '\0');
  program.code = bytes.data();
  HR_TRY(api.Call(&PJRT_Api::PJRT_Executable_OptimizedProgram, args));
  return Program{{program.format, program.format_size}, std::move(bytes)};
}

Result<std::vector<std::shared_ptr<const TensorType>>> GetOutputs(const Api& api,
                                                                  PJRT_Executable* executable) {
  Args<PJRT_Executable_OutputElementTypes_Args> types;
  types.executable = executable;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Executable_OutputElementTypes, types));
  Args<PJRT_Executable_OutputDimensions_Args> dimensions;
  dimensions.executable = executable;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Executable_OutputDimensions, dimensions));
  std::vector<std::shared_ptr<const TensorType>> outputs;
  const int64_t* dims = dimensions.dims;  // of all outputs, one after the other
  for (size_t i = 0; i < types.num_output_types; ++i) {
    const int type = internal::NumberOf(types.output_types[i]);
    const std::optional<DType> dtype = internal::FromPjrt(type);
    if (!dtype) {
      return Error(
          Code::kUnimplemented,
          "output {} of the program is of type {}, which has no tensor type here; convert it inside the "
          "program",
          i, internal::PjrtTypeName(type));
    }
    std::vector<int64_t> shape(dims, dims + dimensions.dim_sizes[i]);
    dims += dimensions.dim_sizes[i];
    outputs.push_back(std::make_shared<const TensorType>(TensorType{*dtype, Shape(std::move(shape))}));
  }
  return outputs;
}

}  // namespace

Executable::State::~State() {
  if (executable != nullptr) {
    Args<PJRT_Executable_Destroy_Args> args;
    args.executable = executable;
    api().CallAndForget(&PJRT_Api::PJRT_Executable_Destroy, args);
  }
  Args<PJRT_LoadedExecutable_Destroy_Args> args;
  args.executable = loaded;
  api().CallAndForget(&PJRT_Api::PJRT_LoadedExecutable_Destroy, args);
}

Executable::Executable(std::unique_ptr<State> state) : state_(std::move(state)) {}
Executable::~Executable() = default;
Executable::Executable(Executable&&) noexcept = default;
Executable& Executable::operator=(Executable&&) noexcept = default;

Result<Executable> Executable::Wrap(std::shared_ptr<const internal::ClientState> client,
                                    PJRT_LoadedExecutable* handle) {
  auto state = std::make_unique<State>(std::move(client), handle);
  const Api& api = state->api();

  Args<PJRT_LoadedExecutable_GetExecutable_Args> get;
  get.loaded_executable = handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_LoadedExecutable_GetExecutable, get));
  state->executable = get.executable;

  Args<PJRT_Executable_Name_Args> name;
  name.executable = state->executable;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Executable_Name, name));
  state->name.assign(name.executable_name, name.executable_name_size);

  Args<PJRT_LoadedExecutable_AddressableDevices_Args> devices;
  devices.executable = handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_LoadedExecutable_AddressableDevices, devices));
  for (PJRT_Device* device : std::span(devices.addressable_devices, devices.num_addressable_devices)) {
    state->devices.push_back(state->client->Find(device));
  }

  HR_TRY(state->outputs, GetOutputs(api, state->executable));
  // The C API has no question for the parameters, but the optimized program tells them.
  Result<Program> program = GetOptimizedProgram(api, state->executable);
  state->knows_parameters = program.ok();
  if (program.ok()) {
    HR_TRY(state->parameters, internal::ReadParameters(program->format, program->bytes));
  }
  return Executable(std::move(state));
}

const std::string& Executable::name() const { return state_->name; }
std::span<const Device* const> Executable::devices() const { return state_->devices; }
bool Executable::knows_parameters() const { return state_->knows_parameters; }
std::span<const std::shared_ptr<const TensorType>> Executable::outputs() const { return state_->outputs; }

PJRT_LoadedExecutable* Executable::handle() const { return state_->loaded; }

std::span<const Executable::Parameter> Executable::parameters() const {
  HR_CHECK(state_->knows_parameters);
  return state_->parameters;
}

Result<std::string> Executable::Serialize() const {
  Args<PJRT_Executable_Serialize_Args> args;
  args.executable = state_->executable;
  HR_TRY(state_->api().Call(&PJRT_Api::PJRT_Executable_Serialize, args).Context("serializing {}", name()));
  std::string bytes(args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_executable_deleter(args.serialized_executable);
  return bytes;
}

Result<std::string> Executable::OptimizedText() const {
  HR_TRY(Program program, GetOptimizedProgram(state_->api(), state_->executable));
  return internal::HloText(program.format, program.bytes);
}

Result<std::string> Executable::OptimizedProto() const {
  HR_TRY(Program program, GetOptimizedProgram(state_->api(), state_->executable));
  return std::move(program.bytes);
}

Result<CompiledMemory> Executable::Memory() const {
  Args<PJRT_Executable_GetCompiledMemoryStats_Args> args;
  args.executable = state_->executable;
  HR_TRY(state_->api().Call(&PJRT_Api::PJRT_Executable_GetCompiledMemoryStats, args));
  return CompiledMemory{
      .arguments = args.argument_size_in_bytes,
      .outputs = args.output_size_in_bytes,
      .aliased = args.alias_size_in_bytes,
      .temporaries = args.temp_size_in_bytes,
      .code = args.generated_code_size_in_bytes,
      .peak = args.peak_memory_in_bytes,
  };
}

Result<std::vector<NamedValue>> Executable::CostAnalysis() const {
  Args<PJRT_Executable_GetCostAnalysis_Args> args;
  args.executable = state_->executable;
  HR_TRY(state_->api().Call(&PJRT_Api::PJRT_Executable_GetCostAnalysis, args));
  return internal::Copy(args.properties, args.num_properties);
}

Result<std::string> Executable::Fingerprint() const {
  Args<PJRT_Executable_Fingerprint_Args> args;
  args.executable = state_->executable;
  HR_TRY(state_->api().Call(&PJRT_Api::PJRT_Executable_Fingerprint, args));
  return std::string(args.executable_fingerprint, args.executable_fingerprint_size);
}

}  // namespace headrace::runtime
