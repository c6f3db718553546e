#include "headrace/runtime/compile_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::runtime {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (unsigned char byte : bytes) hex += fmt::format("{:02x}", byte);
  return hex;
}

TEST(CompileOptions, AreWrittenInXlasProto) {
  // Field 3 { 1: -1 (a varint of ten bytes), 4: 1, 5: 1, 19: true }
  EXPECT_EQ(Hex(CompileOptions{}.Serialize()),
            "1a1208ffffffffffffffffff012001280198"
            "0101");
  // As before with 4: 1, 5: 2, 6: true and 9 { 1: 1, 2: 2, 3 { 1: [5] }, 3 { 1: [3] } }
  CompileOptions options{.num_partitions = 2, .device_ids = {5, 3}};
  EXPECT_EQ(Hex(options.Serialize()),
            "1a2408ffffffffffffffffff012001280230014a0e080110021a030a01051a030a0103980101");
}

TEST(CompileOptions, EqualOptionsGiveEqualBytes) {
  CompileOptions options;
  options.overrides = {{"b", true}, {"a", int64_t{3}}, {"d", 0.5}, {"c", std::string("x")}};
  CompileOptions shuffled;
  shuffled.overrides = {{"d", 0.5}, {"c", std::string("x")}, {"a", int64_t{3}}, {"b", true}};
  EXPECT_EQ(options.Serialize(), shuffled.Serialize());
  shuffled.overrides[0].value = 0.25;
  EXPECT_NE(options.Serialize(), shuffled.Serialize());
}

TEST(CompileOptions, AreValidated) {
  EXPECT_TRUE(CompileOptions{}.Validate().ok());
  EXPECT_EQ(CompileOptions{.num_replicas = 0}.Validate().message(),
            "num_replicas is 0; it must be at least 1");
  EXPECT_EQ(CompileOptions{.num_partitions = -1}.Validate().message(),
            "num_partitions is -1; it must be at least 1");
  EXPECT_EQ(
      (CompileOptions{.num_replicas = 2, .num_partitions = 2, .device_ids = {0, 1}}.Validate().message()),
      "device_ids names 2 devices; 2 replicas of 2 partitions need 4");
  EXPECT_EQ((CompileOptions{.num_partitions = 2, .device_ids = {1, 1}}.Validate().message()),
            "device_ids names device 1 twice");
}

}  // namespace
}  // namespace headrace::runtime
