// What the tests of this module share: the files of testdata, and comparing tensors with literal values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "headrace/tensor/named_tensor.h"

namespace headrace {

// The bytes of headrace/tensor/testdata/NAME; the test fails without it.
std::string ReadTestdata(const std::string& name);

void WriteFile(const std::string& path, std::string_view bytes);

inline std::span<const std::byte> AsBytes(const std::string& text) { return std::as_bytes(std::span(text)); }

// The tensor of this name; the test fails without it.
HostTensor Find(const std::vector<NamedTensor>& tensors, std::string_view name);

// All elements, widened as At does.
std::vector<double> Values(const HostTensor& tensor);

// Fails the test unless `tensors` holds what tools/reference/tensor_testdata.py calls arrays_of_every_type,
// but for the types in `without`.
void ExpectEveryType(const std::vector<NamedTensor>& tensors, const std::vector<std::string>& without = {});

}  // namespace headrace
