#include "headrace/checkpoint/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/io/hash.h"

namespace headrace::checkpoint {
namespace {

TEST(ParamsSha256, HashesNamesTypesAndBytesInOrder) {
  TensorMap params = {{"b", HostTensor::Of<uint8_t>({2}, {'x', 'y'})},
                      {"a", HostTensor::Scalar<int8_t>('z')}};
  EXPECT_EQ(ParamsSha256(params), io::Sha256Hex(io::AsBytes(std::string_view("a\0i8[]\0zb\0u8[2]\0xy", 18))));
}

TEST(ParamsSha256, NoticesEveryChange) {
  auto hash = [](const char* name, const HostTensor& tensor) { return ParamsSha256({{name, tensor}}); };
  std::string base = hash("a", HostTensor::Of<float>({2, 1}, {1, 2}));
  EXPECT_EQ(base, hash("a", HostTensor::Of<float>({2, 1}, {1, 2})));
  EXPECT_NE(base, hash("b", HostTensor::Of<float>({2, 1}, {1, 2})));
  EXPECT_NE(base, hash("a", HostTensor::Of<float>({1, 2}, {1, 2})));
  EXPECT_NE(base, hash("a", HostTensor::Of<float>({2, 1}, {1, 3})));
  EXPECT_NE(base, hash("a", HostTensor::Of<int32_t>({2, 1}, {0x3f800000, 0x40000000})));  // the same bits
}

TEST(Snapshot, RefusesWhatNoCheckpointCanHold) {
  HostTensor x;
  auto message = [](const Snapshot& snapshot) {
    EXPECT_EQ(snapshot.Validate().code(), Code::kInvalidArgument);
    return snapshot.Validate().message();
  };
  EXPECT_TRUE(Snapshot({.step = 0, .model = {{"a.b", x}}, .model_files = {{"tokenizer.json", "{}"}}})
                  .Validate()
                  .ok());
  EXPECT_EQ(message({.step = -1}), "a checkpoint of step -1: steps start at 0");
  EXPECT_EQ(message({.model = {{"", x}}}),
            "tensor name \"\": a checkpoint holds names of visible ASCII characters");
  EXPECT_EQ(message({.state = {{"a b", x}}}),
            "tensor name \"a b\": a checkpoint holds names of visible ASCII characters");
  EXPECT_EQ(message({.model_files = {{"config.json", ""}}}),
            "model file \"config.json\": the checkpoint writes a file of this name itself");
  EXPECT_EQ(message({.model_files = {{"../x", ""}}}),
            "model file \"../x\": its name must be visible ASCII characters without '/'");
}

}  // namespace
}  // namespace headrace::checkpoint
