#include "headrace/checkpoint/internal/model_index.h"

#include <nlohmann/json.hpp>

namespace headrace::checkpoint {

std::string ModelIndex(const TensorMap& tensors, const std::vector<PlannedFile>& files) {
  int64_t total = 0;
  for (const auto& [name, tensor] : tensors) total += tensor.type().ByteCount();
  nlohmann::ordered_json map = nlohmann::ordered_json::object();
  for (const PlannedFile& file : files) {
    for (const PlannedPiece& piece : file.pieces) map[piece.tensor] = file.name;
  }
  nlohmann::ordered_json index = {{"metadata", {{"total_size", total}}}, {"weight_map", std::move(map)}};
  return index.dump(2) + "\n";
}

}  // namespace headrace::checkpoint
