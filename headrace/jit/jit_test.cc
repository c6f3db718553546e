#include "headrace/jit/jit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

const TensorType kVector = {DType::kF32, {8}};

Values Square(std::span<const Value> x) { return {x[0] * x[0]}; }

HostTensor Counting(Shape shape) {
  HostTensor tensor({DType::kF32, std::move(shape)});
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, static_cast<double>(i));
  return tensor;
}

TEST(Jit, TracesACompiledFunctionOnceASignature) {
  Devices devices = *Devices::Of(TestClient());
  Jit square(devices, "square", Square);
  Array x = *devices.Put(HostTensor::Of<float>({2}, {3, 4}));
  for (int i = 0; i < 2; ++i) {
    auto y = square({&x});
    ASSERT_TRUE(y.ok()) << y.status().ToString();
    EXPECT_THAT(y->at(0).ToHost()->data<float>(), ElementsAre(9, 16));
  }
  EXPECT_EQ(square.compiled(), 1u);
  Array longer = *devices.Put(HostTensor::Of<float>({3}, {1, 2, 3}));
  EXPECT_TRUE(square({&longer}).ok());
  EXPECT_EQ(square.compiled(), 2u);
}

TEST(Jit, ReportsWhatIsWrongWithTheExpression) {
  Devices devices = *Devices::Of(TestClient());
  Jit bad(devices, "bad", [](std::span<const Value> x) {
    auto entered = x[0].graph().Enter("layers.0");
    return Values{Dot(x[0], x[0])};
  });
  Array x = *devices.Put(Counting({2, 3}));
  const Status status = bad({&x}).status();
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("dot_general(f32[2, 3], f32[2, 3]): contracting dimensions differ in size"));
  EXPECT_THAT(status.message(), HasSubstr("(in layers.0)"));
}

TEST(Jit, DonatedArgumentsAreGone) {
  Devices devices = *Devices::Of(TestClient());
  Jit step(devices, "step", [](std::span<const Value> x) { return Values{x[0] + 1.0}; }, {0});
  Array x = *devices.Put(Counting({1024}));
  auto y = step({&x});
  ASSERT_TRUE(y.ok()) << y.status().ToString();
  EXPECT_TRUE(x.shards()[0].IsDeleted());
  EXPECT_EQ(y->at(0).ToHost()->data<float>()[5], 6.0f);
}

TEST(Program, RefusesWrongArgumentsByIndexAndType) {
  Devices devices = *Devices::Of(TestClient());
  Function function = *TryTrace("square", {&kVector, 1}, Square);
  Program program = *Program::Compile(devices, function);
  Array x = *devices.Put(Counting({4}));
  EXPECT_THAT(program.Run({&x}).status().message(),
              HasSubstr("argument 0 is f32[4]; the program takes f32[8]"));
  EXPECT_THAT(program.Run({&x, &x}).status().message(), HasSubstr("takes 1 arguments, not 2"));
}

// As StableHLO has it. XLA's CPU compiler drops NaN there unless it is told not to.
TEST(Program, KeepsNanInMinimumAndMaximum) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const HostTensor x = HostTensor::Of<float>({4}, {1, nan, 3, -2});
  const TensorType& type = x.type();
  const auto body = [](std::span<const Value> v) {
    const Value one = OnesLike(v[0]);
    return Values{Maximum(v[0], one), Minimum(one, v[0]), Clamp(ZerosLike(one), v[0], one), CumMax(v[0], 0),
                  BroadcastTo(Max(v[0], {0}), v[0].shape())};
  };
  const auto got = Evaluate(TestClient(), *TryTrace("nan", {&type, 1}, body), {&x, 1});
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  const auto at = [&](size_t result) { return got->at(result).template data<float>(); };
  EXPECT_THAT(at(0), ElementsAre(1, IsNan(), 3, 1));
  EXPECT_THAT(at(1), ElementsAre(1, IsNan(), 1, -2));
  EXPECT_THAT(at(2), ElementsAre(1, IsNan(), 1, 0));
  EXPECT_THAT(at(3), ElementsAre(1, IsNan(), IsNan(), IsNan()));
  EXPECT_THAT(at(4), ElementsAre(IsNan(), IsNan(), IsNan(), IsNan()));
}

// A gradient of a mean over a sharded batch: XLA must reduce over the devices.
TEST(Program, ShardedOverDevicesEqualsOne) {
  const Types types = {{DType::kF32, {8, 4}}, {DType::kF32, {4, 2}}};
  auto body = [](std::span<const Value> x) {
    const Value loss = Mean(Tanh(Dot(x[0], x[1])));
    Values results = Gradient(loss, x.subspan(1, 1));
    results.push_back(loss);
    return results;
  };
  const Function function = *TryTrace("loss", types, body);
  const HostTensor batch = Counting({8, 4});
  const HostTensor weight = HostTensor::Of<float>({4, 2}, {.1f, -.2f, .3f, .05f, -.1f, .2f, .02f, -.04f});
  const auto expected = Evaluate(TestClient(), function, std::vector{batch, weight});
  ASSERT_TRUE(expected.ok()) << expected.status().ToString();

  for (int64_t count : {1, 2, 4, 8}) {
    Devices devices = *Devices::Of(TestClient(), Mesh{{{"data", count}}});
    const Sharding split{{{"data"}, {}}};
    const Sharding whole = Sharding::Replicated(2);
    auto program = Program::Compile(devices, function,
                                    {.parameter_shardings = {split, whole},
                                     .result_shardings = {whole, Sharding::Replicated(0)},
                                     .donations = {}});
    ASSERT_TRUE(program.ok()) << program.status().ToString();
    Array x = *devices.Put(batch, split);
    Array w = *devices.Put(weight, whole);
    auto results = program->Run({&x, &w});
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    for (size_t i = 0; i < 2; ++i) {
      const HostTensor got = *results->at(i).ToHost();
      for (int64_t k = 0; k < got.size(); ++k) {
        // Vectorized over other lengths, tanh rounds otherwise, and 1 - tanh^2 near 0 magnifies that.
        const double want = expected->at(i).At(k);
        EXPECT_NEAR(got.At(k), want, 1e-6 * (1 + std::fabs(want))) << count << " devices";
      }
    }
  }
}

TEST(Array, ComesBackFromShardsInEveryLayout) {
  Devices devices = *Devices::Of(TestClient(), Mesh{{{"a", 2}, {"b", 4}}});
  const HostTensor tensor = Counting({4, 8, 3});
  for (const Sharding& sharding :
       {Sharding{{{}, {}, {}}}, Sharding{{{"a"}, {"b"}, {}}}, Sharding{{{"b"}, {"a"}, {}}},
        Sharding{{{}, {"a", "b"}, {}}}, Sharding{{{}, {"b", "a"}, {}}}, Sharding{{{"a"}, {}, {}}},
        Sharding{{{}, {"a"}, {}}}}) {
    auto array = devices.Put(tensor, sharding);
    ASSERT_TRUE(array.ok()) << array.status().ToString();
    EXPECT_THAT(array->ToHost()->data<float>(), ::testing::ElementsAreArray(tensor.data<float>()));
  }
  // A part is the third and fourth columns of rows that lie two apart.
  const Array split = *devices.Put(Counting({4, 8}), Sharding{{{"a"}, {"b"}}});
  EXPECT_THAT(split.shards()[1].ToHost()->data<float>(), ElementsAre(2, 3, 10, 11));
  EXPECT_THAT(devices.Put(tensor, Sharding{{{}, {}, {"a"}}}).status().message(), HasSubstr("not divisible"));
}

}  // namespace
}  // namespace headrace::jit
