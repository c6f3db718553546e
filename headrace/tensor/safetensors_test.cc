#include "headrace/tensor/safetensors.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/tensor/test/testdata.h"

namespace headrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// A file of this header and data.
std::string File(std::string_view header, std::string_view data = "") {
  const uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof(length));
  return file.append(header).append(data);
}

std::string ErrorOf(const std::string& bytes) {
  return DecodeSafetensors(AsBytes(bytes)).status().ToString();
}

std::string Broken(std::string_view why, std::string_view tensor = "") {
  const std::string context = tensor.empty() ? "" : fmt::format("tensor '{}': ", tensor);
  return fmt::format("DATA_LOSS: {}the safetensors header is broken: {}; fetch or save the file again",
                     context, why);
}

std::vector<std::string> Names(const std::vector<SafetensorsEntry>& entries) {
  std::vector<std::string> names;
  for (const SafetensorsEntry& entry : entries) names.push_back(entry.name);
  return names;
}

TEST(DecodeSafetensors, ReadsEveryType) {
  const std::string bytes = ReadTestdata("safetensors_fuzz/types.safetensors");
  const Result<std::vector<NamedTensor>> tensors = DecodeSafetensors(AsBytes(bytes));
  ASSERT_TRUE(tensors.ok()) << tensors.status().ToString();
  ExpectEveryType(*tensors, {"complex128"});
}

TEST(DecodeSafetensors, ReadsSmallFloatsScalarsAndEmptyTensors) {
  const std::vector<NamedTensor> tensors =
      *DecodeSafetensors(AsBytes(ReadTestdata("safetensors_fuzz/small_floats.safetensors")));
  EXPECT_EQ(Find(tensors, "scalar").type().ToString(), "f32[]");
  EXPECT_EQ(Find(tensors, "scalar").At(0), 7);
  EXPECT_EQ(Find(tensors, "empty").type().ToString(), "f32[0, 4]");
  for (const char* name : {"bf16", "f16", "f8e4m3fn", "f8e5m2"}) {
    const HostTensor tensor = Find(tensors, name);
    EXPECT_EQ(Name(tensor.dtype()), name);
    EXPECT_THAT(Values(tensor), ElementsAre(0, 1, -2.5, 448, testing::DoubleNear(0.001, 0.001)));
  }
}

TEST(DecodeSafetensors, ViewsWhatIsAlignedAndCopiesWhatIsNot) {
  // Two bytes, then three floats that begin at an odd multiple of 2.
  const auto file = std::make_shared<std::string>(File(
      R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
      std::string("\1\2\0\0\x80\x3f", 6)));
  const std::vector<NamedTensor> tensors = *DecodeSafetensors(AsBytes(*file), file);
  EXPECT_EQ(static_cast<const void*>(tensors[0].tensor.bytes().data()), file->data() + file->size() - 6);
  EXPECT_EQ(tensors[1].tensor.data<float>()[0], 1);
  const SafetensorsLayout layout = *LayOutSafetensors(std::vector<NamedType>{{"x", {DType::kF64, {8}}}});
  const auto ours = std::make_shared<std::string>(EncodeSafetensorsHeader(layout) + std::string(64, '\0'));
  const HostTensor view = (*DecodeSafetensors(AsBytes(*ours), ours))[0].tensor;
  EXPECT_EQ(static_cast<const void*>(view.bytes().data()), ours->data() + layout.header_size);
}

TEST(DecodeSafetensorsHeader, TellsWhereThingsAreWithoutTheData) {
  const std::string bytes = ReadTestdata("safetensors_fuzz/types.safetensors");
  const auto file_size = static_cast<int64_t>(bytes.size());
  const int64_t header_size = *SafetensorsHeaderSize(AsBytes(bytes).first(kSafetensorsPrefix));
  const SafetensorsLayout layout =
      *DecodeSafetensorsHeader(AsBytes(bytes).first(static_cast<size_t>(header_size)), file_size);
  EXPECT_EQ(layout.header_size, header_size);
  EXPECT_EQ(layout.file_size, file_size);
  EXPECT_EQ(layout.metadata, (SafetensorsMetadata{{"format", "np"}, {"note", "ü \" \\"}}));
  EXPECT_EQ(layout.entries.front().name, "uint64");
  EXPECT_EQ(layout.entries.front().offset, header_size);
  EXPECT_EQ(layout.entries.back().name, "bool");
  EXPECT_EQ(layout.entries.back().offset, file_size - 6);
}

TEST(DecodeSafetensors, RefusesEveryTruncation) {
  const std::string whole = ReadTestdata("safetensors_fuzz/types.safetensors");
  for (size_t size = 0; size < whole.size(); ++size) {
    const Status status = DecodeSafetensors(AsBytes(whole.substr(0, size))).status();
    ASSERT_EQ(status.code(), Code::kDataLoss) << size;
    ASSERT_THAT(status.message(), testing::AnyOf(HasSubstr("cut short"), HasSubstr("too short"))) << size;
  }
  EXPECT_THAT(ErrorOf(whole + "x"), HasSubstr("describes 1206 bytes, but the file has 1207"));
}

