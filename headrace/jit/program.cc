#include "headrace/jit/program.h"

#include "headrace/graph/module.h"
#include "headrace/graph/simplify.h"

namespace headrace::jit {
namespace {

std::vector<Sharding> Filled(std::vector<Sharding> shardings, const Types& types) {
  if (shardings.empty()) {
    for (const TensorType& type : types) shardings.push_back(Sharding::Replicated(type.shape.rank()));
  }
  return shardings;
}

Result<std::string> Emitted(const Function& function, const ModuleOptions& options) {
  try {
    return EmitModule(function, options);
  } catch (const GraphError& error) {
    return InvalidArgument("{}", error.what());
  }
}

}  // namespace

Result<Program> Program::Compile(const Devices& devices, const Function& function,
                                 const ProgramOptions& options) {
  Program program;
  program.devices_ = devices;
  for (Value parameter : function.parameters()) program.parameters_.push_back(parameter.type());
  for (Value result : function.results) program.results_.push_back(result.type());
  program.parameter_shardings_ = Filled(options.parameter_shardings, program.parameters_);
  program.result_shardings_ = Filled(options.result_shardings, program.results_);

  HR_TRY(program.text_, Emitted(Simplify(function), {.mesh = devices.mesh(),
                                                     .parameter_shardings = program.parameter_shardings_,
                                                     .result_shardings = program.result_shardings_,
                                                     .donations = options.donations,
                                                     .default_precision = options.default_precision}));
  runtime::CompileOptions compile;
  compile.num_partitions = static_cast<int>(devices.devices().size());
  for (const runtime::Device* device : devices.devices()) compile.device_ids.push_back(device->id());
  HR_TRY(auto executable,
         devices.client().Compile(program.text_, compile).Context("compiling '{}'", function.name));
  program.executable_ = std::make_shared<const runtime::Executable>(std::move(executable));
  return program;
}

Result<std::vector<Array>> Program::Run(std::span<const Array* const> arguments) const {
  if (arguments.size() != parameters_.size()) {
    return InvalidArgument("the program takes {} arguments, not {}", parameters_.size(), arguments.size());
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i]->type() != parameters_[i]) {
      return InvalidArgument("argument {} is {}; the program takes {}", i, arguments[i]->type().ToString(),
                             parameters_[i].ToString());
    }
    if (arguments[i]->sharding() != parameter_shardings_[i]) {
      return InvalidArgument("argument {} is placed as {}; the program takes {}", i,
                             arguments[i]->sharding().ToSdy(true), parameter_shardings_[i].ToSdy(true));
    }
  }
  const size_t device_count = devices_.devices().size();
  std::vector<const runtime::Buffer*> buffers;
  buffers.reserve(device_count * arguments.size());
  for (size_t device = 0; device < device_count; ++device) {
    for (const Array* argument : arguments) buffers.push_back(&argument->shards()[device]);
  }
  HR_TRY(std::vector<runtime::Buffer> outputs, executable_->Execute(buffers));

  std::vector<Array> results;
  results.reserve(results_.size());
  for (size_t i = 0; i < results_.size(); ++i) {
    std::vector<runtime::Buffer> shards;
    for (size_t device = 0; device < device_count; ++device) {
      shards.push_back(std::move(outputs[device * results_.size() + i]));
    }
    results.emplace_back(results_[i], devices_.mesh(), result_shardings_[i], std::move(shards));
  }
  return results;
}

Result<std::vector<HostTensor>> Evaluate(const runtime::Client& client, const Function& function,
                                         std::span<const HostTensor> arguments) {
  HR_TRY(Devices devices, Devices::Of(client));
  HR_TRY(Program program, Program::Compile(devices, function));
  std::vector<Array> placed;
  for (const HostTensor& argument : arguments) {
    HR_TRY(Array array, devices.Put(argument));
    placed.push_back(std::move(array));
  }
  std::vector<const Array*> pointers;
  for (const Array& array : placed) pointers.push_back(&array);
  HR_TRY(std::vector<Array> results, program.Run(pointers));
  std::vector<HostTensor> values;
  for (const Array& result : results) {
    HR_TRY(HostTensor value, result.ToHost());
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace headrace::jit
