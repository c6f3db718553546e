#include "headrace/checkpoint/manifest.h"

#include <fmt/format.h>

#include <algorithm>

namespace headrace::checkpoint {

const FileEntry* Manifest::FindFile(std::string_view name) const {
  auto found = std::ranges::find(files, name, &FileEntry::name);
  return found == files.end() ? nullptr : &*found;
}

const TensorEntry* Manifest::FindTensor(std::string_view name) const {
  auto found = std::ranges::lower_bound(tensors, name, {}, &TensorEntry::name);
  return found == tensors.end() || found->name != name ? nullptr : &*found;
}

int64_t Manifest::TotalBytes() const {
  int64_t total = 0;
  for (const FileEntry& file : files) total += file.size;
  return total;
}

}  // namespace headrace::checkpoint