TEST(DecodeSafetensors, RefusesWhatIsNone) {
  EXPECT_EQ(ErrorOf("<!DOCTYPE html><html>"),
            "INVALID_ARGUMENT: not a safetensors file: its header would have 5789751444030890300 bytes, and "
            "100000000 are allowed");
  EXPECT_EQ(ErrorOf(File(" {}")),
            "INVALID_ARGUMENT: not a safetensors file: its header does not begin with '{'");
  EXPECT_EQ(ErrorOf(File("")),
            "INVALID_ARGUMENT: not a safetensors file: its header does not begin with '{'");
  EXPECT_THAT(ErrorOf(File("{\"a\": ")), StartsWith("DATA_LOSS: the safetensors header is broken: "));
  EXPECT_THAT(ErrorOf(File("{\"\xff\":1}")), HasSubstr("UTF-8"));
}

TEST(DecodeSafetensors, AnEmptyFileOfTensorsIsOne) {
  EXPECT_TRUE(DecodeSafetensors(AsBytes(File("{}")))->empty());
  EXPECT_TRUE(DecodeSafetensors(AsBytes(File("{}   ")))->empty());
}

TEST(DecodeSafetensors, RefusesBrokenDescriptions) {
  const auto error = [](std::string_view description) {
    return ErrorOf(File(fmt::format("{{\"w\":{}}}", description)));
  };
  EXPECT_EQ(error("3"), Broken("its description is not an object", "w"));
  EXPECT_EQ(error("{}"), Broken("dtype is not a string", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32"})"), Broken("shape is not a list", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"),
            Broken("shape holds something else than whole numbers", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})"),
            Broken("shape holds something else than whole numbers", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]})"),
            Broken("data_offsets holds something else than whole numbers", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32","shape":[1],"data_offsets":[4]})"),
            Broken("data_offsets are not [begin, end]", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"),
            Broken("data_offsets are not [begin, end]", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"),
            Broken("f32[2] does not fit data_offsets [0, 4]", "w"));
  EXPECT_EQ(error(R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]})"),
            Broken("f32[4611686018427387904, 4] does not fit data_offsets [0, 0]", "w"));
  EXPECT_EQ(error(R"({"dtype":"F4","shape":[2],"data_offsets":[0,1]})"),
            "UNIMPLEMENTED: tensor 'w': the type F4 is not supported; convert the tensor to BF16 or F32");
}

TEST(DecodeSafetensors, RefusesNamesThatComeTwice) {
  const std::string w = R"("w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_EQ(ErrorOf(File("{" + w + "," + w + "}")), Broken("the name 'w' comes twice"));
  EXPECT_EQ(ErrorOf(File(R"({"w":{"dtype":"U8","dtype":"I8","shape":[0],"data_offsets":[0,0]}})")),
            Broken("the name 'dtype' comes twice"));
  EXPECT_EQ(ErrorOf(File(R"({"__metadata__":{"a":"1","a":"2"}})")), Broken("the name 'a' comes twice"));
  // The same key in different objects is no duplicate.
  EXPECT_TRUE(
      DecodeSafetensors(AsBytes(File("{" + w + R"(,"v":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})")))
          .ok());
}

TEST(DecodeSafetensors, RefusesGapsAndOverlaps) {
  const auto two = [](int begin, int end) {
    return ErrorOf(File(fmt::format(R"({{"a":{{"dtype":"U8","shape":[2],"data_offsets":[0,2]}},)"
                                    R"("b":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}}}})",
                                    end - begin, begin, end),
                        "12345"));
  };
  EXPECT_EQ(two(2, 5), "OK");
  EXPECT_THAT(two(1, 5), HasSubstr("the bytes of 'b' overlap those of another tensor"));
  EXPECT_THAT(two(0, 5), HasSubstr("overlap"));
  EXPECT_THAT(two(3, 5), HasSubstr("the bytes of 'b' come after a gap"));
  EXPECT_THAT(two(2, 4), HasSubstr("it is cut short or damaged"));
  EXPECT_THAT(two(2, 6), HasSubstr("it is cut short or damaged"));
}

TEST(DecodeSafetensors, RefusesMetadataThatIsNotText) {
  EXPECT_EQ(ErrorOf(File(R"({"__metadata__":{"step":3}})")),
            Broken("__metadata__ holds something else than strings"));
  EXPECT_EQ(ErrorOf(File(R"({"__metadata__":[]})")), Broken("__metadata__ is not an object"));
}

