#include "headrace/tensor/dtype.h"

#include <array>

namespace headrace {
namespace {

enum class Kind : uint8_t { kPred, kSigned, kUnsigned, kFloat, kComplex };

struct Row {
  std::string_view name;
  std::string_view mlir;
  std::string_view numpy;
  int bytes;
  Kind kind;
};

// The index is the DType.
constexpr std::array<Row, 17> kRows = {{
    {"pred", "i1", "bool", 1, Kind::kPred},
    {"i8", "i8", "int8", 1, Kind::kSigned},
    {"i16", "i16", "int16", 2, Kind::kSigned},
    {"i32", "i32", "int32", 4, Kind::kSigned},
    {"i64", "i64", "int64", 8, Kind::kSigned},
    {"u8", "ui8", "uint8", 1, Kind::kUnsigned},
    {"u16", "ui16", "uint16", 2, Kind::kUnsigned},
    {"u32", "ui32", "uint32", 4, Kind::kUnsigned},
    {"u64", "ui64", "uint64", 8, Kind::kUnsigned},
    {"f8e4m3fn", "f8E4M3FN", "float8_e4m3fn", 1, Kind::kFloat},
    {"f8e5m2", "f8E5M2", "float8_e5m2", 1, Kind::kFloat},
    {"f16", "f16", "float16", 2, Kind::kFloat},
    {"bf16", "bf16", "bfloat16", 2, Kind::kFloat},
    {"f32", "f32", "float32", 4, Kind::kFloat},
    {"f64", "f64", "float64", 8, Kind::kFloat},
    {"c64", "complex<f32>", "complex64", 8, Kind::kComplex},
    {"c128", "complex<f64>", "complex128", 16, Kind::kComplex},
}};

const Row& RowOf(DType dtype) { return kRows.at(static_cast<size_t>(dtype)); }

}  // namespace

int ByteSize(DType dtype) { return RowOf(dtype).bytes; }
std::string_view Name(DType dtype) { return RowOf(dtype).name; }
std::string_view MlirName(DType dtype) { return RowOf(dtype).mlir; }

std::optional<DType> ParseDType(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (name == kRows[i].name || name == kRows[i].numpy) return static_cast<DType>(i);
  }
  return std::nullopt;
}

bool IsFloat(DType dtype) { return RowOf(dtype).kind == Kind::kFloat; }
bool IsComplex(DType dtype) { return RowOf(dtype).kind == Kind::kComplex; }
bool IsSigned(DType dtype) { return RowOf(dtype).kind == Kind::kSigned; }
bool IsUnsigned(DType dtype) { return RowOf(dtype).kind == Kind::kUnsigned; }

}  // namespace headrace
