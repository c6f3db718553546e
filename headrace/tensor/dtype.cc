#include "headrace/tensor/dtype.h"

#include <array>
#include <limits>

namespace headrace {
namespace {

enum class Kind : uint8_t { kPred, kSigned, kUnsigned, kFloat, kComplex };

struct Row {
  std::string_view name;
  std::string_view mlir;
  std::string_view numpy;
  int bits;
  Kind kind;
  double largest = 0;  // of floats
  bool has_infinity = true;
};

// The index is the DType.
constexpr std::array<Row, 28> kRows = {{
    {"pred", "i1", "bool", 8, Kind::kPred},
    {"i2", "i2", "int2", 2, Kind::kSigned},
    {"i4", "i4", "int4", 4, Kind::kSigned},
    {"i8", "i8", "int8", 8, Kind::kSigned},
    {"i16", "i16", "int16", 16, Kind::kSigned},
    {"i32", "i32", "int32", 32, Kind::kSigned},
    {"i64", "i64", "int64", 64, Kind::kSigned},
    {"u2", "ui2", "uint2", 2, Kind::kUnsigned},
    {"u4", "ui4", "uint4", 4, Kind::kUnsigned},
    {"u8", "ui8", "uint8", 8, Kind::kUnsigned},
    {"u16", "ui16", "uint16", 16, Kind::kUnsigned},
    {"u32", "ui32", "uint32", 32, Kind::kUnsigned},
    {"u64", "ui64", "uint64", 64, Kind::kUnsigned},
    {"f4e2m1fn", "f4E2M1FN", "float4_e2m1fn", 4, Kind::kFloat, 6, false},
    {"f8e3m4", "f8E3M4", "float8_e3m4", 8, Kind::kFloat, 15.5},
    {"f8e4m3", "f8E4M3", "float8_e4m3", 8, Kind::kFloat, 240},
    {"f8e4m3fn", "f8E4M3FN", "float8_e4m3fn", 8, Kind::kFloat, 448, false},
    {"f8e4m3fnuz", "f8E4M3FNUZ", "float8_e4m3fnuz", 8, Kind::kFloat, 240, false},
    {"f8e4m3b11fnuz", "f8E4M3B11FNUZ", "float8_e4m3b11fnuz", 8, Kind::kFloat, 30, false},
    {"f8e5m2", "f8E5M2", "float8_e5m2", 8, Kind::kFloat, 57344},
    {"f8e5m2fnuz", "f8E5M2FNUZ", "float8_e5m2fnuz", 8, Kind::kFloat, 57344, false},
    {"f8e8m0fnu", "f8E8M0FNU", "float8_e8m0fnu", 8, Kind::kFloat, 0x1p127, false},
    {"f16", "f16", "float16", 16, Kind::kFloat, 65504},
    {"bf16", "bf16", "bfloat16", 16, Kind::kFloat, 0x1.fep127},
    {"f32", "f32", "float32", 32, Kind::kFloat, std::numeric_limits<float>::max()},
    {"f64", "f64", "float64", 64, Kind::kFloat, std::numeric_limits<double>::max()},
    {"c64", "complex<f32>", "complex64", 64, Kind::kComplex},
    {"c128", "complex<f64>", "complex128", 128, Kind::kComplex},
}};

const Row& RowOf(DType dtype) { return kRows.at(static_cast<size_t>(dtype)); }

}  // namespace

int ByteSize(DType dtype) { return (RowOf(dtype).bits + 7) / 8; }
int BitWidth(DType dtype) { return RowOf(dtype).bits; }
std::string_view Name(DType dtype) { return RowOf(dtype).name; }
std::string_view MlirName(DType dtype) { return RowOf(dtype).mlir; }

std::optional<DType> ParseDType(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (name == kRows[i].name || name == kRows[i].numpy) return static_cast<DType>(i);
  }
  return std::nullopt;
}

bool IsFloat(DType dtype) { return RowOf(dtype).kind == Kind::kFloat; }
double LargestFinite(DType dtype) { return RowOf(dtype).largest; }
bool HasInfinity(DType dtype) { return RowOf(dtype).has_infinity; }
bool IsComplex(DType dtype) { return RowOf(dtype).kind == Kind::kComplex; }
bool IsSigned(DType dtype) { return RowOf(dtype).kind == Kind::kSigned; }
bool IsUnsigned(DType dtype) { return RowOf(dtype).kind == Kind::kUnsigned; }

}  // namespace headrace
