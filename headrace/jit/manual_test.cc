// Manual computations: exchanges between devices, their gradients and batches.
#include "headrace/graph/ops/manual.h"

#include <gmock/gmock.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/run_on_mesh.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

const Mesh kMesh{{{"data", 2}, {"fsdp", 2}}};
const AxisGroup kAll{kMesh, {"data", "fsdp"}};
const AxisGroup kData{kMesh, {"data"}};
const AxisGroup kFsdp{kMesh, {"fsdp"}};
const Sharding kRows{{{"data", "fsdp"}, {}}};  // of a matrix, over all devices
const Sharding kWhole = Sharding::Replicated(2);

// `ours`, on the mesh, gives what `plain` gives on one device; and so does a gradient through each.
void ExpectSameOnMesh(const ValueFn& ours, const ValueFn& plain, const std::vector<HostTensor>& arguments) {
  const auto gradient = [](const ValueFn& body) {
    return [body](std::span<const Value> v) {
      const Value y = body(v)[0];
      return Gradient(Sum(Sin(y) * y), v);
    };
  };
  for (const bool of_gradient : {false, true}) {
    SCOPED_TRACE(of_gradient ? "gradient" : "values");
    Types types;
    for (const HostTensor& argument : arguments) types.push_back(argument.type());
    const Function function = Trace("f", types, of_gradient ? gradient(ours) : ours);
    EXPECT_EQ(Verify(function).ToString(), "OK");
    const auto here = RunOnMesh(function, kMesh, arguments);
    const auto want = RunOn(of_gradient ? gradient(plain) : plain, arguments);
    ASSERT_EQ(here.size(), want.size());
    for (size_t i = 0; i < here.size(); ++i) {
      ASSERT_EQ(here[i].type(), want[i].type());
      for (int64_t k = 0; k < here[i].size(); ++k)
        EXPECT_NEAR(here[i].At(k), want[i].At(k), 1e-5) << i << ", " << k;
    }
  }
}

// x, cut into rows, through `body`.
ValueFn OnRows(const std::function<Value(Value)>& body, const Sharding& out) {
  return [=](std::span<const Value> v) {
    return ManualComputation(kMesh, {v[0]}, {kRows}, {out},
                             [&](std::span<const Value> x) { return Values{body(x[0])}; });
  };
}

const std::vector<HostTensor> kMatrix = {Numbers({8, 4}, 1)};

TEST(Manual, SumsOverDevices) {
  ExpectSameOnMesh(
      OnRows([](Value x) { return AllReduce(Sin(x), kAll); }, kWhole),
      [](auto v) { return Values{Sum(Reshape(Sin(v[0]), {4, 2, 4}), {0})}; }, kMatrix);
  // Over one axis of two: rows 0-1 meet 4-5, 2-3 meet 6-7.
  ExpectSameOnMesh(
      OnRows([](Value x) { return AllReduce(x * x, kData); }, {{{"fsdp"}, {}}}),
      [](auto v) { return Values{Sum(Reshape(v[0] * v[0], {2, 4, 4}), {0})}; }, kMatrix);
}

TEST(Manual, GathersAndScatters) {
  ExpectSameOnMesh(
      OnRows([](Value x) { return AllGather(x * 2.0, 0, kAll); }, kWhole),
      [](auto v) { return Values{v[0] * 2.0}; }, kMatrix);
  ExpectSameOnMesh(
      OnRows([](Value x) { return AllGather(x, 1, kFsdp); }, {{{"data"}, {}}}),
      [](auto v) {
        const Value parts = Transpose(Reshape(v[0], {2, 2, 2, 4}), {0, 2, 1, 3});
        return Values{Reshape(parts, {4, 8})};
      },
      kMatrix);
  ExpectSameOnMesh(
      OnRows([](Value x) { return ReduceScatter(Exp(x), 1, kAll); }, {{{}, {"data", "fsdp"}}}),
      [](auto v) { return Values{Sum(Reshape(Exp(v[0]), {4, 2, 4}), {0})}; }, kMatrix);
}

TEST(Manual, ExchangesParts) {
  // A matrix cut by rows becomes one cut by columns.
  ExpectSameOnMesh(
      OnRows([](Value x) { return AllToAll(x, 1, 0, kAll); }, {{{}, {"data", "fsdp"}}}),
      [](auto v) { return Values{v[0] * 1.0}; }, kMatrix);
  // Round a ring, with the last device left out.
  ExpectSameOnMesh(
      OnRows([](Value x) { return CollectivePermute(x, {{0, 1}, {1, 2}, {2, 3}}, kAll); }, kRows),
      [](auto v) { return Values{Pad(v[0], Scalar(v[0].graph(), DType::kF32, 0), {{2, -2}, {0, 0}})}; },
      kMatrix);
}

