#include "headrace/checkpoint/snapshot.h"

#include <algorithm>

#include "headrace/io/hash.h"

namespace headrace::checkpoint {
namespace {

bool IsPrintable(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

Status Snapshot::Validate() const {
  if (step < 0) return InvalidArgument("a checkpoint of step {}: steps start at 0", step);
  for (const TensorMap* tensors : {&model, &state}) {
    for (const auto& [name, tensor] : *tensors) {
      if (!IsPrintable(name)) {
        return InvalidArgument("tensor name \"{}\": a checkpoint holds names of visible ASCII characters",
                               name);
      }
    }
  }
  for (const auto& [name, text] : model_files) {
    if (!IsPrintable(name) || name.find('/') != std::string::npos || name == "." || name == "..") {
      return InvalidArgument("model file \"{}\": its name must be visible ASCII characters without '/'",
                             name);
    }
    if (name == "config.json" || name.ends_with(".safetensors") || name == "model.safetensors.index.json") {
      return InvalidArgument("model file \"{}\": the checkpoint writes a file of this name itself", name);
    }
  }
  return Ok();
}

std::string ParamsSha256(const TensorMap& params) {
  io::Sha256 hash;
  for (const auto& [name, tensor] : params) {
    std::string head = name + '\0' + tensor.type().ToString() + '\0';
    hash.Update(io::AsBytes(head));
    hash.Update(tensor.bytes());
  }
  return std::move(hash).Hex();
}

}  // namespace headrace::checkpoint