TEST(DecodeSafetensors, RefusesBoolsThatAreNone) {
  EXPECT_EQ(ErrorOf(File(R"({"m":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "\2")),
            "DATA_LOSS: tensor 'm': bool 0 of 1 is 2, not 0 or 1; the data are damaged");
}

TEST(LayOutSafetensors, AlignsTheDataAndEveryTensorToItsOwnSize) {
  const std::vector<NamedType> types = {
      {"odd", {DType::kU8, {3}}},      {"bias", {DType::kF32, {10}}}, {"weight", {DType::kF32, {10, 16}}},
      {"half", {DType::kBF16, {5}}},   {"empty", {DType::kF64, {0}}}, {"a.weight", {DType::kF64, {32}}},
      {"step", {DType::kI64, Shape()}}};
  const SafetensorsLayout layout = *LayOutSafetensors(types);
  EXPECT_THAT(Names(layout.entries),
              ElementsAre("a.weight", "empty", "weight", "bias", "step", "half", "odd"));
  EXPECT_EQ(layout.header_size % 64, 0);
  for (const SafetensorsEntry& entry : layout.entries) {
    const int64_t size = entry.type.ByteCount();
    const int64_t granularity = size == 0 ? 1 : std::min<int64_t>(64, size & -size);
    EXPECT_EQ(entry.offset % granularity, 0) << entry.name;
    EXPECT_EQ(entry.offset % ByteSize(entry.type.dtype), 0) << entry.name;
  }
}

TEST(LayOutSafetensors, RefusesWhatTheFormatCannotHold) {
  const auto error = [](std::vector<NamedType> types, SafetensorsMetadata metadata = {}) {
    return LayOutSafetensors(types, std::move(metadata)).status().ToString();
  };
  const TensorType f32;
  EXPECT_EQ(error({{"w", f32}, {"w", f32}}), "INVALID_ARGUMENT: the tensor name 'w' comes twice");
  EXPECT_EQ(error({{"__metadata__", f32}}), "INVALID_ARGUMENT: a tensor cannot be called __metadata__");
  EXPECT_EQ(error({{"\xff", f32}}), "INVALID_ARGUMENT: the tensor name '\xff' is not UTF-8");
  EXPECT_EQ(error({}, {{"k", "\xff"}}), "INVALID_ARGUMENT: the metadata 'k' are not UTF-8");
  EXPECT_EQ(error({{"z", {DType::kC128, {}}}}),
            "UNIMPLEMENTED: safetensors cannot hold 'z' of type c128; convert it first");
}

TEST(EncodeSafetensors, WritesTheBytesOfItsFormat) {
  const std::vector<NamedTensor> tensors = {{"b", HostTensor::Of<uint8_t>({2}, {5, 6})},
                                            {"a", HostTensor::Of<float>({1}, {1})}};
  const std::string header = R"({"__metadata__":{"format":"pt"},)"
                             R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}})";
  const std::string padded = header + std::string(64 - (8 + header.size()) % 64, ' ');
  EXPECT_EQ(*EncodeSafetensors(tensors), File(padded, std::string("\0\0\x80\x3f\5\6", 6)));
}

TEST(EncodeSafetensors, IsReadBackWhateverTheOrder) {
  std::vector<NamedTensor> tensors =
      *DecodeSafetensors(AsBytes(ReadTestdata("safetensors_fuzz/types.safetensors")));
  const std::string bytes = *EncodeSafetensors(tensors, {{"quote \"", "\n"}});
  ExpectEveryType(*DecodeSafetensors(AsBytes(bytes)), {"complex128"});
  EXPECT_EQ(DecodeSafetensorsHeader(AsBytes(bytes), static_cast<int64_t>(bytes.size()))->metadata,
            (SafetensorsMetadata{{"quote \"", "\n"}}));
  std::ranges::reverse(tensors);
  EXPECT_EQ(*EncodeSafetensors(tensors, {{"quote \"", "\n"}}), bytes);
}

TEST(EncodeSafetensors, WritesSmallFloats) {
  const std::vector<NamedTensor> tensors =
      *DecodeSafetensors(AsBytes(ReadTestdata("safetensors_fuzz/small_floats.safetensors")));
  const std::vector<NamedTensor> back = *DecodeSafetensors(AsBytes(*EncodeSafetensors(tensors)));
  for (const NamedTensor& each : tensors) {
    EXPECT_EQ(Find(back, each.name).type(), each.tensor.type());
    EXPECT_EQ(Values(Find(back, each.name)), Values(each.tensor));
  }
}

TEST(EncodeSafetensors, NoTensorsAndNoMetadataIsAFile) {
  const std::string bytes = *EncodeSafetensors({}, {});
  EXPECT_EQ(bytes.size(), 64u);
  EXPECT_TRUE(DecodeSafetensors(AsBytes(bytes))->empty());
}

}  // namespace
}  // namespace headrace
