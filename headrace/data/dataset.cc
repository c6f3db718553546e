#include "headrace/data/dataset.h"

#include <algorithm>
#include <cstring>

namespace headrace::data {

Result<Example> Dataset::Get(int64_t index) const {
  if (index < 0 || index >= size()) {
    return Error(Code::kOutOfRange, "no example {} in {}, which holds {}", index, Name(), size());
  }
  Example example;
  std::vector<std::span<std::byte>> row;
  for (const NamedType& field : fields()) {
    example.push_back({field.name, HostTensor(field.type)});
    row.push_back(example.back().tensor.mutable_bytes());
  }
  HR_TRY(Fill(index, row));
  return example;
}

Status Dataset::FillCut(int64_t, const CutPicture&, Row) const {
  return Error(Code::kInternal, "{} has no pictures to cut", Name());
}

int FindField(std::span<const NamedType> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &NamedType::name);
  return found == fields.end() ? -1 : static_cast<int>(found - fields.begin());
}

std::string NamesOf(std::span<const NamedType> fields) {
  std::string names;
  for (const NamedType& field : fields) names += (names.empty() ? "" : ", ") + field.name;
  return names;
}

Status CheckLabels(const Dataset& dataset, int64_t classes) {
  const std::vector<NamedType>& fields = dataset.fields();
  const int label = FindField(fields, kLabel);
  if (label < 0) return Ok();
  if (fields[label].type != TensorType{DType::kI32, {}}) {
    return InvalidArgument("{}: labels are {}, expected i32[]", dataset.Name(),
                           fields[label].type.ToString());
  }
  std::vector<HostTensor> memory;
  std::vector<std::span<std::byte>> row;
  for (const NamedType& field : fields) row.push_back(memory.emplace_back(field.type).mutable_bytes());
  for (int64_t index = 0; index < dataset.size(); ++index) {
    int32_t value;
    if (const std::optional<int32_t> known = dataset.KnownLabel(index)) {
      value = *known;
    } else {
      HR_TRY(dataset.Fill(index, row));
      std::memcpy(&value, row[label].data(), sizeof value);
    }
    if (value < 0 || value >= classes) {
      return InvalidArgument("{}: label {} is out of range; {} classes allow 0 to {}", dataset.Where(index),
                             value, classes, classes - 1);
    }
  }
  return Ok();
}

}  // namespace headrace::data
