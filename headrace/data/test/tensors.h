// Tensors in tests: those of an .npz file in testdata/, and whether two are the same.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "headrace/tensor/npz.h"

namespace headrace::data {

inline std::map<std::string, HostTensor> ReadNpz(const std::string& name) {
  std::ifstream file("headrace/data/testdata/" + name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::map<std::string, HostTensor> arrays;
  auto decoded = DecodeNpz(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(decoded.ok()) << name << ": " << decoded.status().ToString();
  for (NamedTensor& array : *decoded) arrays.emplace(array.name, std::move(array.tensor));
  return arrays;
}

// Passes for tensors of the same type and bytes.
inline ::testing::AssertionResult Same(const HostTensor& a, const HostTensor& b) {
  if (a.type() != b.type()) {
    return ::testing::AssertionFailure() << a.type().ToString() << " is not " << b.type().ToString();
  }
  for (int64_t i = 0; i < a.size(); ++i) {
    if (a.At(i) != b.At(i))
      return ::testing::AssertionFailure() << a.At(i) << " is not " << b.At(i) << " at " << i;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace headrace::data
