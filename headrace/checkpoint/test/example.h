// What the tests of this module save and compare.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/checkpoint/snapshot.h"
#include "headrace/io/memory_store.h"

namespace headrace::checkpoint {

inline HostTensor RandomTensor(Shape shape, uint64_t seed) {
  HostTensor tensor({DType::kF32, std::move(shape)});
  std::mt19937_64 random(seed);
  for (float& value : tensor.mutable_data<float>()) value = static_cast<float>(random() % 1000) / 8;
  return tensor;
}

// Small, with tensors that depend on the step and on `seed`.
inline Snapshot ExampleSnapshot(int64_t step, uint64_t seed = 0) {
  uint64_t base = static_cast<uint64_t>(step) * 100 + seed;
  return {.step = step,
          .model = {{"fc.weight", RandomTensor({8, 4}, base)}, {"fc.bias", RandomTensor({4}, base + 1)}},
          .state = {{"adam.m.fc.weight", RandomTensor({8, 4}, base + 2)},
                    {"key", HostTensor::Of<uint32_t>({2}, {7, static_cast<uint32_t>(base)})},
                    {"step", HostTensor::Scalar<int64_t>(step)}},
          .model_config = "{\"model_type\": \"mlp\"}\n",
          .plugin = "cpu 0.11.2",
          .config_sha256 = "c0ffee",
          .mesh = {{"data", 2}},
          .data = {.examples = step * 100, .sha256 = "da7a"}};
}

// A writer whose process ended long ago, on this machine.
inline WriterClaim DeadWriter() {
  WriterClaim claim = WriterClaim::Here();
  claim.process_start += 1;
  return claim;
}

// A writer somewhere else, of which nothing is known.
inline WriterClaim RemoteWriter() {
  WriterClaim claim = WriterClaim::Here();
  claim.machine = "elsewhere";
  claim.time = Now();
  return claim;
}

inline std::vector<std::string> Keys(io::Store& store) {
  std::vector<std::string> keys;
  auto entries = store.List("");
  for (const io::Entry& entry : *entries) keys.push_back(entry.key);
  return keys;
}

inline void ExpectEqual(const TensorMap& actual, const TensorMap& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    auto found = actual.find(name);
    ASSERT_NE(found, actual.end()) << name;
    EXPECT_EQ(found->second.type(), tensor.type()) << name;
    EXPECT_TRUE(std::ranges::equal(found->second.bytes(), tensor.bytes())) << name;
  }
}

inline void ExpectHolds(const Contents& contents, const Snapshot& snapshot) {
  ExpectEqual(contents.model, snapshot.model);
  ExpectEqual(contents.state, snapshot.state);
}

inline void ExpectOk(const Status& status) { EXPECT_TRUE(status.ok()) << status.ToString(); }

}  // namespace headrace::checkpoint
