#include "headrace/tensor/internal/safetensors_format.h"

namespace headrace {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
};

constexpr Row kRows[] = {
    {DType::kPred, "BOOL"},        {DType::kI8, "I8"},          {DType::kI16, "I16"},
    {DType::kI32, "I32"},          {DType::kI64, "I64"},        {DType::kU8, "U8"},
    {DType::kU16, "U16"},          {DType::kU32, "U32"},        {DType::kU64, "U64"},
    {DType::kF8E4M3FN, "F8_E4M3"}, {DType::kF8E5M2, "F8_E5M2"}, {DType::kF16, "F16"},
    {DType::kBF16, "BF16"},        {DType::kF32, "F32"},        {DType::kF64, "F64"},
    {DType::kC64, "C64"},
};

}  // namespace

std::optional<std::string_view> SafetensorsTypeName(DType dtype) {
  for (const Row& row : kRows) {
    if (row.dtype == dtype) return row.name;
  }
  return std::nullopt;
}

std::optional<DType> ParseSafetensorsType(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

}  // namespace headrace
