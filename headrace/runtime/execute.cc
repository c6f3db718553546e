// One execution of an Executable: arguments are checked first, so that a wrong one is named and nothing is
// donated.
#include <pjrt_c_api.h>

#include <algorithm>

#include "headrace/runtime/client.h"
#include "headrace/runtime/internal/executable_state.h"

namespace headrace::runtime {

using internal::Args;

namespace {

std::string Where(size_t device, size_t devices) {
  return devices > 1 ? fmt::format(" of device {}", device) : "";
}

// The first argument that is not what the program takes.
Status CheckArguments(const std::vector<const Device*>& devices,
                      const std::vector<Executable::Parameter>& parameters,
                      std::span<const Buffer* const> arguments) {
  if (arguments.size() != devices.size() * parameters.size()) {
    return InvalidArgument("{} arguments were given; the program takes {}{}", arguments.size(),
                           devices.size() * parameters.size(),
                           devices.size() > 1
                               ? fmt::format(" ({} on each of {} devices)", parameters.size(), devices.size())
                               : "");
  }
  for (size_t d = 0; d < devices.size(); ++d) {
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Buffer& argument = *arguments[d * parameters.size() + i];
      if (argument.type() != parameters[i].type) {
        return InvalidArgument("argument {}{} is {}; the program takes {}", i, Where(d, devices.size()),
                               argument.type().ToString(), parameters[i].type.ToString());
      }
      if (&argument.device() != devices[d]) {
        return InvalidArgument("argument {}{} is on {}; the program runs on {}", i, Where(d, devices.size()),
                               argument.device().description(), devices[d]->description());
      }
    }
  }
  return Ok();
}

// Says which arguments hold nothing, where that is why an execution failed.
Status Explain(Status failure, size_t devices, std::span<const Buffer* const> arguments) {
  const size_t parameters = arguments.size() / devices;
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k]->IsDeleted()) {
      return InvalidArgument(
          "argument {}{} holds nothing: it was deleted, or donated to an earlier execution ({})",
          k % parameters, Where(k / parameters, devices), failure.message());
    }
  }
  return failure;
}

}  // namespace

Result<std::vector<Buffer>> Executable::Execute(std::span<const Buffer* const> arguments,
                                                const ExecuteOptions& options) const {
  const State& state = *state_;
  const size_t num_devices = state.devices.size();
  const size_t num_outputs = state.outputs.size();
  if (state.knows_parameters) {
    HR_TRY(CheckArguments(state.devices, state.parameters, arguments).Context("executing {}", state.name));
  }
  const size_t num_arguments = arguments.size() / num_devices;

  std::vector<PJRT_Buffer*> handles(arguments.size() + num_devices * num_outputs);
  std::ranges::transform(arguments, handles.begin(), [](const Buffer* buffer) { return buffer->handle(); });
  PJRT_Buffer** outputs = handles.data() + arguments.size();
  std::vector<PJRT_Buffer* const*> argument_lists(num_devices);
  std::vector<PJRT_Buffer**> output_lists(num_devices);
  for (size_t d = 0; d < num_devices; ++d) {
    argument_lists[d] = handles.data() + d * num_arguments;
    output_lists[d] = outputs + d * num_outputs;
  }
  std::vector<PJRT_Event*> events(options.done == nullptr ? 0 : num_devices);

  Args<PJRT_ExecuteOptions> execute_options;
  execute_options.launch_id = options.launch_id;
  execute_options.non_donatable_input_indices = options.keep.data();
  execute_options.num_non_donatable_input_indices = options.keep.size();
  Args<PJRT_LoadedExecutable_Execute_Args> args;
  args.executable = state.loaded;
  args.options = &execute_options;
  args.argument_lists = argument_lists.data();
  args.num_devices = num_devices;
  args.num_args = num_arguments;
  args.output_lists = output_lists.data();
  args.device_complete_events = events.empty() ? nullptr : events.data();
  if (Status status = state.api().Call(&PJRT_Api::PJRT_LoadedExecutable_Execute, args); !status.ok()) {
    return Explain(std::move(status), num_devices, arguments).Context("executing {}", state.name);
  }

  if (options.done != nullptr) {
    options.done->clear();
    for (PJRT_Event* event : events) options.done->emplace_back(state.client, event);
  }
  std::vector<Buffer> results;
  results.reserve(num_devices * num_outputs);
  for (size_t d = 0; d < num_devices; ++d) {
    for (size_t i = 0; i < num_outputs; ++i) {
      results.emplace_back(state.client, output_lists[d][i], state.devices[d], state.outputs[i]);
    }
  }
  return results;
}

}  // namespace headrace::runtime
