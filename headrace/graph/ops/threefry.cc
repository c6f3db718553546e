#include "headrace/graph/ops/threefry.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

constexpr uint32_t kParity = 0x1BD11BDA;
constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};

Value RotateLeft(Value x, int distance) {
  // One statement each, since compilers differ in which argument of a call they make first.
  const Value high = ShiftLeft(x, FullLike(x, distance));
  const Value low = ShiftRightLogical(x, FullLike(x, 32 - distance));
  return Or(high, low);
}

// Five times: four rounds, then the next two words of the key schedule are added.
Values Hash(std::span<const Value> operands) {
  const Value k0 = operands[0];
  const Value k1 = operands[1];
  const Value k2 = Xor(k0, k1);
  const Value schedule[3] = {k0, k1, Xor(k2, FullLike(k2, kParity))};
  Value x0 = operands[2] + k0;
  Value x1 = operands[3] + k1;
  for (int block = 0; block < 5; ++block) {
    for (int distance : kRotations[block % 2]) {
      x0 = x0 + x1;
      x1 = Xor(x0, RotateLeft(x1, distance));
    }
    x0 = x0 + schedule[(block + 1) % 3];
    x1 = x1 + schedule[(block + 2) % 3];
    x1 = x1 + FullLike(x1, block + 1);
  }
  return {x0, x1};
}

struct Threefry2x32Op final : OpOf<Threefry2x32Op> {
  static constexpr std::string_view kName = "threefry2x32";
  int Arity() const override { return 4; }
  Types Infer(TypeSpan x) const override {
    for (const TensorType& type : x) {
      Require(type.dtype == DType::kU32, "hashes u32");
      Require(type.shape == x[0].shape, "shapes differ");
    }
    return {x[0], x[0]};
  }
  // A call, since the rounds are a hundred lines.
  void Emit(const Node& node, Emitter& e) const override {
    const TensorType& type = node.types[0];
    const std::string symbol = e.Declare(fmt::format("{} {}", kName, type.ToString()),
                                         [&] { return Trace(std::string(kName), Types(4, type), Hash); });
    e.Call(symbol, node);
  }
  Values Gradient(const Node&, std::span<const Value>) const override { return Values(4); }
  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    return ApplyMany(*this, BroadcastBatch(x, size));
  }
};

}  // namespace

std::vector<OpEntry> ThreefryOps() { return EntriesOf<Threefry2x32Op>(); }

std::array<Value, 2> Threefry2x32(std::array<Value, 2> key, std::array<Value, 2> counters) {
  const Values hashed =
      ApplyMany(Threefry2x32Op(), BroadcastTogether({key[0], key[1], counters[0], counters[1]}));
  return {hashed[0], hashed[1]};
}

}  // namespace headrace
