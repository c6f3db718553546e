#include "headrace/run/init_from.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "headrace/core/glob.h"
#include "headrace/io/input_error.h"
#include "headrace/io/store.h"
#include "headrace/run/checkpoint_choice.h"
#include "headrace/run/run_directory.h"
#include "headrace/tensor/safetensors.h"

namespace headrace::run {
namespace {

constexpr std::string_view kWeights = "model.safetensors";
constexpr std::string_view kIndex = "model.safetensors.index.json";

struct Weights {
  std::string source;
  checkpoint::TensorMap tensors;
};

Status AddFile(const io::Blob& blob, const std::string& name, Weights& weights) {
  HR_TRY(std::vector<NamedTensor> tensors, DecodeSafetensors(blob.bytes, blob.owner).Context("{}", name));
  for (NamedTensor& tensor : tensors) weights.tensors.insert_or_assign(tensor.name, std::move(tensor.tensor));
  return Ok();
}

// The files that an index names.
Result<std::set<std::string>> ShardsOf(const std::string& text, const std::string& name) {
  try {
    const nlohmann::json index = nlohmann::json::parse(text);
    std::set<std::string> files;
    for (const auto& [tensor, file] : index.at("weight_map").items()) files.insert(file);
    return files;
  } catch (const std::exception& error) {
    return Error(Code::kDataLoss, "{} is no index of weights ({})", name, error.what());
  }
}

Result<Weights> ReadRun(const std::string& path) {
  HR_TRY(const ExistingRun run, OpenRun(path));
  HR_TRY(ChosenCheckpoint chosen, ReadCheckpoint(run, "last", CheckpointParts::kModel));
  return Weights{.source = chosen.checkpoint.Name(), .tensors = std::move(chosen.contents.model)};
}

Result<Weights> ReadFolder(const std::string& path) {
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(path));
  if (store->Size(kConfigFile).ok()) return ReadRun(path);
  Weights weights{.source = path, .tensors = {}};
  for (const std::string folder : {"", "model/"}) {  // a Hugging Face folder, or the checkpoint of a run
    const std::string whole = folder + std::string(kWeights), index = folder + std::string(kIndex);
    if (store->Size(whole).ok()) {
      HR_TRY(const io::Blob blob, store->Read(whole));
      HR_TRY(AddFile(blob, fmt::format("{}/{}", path, whole), weights));
      return weights;
    }
    if (!store->Size(index).ok()) continue;
    HR_TRY(const std::string text, store->ReadText(index));
    HR_TRY(const std::set<std::string> shards, ShardsOf(text, fmt::format("{}/{}", path, index)));
    for (const std::string& shard : shards) {
      HR_TRY(const io::Blob blob, store->Read(folder + shard));
      HR_TRY(AddFile(blob, fmt::format("{}/{}{}", path, folder, shard), weights));
    }
    return weights;
  }
  return Error(Code::kNotFound,
               "there are no weights at {}: it is neither the folder of a run (with {}) nor one of Hugging "
               "Face (with {}), nor a .safetensors file",
               path, kConfigFile, kWeights);
}

Result<Weights> Read(const std::string& path) {
  if (!path.ends_with(".safetensors")) return ReadFolder(path);
  HR_TRY(const io::Blob blob, io::ReadFile(path));
  Weights weights{.source = path, .tensors = {}};
  HR_TRY(AddFile(blob, path, weights));
  return weights;
}

// What stands before the model's names in the file: nothing where it has any of them as they are, else what
// stands before the first that it has at the end of a name.
std::string PrefixIn(const checkpoint::TensorMap& tensors, std::span<const nn::VariableSpec> variables) {
  for (const nn::VariableSpec& variable : variables) {
    if (tensors.contains(variable.name)) return "";
  }
  for (const nn::VariableSpec& variable : variables) {
    for (const auto& [name, tensor] : tensors) {
      if (name.ends_with("." + variable.name)) return name.substr(0, name.size() - variable.name.size());
    }
  }
  return "";
}

// A few of the names.
std::string Some(const std::vector<std::string>& names) {
  constexpr size_t kMost = 4;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<int64_t>(std::min(kMost, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     names.size() > kMost ? fmt::format(" and {} more", names.size() - kMost) : "");
}

}  // namespace

std::string InitialValues::Summary() const {
  std::string text = fmt::format("initial values from {}: {} loaded", source, values.size());
  if (!prefix.empty()) text += fmt::format(", found behind '{}'", prefix);
  if (!fresh.empty()) text += fmt::format(", {} new ({})", fresh.size(), Some(fresh));
  if (!unused.empty()) text += fmt::format(", {} left ({})", unused.size(), Some(unused));
  return text;
}

Result<InitialValues> ReadInitialValues(const std::string& path, std::span<const std::string> except,
                                        std::span<const nn::VariableSpec> variables) {
  std::vector<std::string> names;
  for (const nn::VariableSpec& variable : variables) names.push_back(variable.name);
  HR_TRY(glob::CheckAll("init_except", except, names));
  HR_TRY(Weights weights, io::AsInput(Read(path)).Context("init_from"));

  InitialValues initial{.source = weights.source, .prefix = PrefixIn(weights.tensors, variables)};
  std::vector<std::string> missing;
  for (const nn::VariableSpec& variable : variables) {
    if (glob::MatchesAny(except, variable.name)) {
      initial.fresh.push_back(variable.name);
      continue;
    }
    const auto found = weights.tensors.find(initial.prefix + variable.name);
    if (found == weights.tensors.end()) {
      missing.push_back(variable.name);
      continue;
    }
    const TensorType& type = found->second.type();
    if (type.shape != variable.type.shape || !IsFloat(type.dtype)) {
      return InvalidArgument(
          "init_from: {} has {} as {}, but the model wants {}; if it is to begin anew, name it in "
          "init_except",
          path, found->first, type.ToString(), variable.type.ToString());
    }
    initial.values.emplace(variable.name, std::move(found->second));
    weights.tensors.erase(found);
  }
  if (!missing.empty()) {
    return InvalidArgument(
        "init_from: {} does not have {}, which the model needs; what is to begin anew is named in "
        "init_except",
        path, Some(missing));
  }
  for (const auto& [name, tensor] : weights.tensors) initial.unused.push_back(name);
  return initial;
}

}  // namespace headrace::run
