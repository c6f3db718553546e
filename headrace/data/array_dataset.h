// ArrayDataset: examples that lie in memory, or in a mapped file, as one array for each field.
//
//   HR_TRY(auto data, ArrayDataset::Create({.name = "xor"},
//                                          {{"features", HostTensor::Of<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1,
//                                          1})},
//                                           {"label", HostTensor::Of<int32_t>({4}, {0, 1, 1, 0})}}));
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headrace/data/dataset.h"

namespace headrace::data {

// One field of all examples.
struct Column {
  std::string name;
  HostTensor values;  // [examples, ...]
  std::optional<double>
      divide_by{};  // if set, the field is f32, values / divide_by, whatever the values' type
};

// What an ArrayDataset says of where it came from.
struct Origin {
  std::string name;                             // Dataset::Name
  std::string sha256;                           // Dataset::Sha256
  std::function<std::string(int64_t)> where{};  // Dataset::Where; without it "NAME, example INDEX"
};

class ArrayDataset final : public Dataset {
 public:
  // kInvalidArgument if the columns do not hold the same number of examples, or none.
  static Result<std::shared_ptr<const Dataset>> Create(Origin origin, std::vector<Column> columns);

  std::string Name() const override { return origin_.name; }
  std::string Where(int64_t index) const override;
  std::string Sha256() const override { return origin_.sha256; }
  int64_t size() const override { return size_; }
  const std::vector<NamedType>& fields() const override { return fields_; }
  Status Fill(int64_t index, Row row) const override;

 private:
  ArrayDataset(Origin origin, std::vector<Column> columns);

  Origin origin_;
  std::vector<Column> columns_;
  std::vector<NamedType> fields_;
  int64_t size_;
};

}  // namespace headrace::data
