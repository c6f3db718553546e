// The reading half of safetensors.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "headrace/tensor/internal/safetensors_format.h"
#include "headrace/tensor/internal/view_or_copy.h"
#include "headrace/tensor/safetensors.h"

namespace headrace {
namespace {

using Json = nlohmann::ordered_json;

Status Broken(std::string_view why) {
  return Error(Code::kDataLoss, "the safetensors header is broken: {}; fetch or save the file again", why);
}

// Parses JSON and refuses keys that come twice in one object.
Result<Json> ParseStrictly(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  std::string duplicate;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    const auto level = static_cast<size_t>(depth);
    if (event == Json::parse_event_t::object_start) {
      keys.resize(std::max(keys.size(), level + 1));
      keys[level].clear();
    } else if (event == Json::parse_event_t::key) {
      auto name = value.get<std::string>();
      if (!keys[level - 1].insert(name).second) duplicate = std::move(name);
    }
    return true;
  };
  try {
    Json json = Json::parse(text, watch);
    if (!duplicate.empty()) return Broken("the name '" + duplicate + "' comes twice");
    return json;
  } catch (const Json::exception& error) {
    return Broken(error.what());
  }
}

// A whole number that is not negative; nothing for anything else.
std::optional<int64_t> Natural(const Json& json) {
  if (!json.is_number_unsigned()) return std::nullopt;
  const auto value = json.get<uint64_t>();
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return static_cast<int64_t>(value);
}

Result<std::vector<int64_t>> Naturals(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return Broken(std::string(key) + " is not a list");
  std::vector<int64_t> numbers;
  for (const Json& each : *found) {
    const std::optional<int64_t> number = Natural(each);
    if (!number.has_value()) return Broken(std::string(key) + " holds something else than whole numbers");
    numbers.push_back(*number);
  }
  return numbers;
}

Result<DType> ParseType(const Json& object) {
  const auto found = object.find("dtype");
  if (found == object.end() || !found->is_string()) return Broken("dtype is not a string");
  const auto& name = found->get_ref<const std::string&>();
  if (const std::optional<DType> dtype = ParseSafetensorsType(name)) return *dtype;
  return Error(Code::kUnimplemented, "the type {} is not supported; convert the tensor to BF16 or F32", name);
}

// One tensor's entry, its offset counted from the start of the data.
Result<SafetensorsEntry> ParseEntry(const std::string& name, const Json& json) {
  if (!json.is_object()) return Broken("its description is not an object");
  SafetensorsEntry entry{.name = name};
  HR_TRY(entry.type.dtype, ParseType(json));
  HR_TRY(std::vector<int64_t> dims, Naturals(json, "shape"));
  entry.type.shape = Shape(std::move(dims));
  HR_TRY(const std::vector<int64_t> offsets, Naturals(json, "data_offsets"));
  if (offsets.size() != 2 || offsets[0] > offsets[1]) return Broken("data_offsets are not [begin, end]");
  const std::optional<int64_t> size = CheckedByteCount(entry.type);
  if (!size.has_value() || *size != offsets[1] - offsets[0]) {
    return Broken(
        fmt::format("{} does not fit data_offsets [{}, {}]", entry.type.ToString(), offsets[0], offsets[1]));
  }
  entry.offset = offsets[0];
  return entry;
}

Result<SafetensorsMetadata> ParseMetadata(const Json& json) {
  if (!json.is_object()) return Broken("__metadata__ is not an object");
  SafetensorsMetadata metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) return Broken("__metadata__ holds something else than strings");
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// The data hold every tensor's bytes once, one after another, and nothing else.
Status CheckCoverage(const SafetensorsLayout& layout) {
  int64_t end = layout.header_size;
  for (const SafetensorsEntry& entry : layout.entries) {
    if (entry.offset != end) {
      return Broken(fmt::format("the bytes of '{}' {} at offset {}", entry.name,
                                entry.offset < end ? "overlap those of another tensor" : "come after a gap",
                                end));
    }
    end += entry.type.ByteCount();
  }
  if (end == layout.file_size) return Ok();
  return Error(Code::kDataLoss,
               "the safetensors header describes {} bytes, but the file has {}; it is cut short or damaged",
               end, layout.file_size);
}

}  // namespace

Result<int64_t> SafetensorsHeaderSize(std::span<const std::byte> prefix) {
  uint64_t length = 0;
  if (prefix.size() < sizeof(length)) return Error(Code::kDataLoss, "too short to be a safetensors file");
  std::memcpy(&length, prefix.data(), sizeof(length));
  if (length > kMostSafetensorsHeader) {
    return InvalidArgument("not a safetensors file: its header would have {} bytes, and {} are allowed",
                           length, kMostSafetensorsHeader);
  }
  return kSafetensorsPrefix + static_cast<int64_t>(length);
}

Result<SafetensorsLayout> DecodeSafetensorsHeader(std::span<const std::byte> bytes, int64_t file_size) {
  SafetensorsLayout layout{.file_size = file_size};
  HR_TRY(layout.header_size, SafetensorsHeaderSize(bytes));
  if (layout.header_size > std::min(file_size, static_cast<int64_t>(bytes.size()))) {
    return Error(Code::kDataLoss,
                 "the safetensors file is cut short in its header ({} of {} bytes are there)",
                 std::min(file_size, static_cast<int64_t>(bytes.size())), layout.header_size);
  }
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(layout.header_size));
  text.remove_prefix(kSafetensorsPrefix);
  if (!text.starts_with('{'))
    return InvalidArgument("not a safetensors file: its header does not begin with '{{'");
  HR_TRY(const Json json, ParseStrictly(text));
  for (const auto& [name, value] : json.items()) {
    if (name == kSafetensorsMetadataKey) {
      HR_TRY(layout.metadata, ParseMetadata(value));
      continue;
    }
    HR_TRY(SafetensorsEntry entry, ParseEntry(name, value).Context("tensor '{}'", name));
    entry.offset += layout.header_size;
    layout.entries.push_back(std::move(entry));
  }
  std::ranges::sort(layout.entries, {}, [](const SafetensorsEntry& entry) {
    return std::tuple(entry.offset, entry.type.ByteCount(), std::string_view(entry.name));
  });
  HR_TRY(CheckCoverage(layout));
  return layout;
}

Result<std::vector<NamedTensor>> DecodeSafetensors(std::span<const std::byte> bytes,
                                                   const std::shared_ptr<const void>& owner) {
  HR_TRY(const SafetensorsLayout layout, DecodeSafetensorsHeader(bytes, static_cast<int64_t>(bytes.size())));
  std::vector<NamedTensor> tensors;
  for (const SafetensorsEntry& entry : layout.entries) {
    const auto data =
        bytes.subspan(static_cast<size_t>(entry.offset), static_cast<size_t>(entry.type.ByteCount()));
    HR_TRY(HostTensor tensor, ViewOrCopy(entry.type, data, owner).Context("tensor '{}'", entry.name));
    tensors.push_back({entry.name, std::move(tensor)});
  }
  return tensors;
}

}  // namespace headrace
