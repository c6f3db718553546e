#include "headrace/tensor/test/testdata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

namespace headrace {

std::string ReadTestdata(const std::string& name) {
  std::ifstream file("headrace/tensor/testdata/" + name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name << " is missing; run the tests from the root of the repository";
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  ASSERT_TRUE(file.flush().good()) << path;
}

HostTensor Find(const std::vector<NamedTensor>& tensors, std::string_view name) {
  const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
  EXPECT_TRUE(found != tensors.end()) << "no tensor is called " << name;
  return found != tensors.end() ? found->tensor : HostTensor();
}

std::vector<double> Values(const HostTensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.size(); ++i) values.push_back(tensor.At(i));
  return values;
}

namespace {

template <class T>
std::vector<double> Unsigned() {
  return {0, 1, 2, 3, 4, static_cast<double>(std::numeric_limits<T>::max())};
}
template <class T>
std::vector<double> Signed() {
  using Limits = std::numeric_limits<T>;
  return {0, 1, 2, -3, static_cast<double>(Limits::min()), static_cast<double>(Limits::max())};
}
std::vector<double> Float(double largest) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {0, 1, -2.5, largest, kInfinity, -kInfinity};
}

}  // namespace

void ExpectEveryType(const std::vector<NamedTensor>& tensors, const std::vector<std::string>& without) {
  std::map<std::string, std::pair<DType, std::vector<double>>> expected = {
      {"bool", {DType::kPred, {1, 0, 1, 0, 0, 1}}},
      {"uint8", {DType::kU8, Unsigned<uint8_t>()}},
      {"uint16", {DType::kU16, Unsigned<uint16_t>()}},
      {"uint32", {DType::kU32, Unsigned<uint32_t>()}},
      {"uint64", {DType::kU64, Unsigned<uint64_t>()}},
      {"int8", {DType::kI8, Signed<int8_t>()}},
      {"int16", {DType::kI16, Signed<int16_t>()}},
      {"int32", {DType::kI32, Signed<int32_t>()}},
      {"int64", {DType::kI64, Signed<int64_t>()}},
      {"float16", {DType::kF16, Float(65504)}},
      {"float32", {DType::kF32, Float(std::numeric_limits<float>::max())}},
      {"float64", {DType::kF64, Float(std::numeric_limits<double>::max())}},
      {"complex64", {DType::kC64, {0, 1, -2.5, 0, 3, 100}}},
      {"complex128", {DType::kC128, {0, 1, -2.5, 0, 3, 100}}},
  };
  for (const std::string& name : without) expected.erase(name);
  EXPECT_EQ(tensors.size(), expected.size());
  for (const auto& [name, type_and_values] : expected) {
    const HostTensor tensor = Find(tensors, name);
    EXPECT_EQ(tensor.type().ToString(), (TensorType{type_and_values.first, {2, 3}}.ToString())) << name;
    EXPECT_EQ(Values(tensor), type_and_values.second) << name;
  }
}

}  // namespace headrace
