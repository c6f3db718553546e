#include "headrace/tensor/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/tensor/test/testdata.h"

namespace headrace {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(DecodeNpz, ReadsEveryTypeStoredAndDeflated) {
  for (const char* name : {"npz_fuzz/types.npz", "npz_fuzz/types_deflated.npz"}) {
    const Result<std::vector<NamedTensor>> arrays = DecodeNpz(AsBytes(ReadTestdata(name)));
    ASSERT_TRUE(arrays.ok()) << name << ": " << arrays.status().ToString();
    ExpectEveryType(*arrays);
    EXPECT_EQ(arrays->front().name, "bool") << "not in the order of the archive";
  }
}

TEST(DecodeNpz, RefusesDamageWithTheNameOfTheArray) {
  std::string bytes = ReadTestdata("npz_fuzz/types.npz");
  bytes[bytes.find("\x93NUMPY") + 128] ^= 1;  // the first element of 'bool'
  const Status status = DecodeNpz(AsBytes(bytes)).status();
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_EQ(status.message(), "array 'bool': CRC error");
}

TEST(DecodeNpz, RefusesTruncation) {
  const std::string whole = ReadTestdata("npz_fuzz/types_deflated.npz");
  for (size_t size = 0; size < whole.size(); size += 97) {
    const Status status = DecodeNpz(AsBytes(whole.substr(0, size))).status();
    ASSERT_EQ(status.code(), Code::kDataLoss) << size;
    ASSERT_THAT(status.message(), StartsWith("not a whole .npz (zip) file: "));
  }
}

TEST(DecodeNpz, RefusesWhatIsNoArray) {
  std::string bytes = *EncodeNpz(std::vector<NamedTensor>{{"x", HostTensor()}});
  for (size_t at; (at = bytes.find("x.npy")) != std::string::npos;) bytes.replace(at, 5, "x.txt");
  EXPECT_EQ(DecodeNpz(AsBytes(bytes)).status().ToString(),
            "INVALID_ARGUMENT: the archive holds 'x.txt', which is not an array of numpy's (.npy)");
}

TEST(DecodeNpz, RefusesTheSameNameTwice) {
  std::string bytes = *EncodeNpz(std::vector<NamedTensor>{{"x", HostTensor()}, {"y", HostTensor()}});
  for (size_t at; (at = bytes.find("y.npy")) != std::string::npos;) bytes.replace(at, 5, "x.npy");
  EXPECT_EQ(DecodeNpz(AsBytes(bytes)).status().ToString(),
            "DATA_LOSS: the archive holds the array 'x' twice");
}

TEST(EncodeNpz, IsReadBackAndDeterministic) {
  const std::vector<NamedTensor> arrays = *DecodeNpz(AsBytes(ReadTestdata("npz_fuzz/types.npz")));
  for (NpzCompression compression : {NpzCompression::kStore, NpzCompression::kDeflate}) {
    const Result<std::string> bytes = EncodeNpz(arrays, compression);
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    ExpectEveryType(*DecodeNpz(AsBytes(*bytes)));
    EXPECT_EQ(*bytes, *EncodeNpz(arrays, compression));
  }
  const std::vector<NamedTensor> zeros = {{"zeros", HostTensor({DType::kF32, {10000}})}};
  EXPECT_LT(EncodeNpz(zeros, NpzCompression::kDeflate)->size(), 1000u);
  EXPECT_GT(EncodeNpz(zeros, NpzCompression::kStore)->size(), 40000u);
}

TEST(EncodeNpz, AnEmptyArchiveIsOne) {
  const Result<std::string> bytes = EncodeNpz({});
  ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
  const Result<std::vector<NamedTensor>> back = DecodeNpz(AsBytes(*bytes));
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_TRUE(back->empty());
}

TEST(EncodeNpz, RefusesWhatNumpyCannotHoldAndNamesIt) {
  const std::vector<NamedTensor> arrays = {{"a", HostTensor()}, {"w", HostTensor({DType::kBF16, {}})}};
  EXPECT_THAT(EncodeNpz(arrays).status().message(), StartsWith("array 'w': numpy has no type bf16"));
  const std::vector<NamedTensor> twice = {{"a", HostTensor()}, {"a", HostTensor()}};
  EXPECT_EQ(EncodeNpz(twice).status().code(), Code::kInvalidArgument);
  EXPECT_THAT(EncodeNpz(twice).status().message(), HasSubstr("'a'"));
}

}  // namespace
}  // namespace headrace
