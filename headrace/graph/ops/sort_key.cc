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
Value Turned(Value bits) { return Select(Less(bits, ZerosLike(bits)), Xor(bits, Largest(bits)), bits); }

}  // namespace

Value SortKey(Value x, Zeros zeros) {
  Value key = Turned(BitcastConvert(x, SignedOf(ByteSize(x.dtype()))));
  if (zeros == Zeros::kEqual) key = Select(Equal(x, ZerosLike(x)), ZerosLike(key), key);
  return Select(NotEqual(x, x), Largest(key), key);
}

Value FromSortKey(Value key, DType dtype) { return BitcastConvert(Turned(key), dtype); }

}  // namespace headrace
