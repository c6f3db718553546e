#include "headrace/graph/ops/random.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "headrace/graph/ops.h"

namespace headrace {
namespace {

using Words = std::array<Value, 2>;

Words WordsOf(Value key) {
  Require(key.type() == TensorType{DType::kU32, {2}}, "random: a key is u32[2], not {}",
          key.type().ToString());
  return {Reshape(Slice(key, 0, 0, 1), Shape()), Reshape(Slice(key, 0, 1, 2), Shape())};
}

Value KeyOf(Words words) { return Concatenate({ExpandDims(words[0], 0), ExpandDims(words[1], 0)}, 0); }

// The row-major position of every element of `shape` as a 64-bit number in two words. Made of one counter a
// dimension, so that each device counts its own block.
Words Positions(Graph& graph, const Shape& shape) {
  constexpr int64_t kWord = int64_t{1} << 32;
  const DType dtype = shape.ElementCount() <= kWord ? DType::kU32 : DType::kU64;
  const TensorType type{dtype, shape};
  const std::vector<int64_t> strides = shape.Strides();
  Value position = Full(graph, type, 0);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    const auto stride = static_cast<double>(strides[static_cast<size_t>(axis)]);
    position = position + Iota(graph, type, axis) * stride;
  }
  if (dtype == DType::kU32) return {ZerosLike(position), position};
  return {Convert(ShiftRightLogical(position, FullLike(position, 32)), DType::kU32),
          Convert(position, DType::kU32)};
}

Words HashPositions(Value key, const Shape& shape) {
  return Threefry2x32(WordsOf(key), Positions(key.graph(), shape));
}

// The unsigned type with as many bits as `dtype`.
DType UnsignedLike(DType dtype) {
  switch (ByteSize(dtype)) {
    case 1:
      return DType::kU8;
    case 2:
      return DType::kU16;
    case 4:
      return DType::kU32;
    default:
      return DType::kU64;
  }
}

int MantissaBits(DType dtype) {
  switch (dtype) {
    case DType::kF8E5M2:
      return 2;
    case DType::kF8E4M3FN:
      return 3;
    case DType::kBF16:
      return 7;
    case DType::kF16:
      return 10;
    case DType::kF32:
      return 23;
    case DType::kF64:
      return 52;
    default:
      Fail("random: draws no {}; draw f32 and convert it", Name(dtype));
  }
}

// The bits of a floating-point number, in the unsigned type of its size.
HostTensor BitsOf(DType dtype, double number) {
  HostTensor scalar({dtype, {}});
  scalar.Set(0, number);
  HostTensor bits({UnsignedLike(dtype), {}});
  std::memcpy(bits.mutable_bytes().data(), scalar.bytes().data(), scalar.bytes().size());
  return bits;
}

// Floats in [0, 1): random mantissas under the exponent of [1, 2), less 1.
Value UnitFloats(Value key, const TensorType& type) {
  const DType bits_dtype = UnsignedLike(type.dtype);
  const int mantissa = MantissaBits(type.dtype);
  // Mantissas of less than 8 bits are drawn from 8, as JAX does.
  const DType drawn_dtype = mantissa < 8 ? DType::kU8 : bits_dtype;
  const Value drawn = Convert(RandomBits(key, {drawn_dtype, type.shape}), bits_dtype);
  const Value bits = ShiftRightLogical(drawn, FullLike(drawn, 8 * ByteSize(drawn_dtype) - mantissa));
  const Value one = Constant(key.graph(), BitsOf(type.dtype, 1));
  return BitcastConvert(Or(bits, one), type.dtype) - 1.0;
}

// The number next to `number` in `dtype`, on the way to `towards`.
double NextAfter(DType dtype, double number, double towards) {
  HostTensor scalar({dtype, {}});
  scalar.Set(0, number);
  uint64_t bits = 0;
  std::memcpy(&bits, scalar.bytes().data(), scalar.bytes().size());  // little-endian
  if (scalar.At(0) == 0) {
    const uint64_t sign = uint64_t{1} << (8 * ByteSize(dtype) - 1);
    bits = towards > 0 ? 1 : sign + 1;
  } else {
    bits += (towards > number) == (number > 0) ? uint64_t{1} : ~uint64_t{0};
  }
  std::memcpy(scalar.mutable_bytes().data(), &bits, scalar.bytes().size());
  return scalar.At(0);
}

Value WordScalar(Graph& graph, DType dtype, uint64_t value) {
  return Constant(graph, dtype == DType::kU64 ? HostTensor::Scalar<uint64_t>(value)
                                              : HostTensor::Scalar<uint32_t>(static_cast<uint32_t>(value)));
}

// sqrt(2) * erf_inv(u): standard normal for u uniform over (-1, 1).
Value NormalOf(Value u) { return ErfInv(u) * std::sqrt(2.0); }

}  // namespace

Value Key(Graph& graph, uint64_t seed) {
  return Constant(
      graph, HostTensor::Of<uint32_t>({2}, {static_cast<uint32_t>(seed >> 32), static_cast<uint32_t>(seed)}));
}

Value KeyFromSeed(Value seed) {
  Require(IsInteger(seed.dtype()) && seed.rank() == 0, "random: a seed is an integer scalar, not {}",
          seed.type().ToString());
  const Value low = Convert(seed, DType::kU32);
  if (ByteSize(seed.dtype()) < 8) return KeyOf({ZerosLike(low), low});
  return KeyOf({Convert(ShiftRightLogical(seed, FullLike(seed, 32)), DType::kU32), low});
}

