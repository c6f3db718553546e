#include "headrace/runtime/internal/element_type.h"

#include <fmt/core.h>
#include <pjrt_c_api.h>

#include <string_view>

namespace headrace::runtime::internal {
namespace {

// One element type under its three numbers. PJRT's are in pjrt_c_api.h, XLA's in the enum xla.PrimitiveType.
struct ElementType {
  int pjrt;
  int xla;
  std::string_view name;
  std::optional<DType> dtype;
};

constexpr ElementType kElementTypes[] = {
    {PJRT_Buffer_Type_PRED, 1, "pred", DType::kPred},
    {PJRT_Buffer_Type_S8, 2, "s8", DType::kI8},
    {PJRT_Buffer_Type_S16, 3, "s16", DType::kI16},
    {PJRT_Buffer_Type_S32, 4, "s32", DType::kI32},
    {PJRT_Buffer_Type_S64, 5, "s64", DType::kI64},
    {PJRT_Buffer_Type_U8, 6, "u8", DType::kU8},
    {PJRT_Buffer_Type_U16, 7, "u16", DType::kU16},
    {PJRT_Buffer_Type_U32, 8, "u32", DType::kU32},
    {PJRT_Buffer_Type_U64, 9, "u64", DType::kU64},
    {PJRT_Buffer_Type_F16, 10, "f16", DType::kF16},
    {PJRT_Buffer_Type_F32, 11, "f32", DType::kF32},
    {PJRT_Buffer_Type_F64, 12, "f64", DType::kF64},
    {PJRT_Buffer_Type_C64, 15, "c64", DType::kC64},
    {PJRT_Buffer_Type_BF16, 16, "bf16", DType::kBF16},
    {PJRT_Buffer_Type_TOKEN, 17, "token", std::nullopt},
    {PJRT_Buffer_Type_C128, 18, "c128", DType::kC128},
    {PJRT_Buffer_Type_F8E5M2, 19, "f8e5m2", DType::kF8E5M2},
    {PJRT_Buffer_Type_F8E4M3FN, 20, "f8e4m3fn", DType::kF8E4M3FN},
    {PJRT_Buffer_Type_S4, 21, "s4", DType::kI4},
    {PJRT_Buffer_Type_U4, 22, "u4", DType::kU4},
    {PJRT_Buffer_Type_F8E4M3B11FNUZ, 23, "f8e4m3b11fnuz", DType::kF8E4M3B11FNUZ},
    {PJRT_Buffer_Type_F8E5M2FNUZ, 24, "f8e5m2fnuz", DType::kF8E5M2FNUZ},
    {PJRT_Buffer_Type_F8E4M3FNUZ, 25, "f8e4m3fnuz", DType::kF8E4M3FNUZ},
    {PJRT_Buffer_Type_S2, 26, "s2", DType::kI2},
    {PJRT_Buffer_Type_U2, 27, "u2", DType::kU2},
    {PJRT_Buffer_Type_F8E4M3, 28, "f8e4m3", DType::kF8E4M3},
    {PJRT_Buffer_Type_F8E3M4, 29, "f8e3m4", DType::kF8E3M4},
    {PJRT_Buffer_Type_F4E2M1FN, 32, "f4e2m1fn", DType::kF4E2M1FN},
    {PJRT_Buffer_Type_F8E8M0FNU, 33, "f8e8m0fnu", DType::kF8E8M0FNU},
};

const ElementType* ByPjrt(int type) {
  for (const ElementType& known : kElementTypes) {
    if (known.pjrt == type) return &known;
  }
  return nullptr;
}

const ElementType* ByXla(int type) {
  for (const ElementType& known : kElementTypes) {
    if (known.xla == type) return &known;
  }
  return nullptr;
}

}  // namespace

int ToPjrt(DType dtype) {
  for (const ElementType& known : kElementTypes) {
    if (known.dtype == dtype) return known.pjrt;
  }
  return PJRT_Buffer_Type_INVALID;
}

std::optional<DType> FromPjrt(int type) {
  const ElementType* known = ByPjrt(type);
  return known == nullptr ? std::nullopt : known->dtype;
}

std::string PjrtTypeName(int type) {
  const ElementType* known = ByPjrt(type);
  return known == nullptr ? fmt::format("PJRT type {}", type) : std::string(known->name);
}

std::optional<DType> FromXla(int type) {
  const ElementType* known = ByXla(type);
  return known == nullptr ? std::nullopt : known->dtype;
}

std::string XlaTypeName(int type) {
  const ElementType* known = ByXla(type);
  return known == nullptr ? fmt::format("type{}", type) : std::string(known->name);
}

}  // namespace headrace::runtime::internal
