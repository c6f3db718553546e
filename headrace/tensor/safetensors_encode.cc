// The writing half of safetensors.h.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "headrace/tensor/internal/safetensors_format.h"
#include "headrace/tensor/safetensors.h"

namespace headrace {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kAlignment = 64;

// The JSON of a layout whose data begin at `data_start`, with spaces after it up to a multiple of the
// alignment.
std::string HeaderText(const SafetensorsLayout& layout, int64_t data_start) {
  Json json = Json::object();
  if (!layout.metadata.empty()) json[kSafetensorsMetadataKey] = layout.metadata;
  std::vector<const SafetensorsEntry*> by_name;
  for (const SafetensorsEntry& entry : layout.entries) by_name.push_back(&entry);
  std::ranges::sort(by_name, {}, &SafetensorsEntry::name);
  for (const SafetensorsEntry* entry : by_name) {
    const int64_t begin = entry->offset - data_start;
    json[entry->name] = {{"dtype", SafetensorsTypeName(entry->type.dtype).value()},
                         {"shape", entry->type.shape.dims()},
                         {"data_offsets", {begin, begin + entry->type.ByteCount()}}};
  }
  std::string text = json.dump();
  const size_t used = kSafetensorsPrefix + text.size();
  text.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  return text;
}

bool IsUtf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

Status CheckNames(std::span<const NamedType> types, const SafetensorsMetadata& metadata) {
  std::set<std::string_view> seen;
  for (const NamedType& each : types) {
    if (!seen.insert(each.name).second) return InvalidArgument("the tensor name '{}' comes twice", each.name);
    if (each.name == kSafetensorsMetadataKey)
      return InvalidArgument("a tensor cannot be called {}", kSafetensorsMetadataKey);
    if (!IsUtf8(each.name)) return InvalidArgument("the tensor name '{}' is not UTF-8", each.name);
    if (!SafetensorsTypeName(each.type.dtype).has_value()) {
      return Error(Code::kUnimplemented, "safetensors cannot hold '{}' of type {}; convert it first",
                   each.name, Name(each.type.dtype));
    }
  }
  for (const auto& [key, value] : metadata) {
    if (!IsUtf8(key) || !IsUtf8(value)) return InvalidArgument("the metadata '{}' are not UTF-8", key);
  }
  return Ok();
}

// The largest power of two, up to the alignment, that the tensor's size is a multiple of. In falling order of
// it, every tensor begins at a multiple of its own.
int64_t Granularity(const SafetensorsEntry& entry) {
  const int64_t size = entry.type.ByteCount();
  return size == 0 ? kAlignment : std::min(kAlignment, size & -size);
}

}  // namespace

SafetensorsMetadata PyTorchMetadata() { return {{"format", "pt"}}; }

Result<SafetensorsLayout> LayOutSafetensors(std::span<const NamedType> types, SafetensorsMetadata metadata) {
  HR_TRY(CheckNames(types, metadata));
  SafetensorsLayout layout{.metadata = std::move(metadata)};
  for (const NamedType& each : types) layout.entries.push_back({each.name, each.type});
  std::ranges::sort(layout.entries, {}, [](const SafetensorsEntry& entry) {
    return std::tuple(-Granularity(entry), std::string_view(entry.name));
  });
  int64_t data_size = 0;
  for (SafetensorsEntry& entry : layout.entries) {
    entry.offset = data_size;
    data_size += entry.type.ByteCount();
  }
  const size_t length = HeaderText(layout, 0).size();
  if (length > kMostSafetensorsHeader)
    return InvalidArgument("the names of {} tensors do not fit a safetensors header", types.size());
  layout.header_size = kSafetensorsPrefix + static_cast<int64_t>(length);
  for (SafetensorsEntry& entry : layout.entries) entry.offset += layout.header_size;
  layout.file_size = layout.header_size + data_size;
  return layout;
}

std::string EncodeSafetensorsHeader(const SafetensorsLayout& layout) {
  const std::string text = HeaderText(layout, layout.header_size);
  const uint64_t length = text.size();
  std::string header(reinterpret_cast<const char*>(&length), sizeof(length));
  header += text;
  HR_CHECK(static_cast<int64_t>(header.size()) == layout.header_size);
  return header;
}

Result<std::string> EncodeSafetensors(std::span<const NamedTensor> tensors, SafetensorsMetadata metadata) {
  std::vector<NamedType> types;
  std::map<std::string_view, const HostTensor*> by_name;
  for (const NamedTensor& each : tensors) {
    types.push_back({each.name, each.tensor.type()});
    by_name[each.name] = &each.tensor;
  }
  HR_TRY(const SafetensorsLayout layout, LayOutSafetensors(types, std::move(metadata)));
  std::string out = EncodeSafetensorsHeader(layout);
  out.reserve(static_cast<size_t>(layout.file_size));
  for (const SafetensorsEntry& entry : layout.entries) {
    const std::span<const std::byte> bytes = by_name.at(entry.name)->bytes();
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return out;
}

}  // namespace headrace
