#include "headrace/checkpoint/shard_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace headrace::checkpoint {
namespace {

// Cuts `box`, whose elements have `item` bytes, into boxes of at most `limit` bytes each along its first
// dimensions, so that every part is one stretch of memory.
void Cut(const Box& box, int64_t item, int64_t limit, std::vector<Box>& parts) {
  auto axis = std::ranges::find_if(box.size, [](int64_t size) { return size > 1; });
  if (box.ElementCount() * item <= limit || axis == box.size.end()) {
    parts.push_back(box);
    return;
  }
  auto i = static_cast<size_t>(axis - box.size.begin());
  int64_t row_bytes = box.ElementCount() / box.size[i] * item;
  int64_t rows = std::max<int64_t>(limit / row_bytes, 1);
  for (int64_t begin = 0; begin < box.size[i]; begin += rows) {
    Box part = box;
    part.start[i] += begin;
    part.size[i] = std::min(rows, box.size[i] - begin);
    Cut(part, item, limit, parts);
  }
}

std::vector<PlannedFile> Plan(const TensorMap& tensors, std::string_view stem, int64_t limit, bool split) {
  std::vector<PlannedFile> files;
  int64_t free = 0;
  for (const auto& [name, tensor] : tensors) {
    std::vector<Box> parts;
    int64_t item = ByteSize(tensor.dtype());
    if (split) {
      Cut(Box::Whole(tensor.shape()), item, limit, parts);
    } else {
      parts.push_back(Box::Whole(tensor.shape()));
    }
    for (Box& part : parts) {
      int64_t bytes = part.ElementCount() * item;
      if (files.empty() || bytes > free) {
        files.emplace_back();
        free = limit;
      }
      free -= bytes;
      files.back().pieces.push_back({.tensor = name, .box = std::move(part)});
    }
  }
  for (size_t i = 0; i < files.size(); ++i) {
    files[i].name = files.size() == 1
                        ? fmt::format("{}.safetensors", stem)
                        : fmt::format("{}-{:05}-of-{:05}.safetensors", stem, i + 1, files.size());
  }
  return files;
}

}  // namespace

std::vector<PlannedFile> PlanWhole(const TensorMap& tensors, std::string_view stem, int64_t limit) {
  return Plan(tensors, stem, limit, /*split=*/false);
}

std::vector<PlannedFile> PlanSplit(const TensorMap& tensors, std::string_view stem, int64_t limit) {
  return Plan(tensors, stem, limit, /*split=*/true);
}

}  // namespace headrace::checkpoint