TEST(Manual, KnowsItsPlace) {
  const auto places = OnRows(
      [](Value x) {
        return x * 0.0 + Convert(AxisIndex(x.graph(), kAll) * FullLike(AxisIndex(x.graph(), kAll), 10) +
                                     AxisIndex(x.graph(), kFsdp),
                                 DType::kF32);
      },
      kRows);
  const auto plain = [](std::span<const Value> v) {
    const Value place = Iota(v[0].graph(), {DType::kF32, {4, 2, 4}}, 0);
    return Values{v[0] * 0.0 + Reshape(place * 10.0 + (place - Floor(place / 2.0) * 2.0), {8, 4})};
  };
  ExpectSameOnMesh(places, plain, kMatrix);
}

// What all devices are given whole collects its gradient from all.
TEST(Manual, SharesParameters) {
  const auto ours = [](std::span<const Value> v) {
    return ManualComputation(kMesh, {v[0], v[1]}, {kRows, kWhole}, {kRows},
                             [](auto x) { return Values{Tanh(Dot(Exp(x[0] * 0.5), x[1]))}; });
  };
  const auto plain = [](std::span<const Value> v) { return Values{Tanh(Dot(Exp(v[0] * 0.5), v[1]))}; };
  ExpectSameOnMesh(ours, plain, {Numbers({8, 4}, 1), Numbers({4, 3}, 2)});
  // On a batch, and the gradient of that.
  const auto batch = [](const ValueFn& body) {
    return [body](std::span<const Value> v) { return Vmap(body, v, {0, std::nullopt}); };
  };
  ExpectSameOnMesh(batch(ours), batch(plain), {Numbers({3, 8, 4}, 1), Numbers({4, 3}, 2)});
}

TEST(Manual, IsItsBodyOnOneDevice) {
  const Mesh one{{{"data", 1}}};
  const AxisGroup group{one, {"data"}};
  ExpectSame(
      [&](std::span<const Value> v) {
        return ManualComputation(one, {v[0]}, {{{{"data"}, {}}}}, {kWhole}, [&](auto x) {
          const Value place = Convert(AxisIndex(x[0].graph(), group), DType::kF32);
          return Values{AllGather(ReduceScatter(AllReduce(x[0] + place, group), 0, group), 0, group)};
        });
      },
      [](std::span<const Value> v) { return Values{v[0]}; }, kMatrix);
}

TEST(Manual, SaysWhatDoesNotFit) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {6, 4}}, "x");
  const auto same = [](std::span<const Value> v) { return Values{v[0]}; };
  EXPECT_EQ(ErrorOf([&] { return ManualComputation(kMesh, {x}, {kRows}, {kRows}, same); }),
            "<@mesh, [{\"data\", \"fsdp\"}, {}]> does not divide f32[6, 4]");
  EXPECT_EQ(ErrorOf([&] { return ManualComputation(kMesh, {x}, {}, {kRows}, same); }),
            "manual_computation: has 1 operands and 0 shardings of them");
  EXPECT_EQ(ErrorOf([&] { return ManualComputation(kMesh, {x}, {kWhole}, {}, same); }),
            "manual_computation: gives 1 results for 0 shardings");
  EXPECT_EQ(ErrorOf([&] { return AllReduce(x, {kMesh, {"tensor"}}); }),
            "all_reduce: the mesh has no axis 'tensor'");
  EXPECT_EQ(ErrorOf([&] { return ReduceScatter(x, 0, kAll); }),
            "reduce_scatter(f32[6, 4]): dimension 0 of f32[6, 4] does not divide into 4 parts");
  EXPECT_EQ(ErrorOf([&] { return CollectivePermute(x, {{0, 1}, {0, 2}}, kAll); }),
            "collective_permute(f32[6, 4]): pair [0, 2]: a place sends once and gets once");
  const Value greatest = AllReduce(x, kAll, Reduction::kMax);
  EXPECT_EQ(ErrorOf([&] { return Gradient(Sum(greatest), {&x, 1}); }),
            "all_reduce: only sums have a gradient; gather the values and reduce them here");
}

}  // namespace
}  // namespace headrace::jit
