#include "headrace/tensor/npy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "headrace/tensor/npz.h"
#include "headrace/tensor/test/testdata.h"

namespace headrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A version 1 file of this header and data.
std::string File(std::string_view header, std::string_view data = "") {
  return fmt::format("\x93NUMPY{}{}{}{}{}{}", '\1', '\0', static_cast<char>(header.size() & 0xff),
                     static_cast<char>(header.size() >> 8), header, data);
}

std::string Header(std::string_view descr, std::string_view shape, std::string_view order = "False") {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", descr, order, shape);
}

std::string ErrorOf(const std::string& bytes) { return DecodeNpy(AsBytes(bytes)).status().ToString(); }

std::vector<double> Iota(int count) {
  std::vector<double> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

TEST(DecodeNpy, ReadsEveryVersionAndOrder) {
  for (const char* name : {"grid", "grid_v2", "grid_v3", "fortran"}) {
    const Result<HostTensor> grid =
        DecodeNpy(AsBytes(ReadTestdata("npy_fuzz/" + std::string(name) + ".npy")));
    ASSERT_TRUE(grid.ok()) << name << ": " << grid.status().ToString();
    EXPECT_EQ(grid->type().ToString(), "f32[2, 3, 4]") << name;
    EXPECT_EQ(Values(*grid), Iota(24)) << name;
  }
}

TEST(DecodeNpy, ReadsScalarsVectorsAndEmptyArrays) {
  const HostTensor scalar = *DecodeNpy(AsBytes(ReadTestdata("npy_fuzz/scalar.npy")));
  EXPECT_EQ(scalar.type().ToString(), "f64[]");
  EXPECT_EQ(scalar.At(0), 2.5);
  const HostTensor vector = *DecodeNpy(AsBytes(ReadTestdata("npy_fuzz/fortran_vector.npy")));
  EXPECT_THAT(vector.data<int32_t>(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(DecodeNpy(AsBytes(ReadTestdata("npy_fuzz/empty.npy")))->type().ToString(), "i16[0, 3]");
}

TEST(DecodeNpy, ViewsAlignedDataThatIsOwned) {
  const auto bytes = std::make_shared<std::string>(ReadTestdata("npy_fuzz/grid.npy"));
  const size_t start = bytes->size() - 24 * sizeof(float);
  EXPECT_EQ(static_cast<const void*>(DecodeNpy(AsBytes(*bytes), bytes)->bytes().data()),
            bytes->data() + start);
  EXPECT_NE(static_cast<const void*>(DecodeNpy(AsBytes(*bytes))->bytes().data()), bytes->data() + start);
  // The same at an odd address is copied.
  const auto shifted = std::make_shared<std::string>("x" + *bytes);
  const HostTensor copy = *DecodeNpy(AsBytes(*shifted).subspan(1), shifted);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(copy.bytes().data()) % 64, 0u);
  EXPECT_EQ(Values(copy), Iota(24));
}

TEST(DecodeNpy, TransposesEveryWidth) {
  const HostTensor x =
      *DecodeNpy(AsBytes(File(Header("<u2", "(2, 3)", "True"), std::string("\0\0\3\0\1\0\4\0\2\0\5\0", 12))));
  EXPECT_THAT(x.data<uint16_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
  const HostTensor b =
      *DecodeNpy(AsBytes(File(Header("|b1", "(2, 1, 2)", "True"), std::string("\0\0\1\1", 4))));
  EXPECT_THAT(b.data<bool>(), ElementsAre(false, true, false, true));
}

TEST(DecodeNpy, TakesHeadersThatNumpyTakes) {
  for (const char* header : {
           "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}",
           "{\"shape\":(2L,),\"descr\":\"<i4\",\"fortran_order\":False}",
           "  { 'fortran_order' : False , 'descr' : '<i4' , 'shape' : ( 2 , ) , }  \n",
       }) {
    const Result<HostTensor> x = DecodeNpy(AsBytes(File(header, std::string("\1\0\0\0\2\0\0\0", 8))));
    ASSERT_TRUE(x.ok()) << header << ": " << x.status().ToString();
    EXPECT_THAT(x->data<int32_t>(), ElementsAre(1, 2));
  }
}

TEST(DecodeNpy, RefusesWhatItCannotHoldAndSaysWhatToDo) {
  EXPECT_EQ(ErrorOf(ReadTestdata("npy_fuzz/big_endian.npy")),
            "UNIMPLEMENTED: the numbers are big-endian ('>f4'); save a.astype(a.dtype.newbyteorder('<'))");
  EXPECT_EQ(
      ErrorOf(ReadTestdata("npy_fuzz/bfloat16.npy")),
      "UNIMPLEMENTED: the type '<V2' is what numpy makes of bfloat16 and float8 and does not say which; save "
      "a.astype('float32') instead, or use safetensors");
  EXPECT_THAT(ErrorOf(ReadTestdata("npy_fuzz/float8.npy")),
              HasSubstr("the type '<f1' is what numpy makes of"));
  EXPECT_EQ(ErrorOf(ReadTestdata("npy_fuzz/fields.npy")),
            "UNIMPLEMENTED: the array has named fields; save each field as an array of its own");
  EXPECT_EQ(ErrorOf(ReadTestdata("npy_fuzz/objects.npy")),
            "UNIMPLEMENTED: the array holds Python objects; save an array of numbers");
  EXPECT_EQ(
      ErrorOf(ReadTestdata("npy_fuzz/text.npy")),
      "UNIMPLEMENTED: the type '<U2' is not supported; save bools, integers, floats or complex numbers");
}

TEST(DecodeNpy, RefusesWhatIsNone) {
  const std::string magic = "INVALID_ARGUMENT: not a .npy file: it does not begin as numpy's do";
  EXPECT_EQ(ErrorOf(""), magic);
  EXPECT_EQ(ErrorOf("PK\3\4"), magic);
  EXPECT_EQ(ErrorOf(std::string("\x93NUMPY\4\0", 8)),
            "UNIMPLEMENTED: a .npy file of format version 4; known are 1 to 3");
}

TEST(DecodeNpy, RefusesEveryTruncation) {
  const std::string whole = ReadTestdata("npy_fuzz/grid.npy");
  for (size_t size = 6; size < whole.size(); ++size) {
    const Status status = DecodeNpy(AsBytes(whole.substr(0, size))).status();
    ASSERT_EQ(status.code(), Code::kDataLoss) << size;
    ASSERT_THAT(status.message(), HasSubstr("cut short"));
  }
  EXPECT_EQ(ErrorOf(whole + "x"),
            "DATA_LOSS: f32[2, 3, 4] needs 96 bytes, but the .npy file holds 97; it is cut short or damaged");
}

TEST(DecodeNpy, RefusesBrokenHeaders) {
  const auto broken = [](std::string_view why) {
    return fmt::format("DATA_LOSS: the header is not numpy's ({}); the file is damaged", why);
  };
  EXPECT_EQ(ErrorOf(File("")), broken("'{' is missing"));
  EXPECT_EQ(ErrorOf(File("{}")), broken("it does not hold descr, fortran_order and shape"));
  EXPECT_EQ(ErrorOf(File("{'descr")), broken("a string does not end"));
  EXPECT_EQ(ErrorOf(File("{descr: 1}")), broken("a string is missing"));
  EXPECT_EQ(ErrorOf(File("{'shape': (1,), 'shape': (1,)}")), broken("the key 'shape' comes twice"));
  EXPECT_EQ(ErrorOf(File("{'size': 1}")), broken("it has the key 'size'"));
  EXPECT_EQ(ErrorOf(File("{'shape' (1,)}")), broken("':' is missing"));
  EXPECT_EQ(ErrorOf(File("{'fortran_order': 0}")), broken("fortran_order is neither True nor False"));
  EXPECT_EQ(ErrorOf(File(Header("<f4", "(-1,)"))), broken("a size in shape is not a whole number"));
  EXPECT_EQ(ErrorOf(File(Header("<f4", "(99999999999999999999,)"))),
            broken("a size in shape is not a whole number"));
  EXPECT_EQ(ErrorOf(File(Header("<f4", "(1 2)"))), broken("')' is missing"));
  EXPECT_EQ(ErrorOf(File(Header("<f4", "()") + "x")), broken("something follows the dictionary"));
}

TEST(DecodeNpy, RefusesSizesThatOverflow) {
  EXPECT_EQ(ErrorOf(File(Header("<f8", "(4611686018427387904, 4)"))),
            "DATA_LOSS: f64[4611686018427387904, 4] is too large to be true");
  EXPECT_EQ(ErrorOf(File(Header("<f8", "(4611686018427387904, 0, 4611686018427387904)"))),
            "DATA_LOSS: f64[4611686018427387904, 0, 4611686018427387904] is too large to be true");
}

TEST(DecodeNpy, RefusesBoolsThatAreNone) {
  EXPECT_EQ(ErrorOf(File(Header("|b1", "(3,)"), std::string("\0\1\7", 3))),
            "DATA_LOSS: bool 2 of 3 is 7, not 0 or 1; the data are damaged");
}

TEST(EncodeNpy, WritesEveryTypeSoThatItIsReadBack) {
  const std::vector<NamedTensor> arrays = *DecodeNpz(AsBytes(ReadTestdata("npz_fuzz/types.npz")));
  for (const NamedTensor& array : arrays) {
    const Result<std::string> bytes = EncodeNpy(array.tensor);
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    EXPECT_EQ((bytes->size() - array.tensor.bytes().size()) % 64, 0u);
    const HostTensor back = *DecodeNpy(AsBytes(*bytes));
    EXPECT_EQ(back.type(), array.tensor.type());
    EXPECT_TRUE(std::ranges::equal(back.bytes(), array.tensor.bytes())) << array.name;
  }
}

TEST(EncodeNpy, WritesEveryRank) {
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{0}, Shape{1, 1}, Shape(std::vector<int64_t>(64, 1))}) {
    EXPECT_EQ(DecodeNpy(AsBytes(*EncodeNpy(HostTensor({DType::kI8, shape}))))->shape(), shape);
  }
}

TEST(EncodeNpy, RefusesWhatNumpyCannotHold) {
  EXPECT_EQ(EncodeNpy(HostTensor({DType::kBF16, {}})).status().ToString(),
            "UNIMPLEMENTED: numpy has no type bf16; convert the tensor to f32 first, or use safetensors");
  EXPECT_EQ(EncodeNpy(HostTensor({DType::kI8, Shape(std::vector<int64_t>(65, 1))})).status().ToString(),
            "INVALID_ARGUMENT: numpy holds at most 64 dimensions, and this array has 65; reshape it");
}

}  // namespace
}  // namespace headrace
