#include "headrace/run/model_variables.h"

#include "headrace/jit/trace.h"

namespace headrace::run {

Result<std::vector<nn::VariableSpec>> DeclareVariables(const models::ModelConfig& model, const Shape& input) {
  std::vector<nn::VariableSpec> specs;
  HR_TRY(jit::TryTrace("declare", {}, [&](std::span<const Value>) {
    Graph scratch;
    nn::Frame frame = nn::Frame::Declare(scratch);
    models::MakeModel(model, nn::Scope(frame), input);
    specs = frame.specs();
    return Values{};
  }));
  return specs;
}

Result<std::vector<HostTensor>> ValuesOf(const std::vector<nn::VariableSpec>& variables,
                                         const checkpoint::TensorMap& values, const std::string& checkpoint) {
  std::vector<HostTensor> found;
  for (const nn::VariableSpec& spec : variables) {
    const auto value = values.find(spec.name);
    if (value == values.end()) {
      return Error(Code::kDataLoss, "{} has no '{}', which the model needs", checkpoint, spec.name);
    }
    if (value->second.type() != spec.type) {
      return Error(Code::kDataLoss, "{}: '{}' is {}; the model needs {}", checkpoint, spec.name,
                   value->second.type().ToString(), spec.type.ToString());
    }
    found.push_back(value->second);
  }
  return found;
}

}  // namespace headrace::run