Value FoldIn(Value key, Value number) {
  Require(IsInteger(number.dtype()) && number.rank() == 0,
          "random: what is folded into a key is an integer scalar, not {}", number.type().ToString());
  const Value word = Convert(number, DType::kU32);
  return KeyOf(Threefry2x32(WordsOf(key), {ZerosLike(word), word}));
}

Value SplitKey(Value key, const Shape& shape) {
  const Words words = HashPositions(key, shape);
  return Concatenate({ExpandDims(words[0], -1), ExpandDims(words[1], -1)}, -1);
}

Values SplitKey(Value key, int count) {
  const Value keys = SplitKey(key, Shape{count});
  Values split;
  for (int i = 0; i < count; ++i) split.push_back(Reshape(Slice(keys, 0, i, i + 1), {2}));
  return split;
}

Value RandomBits(Value key, const TensorType& type) {
  Require(IsUnsigned(type.dtype), "random: bits are unsigned, not {}", type.ToString());
  const Words words = HashPositions(key, type.shape);
  if (type.dtype != DType::kU64) return Convert(Xor(words[0], words[1]), type.dtype);
  const Value high = Convert(words[0], DType::kU64);
  return Or(ShiftLeft(high, FullLike(high, 32)), Convert(words[1], DType::kU64));
}

Value Uniform(Value key, const TensorType& type, Value low, Value high) {
  Require(IsFloat(type.dtype), "random: uniform numbers are floating-point, not {}", type.ToString());
  // Rounding can reach below `low`, hence the maximum.
  return Maximum(low, UnitFloats(key, type) * (high - low) + low);
}

Value Uniform(Value key, const TensorType& type, double low, double high) {
  Graph& graph = key.graph();
  return Uniform(key, type, Scalar(graph, type.dtype, low), Scalar(graph, type.dtype, high));
}

Value Normal(Value key, const TensorType& type) {
  return NormalOf(Uniform(key, type, NextAfter(type.dtype, -1, 0), 1));
}

Value TruncatedNormal(Value key, double lower, double upper, const TensorType& type) {
  Require(lower < upper, "random: no number is above {} and below {}", lower, upper);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Graph& graph = key.graph();
  const Value root = Scalar(graph, type.dtype, std::sqrt(2.0));
  const Value low = Erf(Scalar(graph, type.dtype, lower) / root);
  const Value high = Erf(Scalar(graph, type.dtype, upper) / root);
  const Value x = NormalOf(Uniform(key, type, low, high));
  return Minimum(Maximum(x, NextAfter(type.dtype, lower, kInfinity)),
                 NextAfter(type.dtype, upper, -kInfinity));
}

Value Bernoulli(Value key, Value p, const Shape& shape) { return Less(Uniform(key, {p.dtype(), shape}), p); }

Value Bernoulli(Value key, double p, const Shape& shape) {
  return Bernoulli(key, Scalar(key.graph(), DType::kF32, p), shape);
}

Value RandInt(Value key, const TensorType& type, int64_t low, int64_t high) {
  Require(IsInteger(type.dtype), "random: integers of type {} cannot be drawn", type.ToString());
  const int bits = 8 * ByteSize(type.dtype);
  const int64_t least = IsUnsigned(type.dtype) ? 0 : std::numeric_limits<int64_t>::min() >> (64 - bits);
  const int64_t most = IsUnsigned(type.dtype) && bits < 64    ? (int64_t{1} << bits) - 1
                       : IsUnsigned(type.dtype) || bits == 64 ? std::numeric_limits<int64_t>::max()
                                                              : (int64_t{1} << (bits - 1)) - 1;
  Require(low < high, "random: there is no integer in [{}, {})", low, high);
  Require(low >= least && high - 1 <= most, "random: integers of [{}, {}) do not fit into {}", low, high,
          type.ToString());
  // Small types are drawn in 32 bits.
  const TensorType drawn{bits < 32 ? DType::kI32 : type.dtype, type.shape};
  const TensorType word{UnsignedLike(drawn.dtype), type.shape};
  const uint64_t mask = ByteSize(word.dtype) == 4 ? 0xffffffff : ~uint64_t{0};
  const uint64_t span = (static_cast<uint64_t>(high) - static_cast<uint64_t>(low)) & mask;  // 0: all words

  const Values keys = SplitKey(key);
  const Value upper = RandomBits(keys[0], word);
  const Value lower = RandomBits(keys[1], word);
  Value offset = lower;
  if (span != 0) {
    // (upper * 2^bits + lower) mod span, with the power of two reduced first.
    const uint64_t half = (uint64_t{1} << (4 * ByteSize(word.dtype))) % span;
    const Value power = WordScalar(key.graph(), word.dtype, ((half * half) & mask) % span);
    const Value modulus = WordScalar(key.graph(), word.dtype, span);
    offset = Rem(Rem(upper, modulus) * power + Rem(lower, modulus), modulus);
  }
  const Value base = WordScalar(key.graph(), word.dtype, static_cast<uint64_t>(low) & mask);
  return Convert(BitcastConvert(offset + base, drawn.dtype), type.dtype);
}

}  // namespace headrace
