// Random numbers against those of JAX (tools/reference/random_numbers.py).
#include "headrace/graph/ops/random.h"

#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::jit {
namespace {

using Draws = std::vector<std::pair<std::string, Value>>;

Value Number(Graph& graph, uint32_t value) { return Constant(graph, HostTensor::Scalar(value)); }

Draws AllDraws(Graph& graph) {
  const Value key = Key(graph, 7);
  const Value key_64 = Key(graph, 0x123456789ABCDEF);
  const Value rows = Constant(graph, HostTensor::Of<float>({2, 1}, {0.1f, 0.9f}));
  const Value keys = SplitKey(key, Shape{4});
  auto normals = [](std::span<const Value> k) { return Values{Normal(k[0], {DType::kF32, {10}})}; };
  return {
      {"key", key},
      {"key_64", key_64},
      {"split", SplitKey(key, Shape{3})},
      {"split_2d", SplitKey(key, Shape{2, 3})},
      {"fold_in", FoldIn(key, Number(graph, 42))},
      {"fold_in_large", FoldIn(key, Number(graph, 0xFFFFFFFE))},
      {"bits_u8", RandomBits(key, {DType::kU8, {5, 7}})},
      {"bits_u16", RandomBits(key, {DType::kU16, {5, 7}})},
      {"bits_u32", RandomBits(key, {DType::kU32, {5, 7}})},
      {"bits_u64", RandomBits(key_64, {DType::kU64, {5, 7}})},
      {"bits_scalar", RandomBits(key, {DType::kU32, {}})},
      {"uniform", Uniform(key, {DType::kF32, {3, 50}})},
      {"uniform_range", Uniform(key, {DType::kF32, {3, 50}}, -0.3, 1.7)},
      {"uniform_bf16", BitcastConvert(Uniform(key, {DType::kBF16, {64}}), DType::kU16)},
      {"uniform_f16", Uniform(key, {DType::kF16, {64}})},
      {"uniform_f64", Uniform(key_64, {DType::kF64, {50}})},
      {"normal", Normal(key, {DType::kF32, {4, 250}})},
      {"normal_bf16", BitcastConvert(Normal(key, {DType::kBF16, {64}}), DType::kU16)},
      {"normal_f64", Normal(key_64, {DType::kF64, {50}})},
      {"truncated_normal", TruncatedNormal(key, -2, 2, {DType::kF32, {4, 250}})},
      {"truncated_normal_far", TruncatedNormal(key, 3, 3.25, {DType::kF32, {100}})},
      {"bernoulli", Bernoulli(key, 0.3, {200})},
      {"bernoulli_by_row", Bernoulli(key, rows, {2, 50})},
      {"randint", RandInt(key, {DType::kI32, {100}}, -3, 10)},
      {"randint_large", RandInt(key, {DType::kI32, {50}}, -2'000'000'000, 2'000'000'000)},
      {"randint_all", RandInt(key, {DType::kI32, {50}}, -(int64_t{1} << 31), (int64_t{1} << 31) - 1)},
      {"randint_u8", RandInt(key, {DType::kU8, {50}}, 0, 256)},
      {"randint_i16", RandInt(key, {DType::kI16, {50}}, -5, 1000)},
      {"randint_u32", RandInt(key, {DType::kU32, {50}}, 5, 7)},
      {"randint_i64", RandInt(key_64, {DType::kI64, {50}}, -1'000'000'000'000, 1'000'000'000'000'000)},
      {"batched", Vmap(normals, {&keys, 1}, {{0}})[0]},
  };
}

// The distance of two numbers in units of the last place of the larger.
double UlpsApart(double a, double b, int mantissa_bits) {
  const double ulp = std::ldexp(1.0, std::ilogb(std::max(std::abs(a), std::abs(b))) - mantissa_bits);
  return a == b ? 0 : std::abs(a - b) / ulp;
}

// erf_inv is a polynomial whose steps compilers fuse differently from program to program; all else is exact.
double AllowedUlps(const std::string& name) {
  return name.find("normal") == std::string::npos && name != "batched" ? 0 : 2;
}

TEST(Random, EqualsJax) {
  const auto references = ReadReferences("headrace/graph/testdata/random.safetensors");
  std::vector<std::string> names;
  const Function function = Trace("draws", Types{{DType::kF32, {}}}, [&](std::span<const Value> x) {
    Values values;
    for (const auto& [name, value] : AllDraws(x[0].graph())) {
      names.push_back(name);
      values.push_back(value);
    }
    return values;
  });
  const auto drawn = Evaluate(TestClient(), function, std::vector{HostTensor::Scalar(0.0f)});
  ASSERT_TRUE(drawn.ok()) << drawn.status().ToString();
  EXPECT_EQ(names.size(), references.size());
  for (size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const HostTensor& ours = (*drawn)[i];
    ASSERT_TRUE(references.contains(names[i]));
    const HostTensor& theirs = references.at(names[i]);
    ASSERT_EQ(ours.type(), theirs.type());
    if (std::ranges::equal(ours.bytes(), theirs.bytes())) continue;
    for (int64_t k = 0; k < ours.size(); ++k) {
      const double apart = UlpsApart(ours.At(k), theirs.At(k), ours.dtype() == DType::kF64 ? 52 : 23);
      ASSERT_LE(apart, AllowedUlps(names[i]))
          << "element " << k << ": " << ours.At(k) << ", JAX " << theirs.At(k);
    }
  }
}

TEST(Random, TakesASeedThatTheTraceComputes) {
  const Types seeds = {{DType::kU64, {}}, {DType::kI32, {}}};
  const Function function = Trace("keys", seeds, [](std::span<const Value> seed) {
    return Values{KeyFromSeed(seed[0]), KeyFromSeed(seed[1])};
  });
  const auto keys =
      Evaluate(TestClient(), function,
               std::vector{HostTensor::Scalar(uint64_t{0x123456789ABCDEF}), HostTensor::Scalar(7)});
  ASSERT_TRUE(keys.ok()) << keys.status().ToString();
  EXPECT_TRUE(std::ranges::equal((*keys)[0].data<uint32_t>(), std::vector{0x1234567u, 0x89ABCDEFu}));
  EXPECT_TRUE(std::ranges::equal((*keys)[1].data<uint32_t>(), std::vector{0u, 7u}));
}

}  // namespace
}  // namespace headrace::jit
