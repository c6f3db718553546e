#include "headrace/jit/jit.h"

#include "headrace/jit/trace.h"

namespace headrace::jit {
namespace {

std::string SignatureOf(std::span<const Array* const> arguments) {
  std::string signature;
  for (const Array* argument : arguments)
    signature += argument->type().ToString() + argument->sharding().ToSdy(true);
  return signature;
}

}  // namespace

Result<std::vector<Array>> Jit::operator()(std::span<const Array* const> arguments) {
  const std::string signature = SignatureOf(arguments);
  auto found = programs_.find(signature);
  if (found == programs_.end()) {
    Types types;
    ProgramOptions options;
    for (const Array* argument : arguments) {
      types.push_back(argument->type());
      options.parameter_shardings.push_back(argument->sharding());
    }
    options.donations.assign(arguments.size(), -1);
    for (size_t i = 0; i < donated_.size(); ++i) {
      if (donated_[i] < 0 || donated_[i] >= static_cast<int>(arguments.size())) {
        return InvalidArgument("{}: donates argument {} of {}", name_, donated_[i], arguments.size());
      }
      options.donations[static_cast<size_t>(donated_[i])] = static_cast<int>(i);
    }
    HR_TRY(Function function, TryTrace(name_, types, body_));
    HR_TRY(Program program, Program::Compile(devices_, function, options));
    found = programs_.emplace(signature, std::move(program)).first;
  }
  return found->second.Run(arguments);
}

}  // namespace headrace::jit
