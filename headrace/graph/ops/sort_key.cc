#include "headrace/graph/ops/sort_key.h"

#include <cmath>

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/monoid.h"

namespace headrace {
namespace {

DType SignedOf(int bytes) {
  switch (bytes) {
    case 1:
      return DType::kI8;
    case 2:
      return DType::kI16;
    case 4:
      return DType::kI32;
    default:
      return DType::kI64;
  }
}

// The largest signed integer: every bit but the sign.
Value Largest(Value like) { return Constant(like.graph(), InitialValue(Reduction::kMin, like.dtype())); }

// Without their sign, the bits of floats rise with their magnitude; so of negative ones all bits but the sign
// are turned round. Its own inverse.
Value Turned(Value bits) {
  // One after the other: the order of arguments is the compiler's, and programs must not depend on it.
  const Value turned = Xor(bits, Largest(bits));
  const Value negative = Less(bits, ZerosLike(bits));
  return Select(negative, turned, bits);
}

// Floats that are sorted as f32: their bits are no whole byte, or have no sign.
bool IsOdd(DType dtype) { return BitWidth(dtype) < 8 || dtype == DType::kF8E8M0FNU; }

}  // namespace

Value SortKey(Value x, Zeros zeros) {
  if (IsOdd(x.dtype())) x = Convert(x, DType::kF32);
  Value key = Turned(BitcastConvert(x, SignedOf(ByteSize(x.dtype()))));
  if (zeros == Zeros::kEqual) {
    const Value none = ZerosLike(key);
    key = Select(Equal(x, ZerosLike(x)), none, key);
  }
  const Value largest = Largest(key);
  return Select(NotEqual(x, x), largest, key);
}

Value FromSortKey(Value key, DType dtype) {
  if (IsOdd(dtype)) return Convert(BitcastConvert(Turned(key), DType::kF32), dtype);
  return BitcastConvert(Turned(key), dtype);
}

}  // namespace headrace
