#include "headrace/run/hlo_run.h"

#include <fmt/ranges.h>

#include <array>
#include <filesystem>

#include "headrace/io/input_error.h"
#include "headrace/io/store.h"
#include "headrace/tensor/npy.h"

namespace headrace::run {
namespace {

using runtime::Buffer;
using runtime::Executable;

struct Array {
  HloRunReport::Line line;
  HostTensor value;
};

// Whether npy has no such type, so that f32 stands for it.
bool IsForeignToNpy(DType dtype) {
  return dtype == DType::kBF16 || dtype == DType::kF8E4M3FN || dtype == DType::kF8E5M2;
}

std::string Signature(const Executable& executable) {
  std::vector<std::string> types;
  for (const Executable::Parameter& parameter : executable.parameters())
    types.push_back(parameter.type.ToString());
  return fmt::format("{} input{}{}{}", types.size(), types.size() == 1 ? "" : "s", types.empty() ? "" : ": ",
                     fmt::join(types, ", "));
}

// Says what to do about errors of the compiler that exported programs are known to meet.
Status Advise(const Status& status) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kAdvice = {{
      {"tensor<?", "the program has dimensions of unknown size; export it with fixed shapes"},
      {"No FFI handler registered for lapack_",
       "jaxlib brings its own LAPACK, which plugins lack; export without jnp.linalg"},
  }};
  for (const auto& [symptom, advice] : kAdvice) {
    if (status.message().find(symptom) == std::string::npos) continue;
    return Status(status.code(), fmt::format("{}\n{}", status.message(), advice));
  }
  return status;
}

Result<Executable> Compile(const runtime::Client& client, const HloProgram& program,
                           const std::string& path) {
  Result<Executable> executable = client.Compile(program.bytes);
  if (!executable.ok()) return Advise(executable.status()).Context("{}", path);
  if (!executable->knows_parameters()) {
    return Error(Code::kUnimplemented, "{} does not say what a program takes", client.plugin().path());
  }
  if (executable->devices().size() != 1) {
    return Error(Code::kUnimplemented, "{} runs on {} devices at once; export it for one", path,
                 executable->devices().size());
  }
  return executable;
}

Result<std::vector<Array>> ReadInputs(const std::vector<std::string>& paths) {
  std::vector<Array> inputs;
  for (const std::string& path : paths) {
    HR_TRY(const io::Blob blob, io::AsInput(io::ReadFile(path)));
    HR_TRY(HostTensor value, io::AsInput(DecodeNpy(blob.bytes, blob.owner)).Context("{}", path));
    const TensorType type = value.type();
    inputs.push_back({{path, type, ""}, std::move(value)});
  }
  return inputs;
}

// Holds the inputs against what the program takes; converts to the types that npy lacks.
Status MatchInputs(const HloProgram& program, const Executable& executable, std::vector<Array>& inputs) {
  const auto parameters = executable.parameters();
  if (inputs.size() != parameters.size()) {
    const bool lacks_index = program.takes_platform_index && inputs.size() + 1 == parameters.size();
    return InvalidArgument("the program takes {}; got {}{}", Signature(executable), inputs.size(),
                           lacks_index
                               ? ". It was exported for several platforms and takes the index of the one "
                                 "it runs on first: pass it, an i32 scalar, or export for one platform"
                               : "");
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorType& wanted = parameters[i].type;
    Array& input = inputs[i];
    if (input.line.type == wanted) continue;
    const bool convertible = IsForeignToNpy(wanted.dtype) && input.line.type.dtype == DType::kF32 &&
                             input.line.type.shape == wanted.shape;
    if (!convertible) {
      return InvalidArgument("input {} ({}) is {}, but the program takes {}", i, input.line.path,
                             input.line.type.ToString(), wanted.ToString());
    }
    input.value = input.value.ConvertTo(wanted.dtype);
    input.line.note = fmt::format("rounded to {}", Name(wanted.dtype));
  }
  return Ok();
}

Result<std::vector<HostTensor>> Execute(const runtime::Client& client, const Executable& executable,
                                        const std::vector<Array>& inputs) {
  std::vector<Buffer> buffers;
  std::vector<const Buffer*> arguments;
  for (const Array& input : inputs) {
    HR_TRY(Buffer buffer, client.ToDevice(input.value, *executable.devices()[0]));
    buffers.push_back(std::move(buffer));
  }
  for (const Buffer& buffer : buffers) arguments.push_back(&buffer);
  HR_TRY(const std::vector<Buffer> results, executable.Execute(arguments));
  std::vector<HostTensor> outputs;
  for (const Buffer& result : results) {
    HR_TRY(HostTensor output, result.ToHost());
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Result<std::vector<HloRunReport::Line>> WriteOutputs(const std::vector<HostTensor>& outputs,
                                                     const std::string& folder) {
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder));
  std::vector<HloRunReport::Line> lines;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string key = fmt::format("out{}.npy", i);
    HloRunReport::Line line{(std::filesystem::path(folder) / key).native(), outputs[i].type(), ""};
    HostTensor value = outputs[i];
    if (IsForeignToNpy(value.dtype())) {
      value = value.ConvertTo(DType::kF32);
      line.note = fmt::format("written as f32, since npy has no {}", Name(line.type.dtype));
    }
    HR_TRY(const std::string bytes, EncodeNpy(value).Context("output {}", i));
    HR_TRY(store->Write(key, io::AsBytes(bytes)));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

Result<HloRunReport> RunHlo(const HloRunOptions& options) {
  HR_TRY(const HloProgram program, ReadHloProgram(options.program));
  HR_TRY(std::vector<Array> inputs, ReadInputs(options.inputs));
  HR_TRY(const std::unique_ptr<runtime::Client> client, OpenClient(options.device));
  HR_TRY(const Executable executable, Compile(*client, program, options.program));
  HR_TRY(MatchInputs(program, executable, inputs));
  HR_TRY(const std::vector<HostTensor> outputs, Execute(*client, executable, inputs));

  HloRunReport report;
  for (Array& input : inputs) report.inputs.push_back(std::move(input.line));
  HR_TRY(report.outputs, WriteOutputs(outputs, options.output));
  return report;
}

}  // namespace headrace::run
