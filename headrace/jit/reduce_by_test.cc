// Reductions by functions of one's own equal the reductions that there are, and so do their gradients and
// batches.
#include <gmock/gmock.h>

#include <limits>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/elements.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;

Values AddThem(std::span<const Value> a, std::span<const Value> b) { return {a[0] + b[0]}; }

// y -> m y + n, one after the other: two values that need each other. (1, 0) is neutral.
Values Compose(std::span<const Value> a, std::span<const Value> b) {
  return {a[0] * b[0], a[1] * b[0] + b[1]};
}

// log(exp(a) + exp(b)): what has no reduction of its own.
Values AddExps(std::span<const Value> a, std::span<const Value> b) { return {LogAddExp(a[0], b[0])}; }

Value Number(Value like, double value) { return Scalar(like.graph(), like.dtype(), value); }

Value LogSumExp(Value x, Ints axes) {
  return ReduceBy(AddExps, {x}, {Number(x, -std::numeric_limits<double>::infinity())}, std::move(axes))[0];
}

// The larger of two with its place; of equal ones the first.
Values Larger(std::span<const Value> a, std::span<const Value> b) {
  const Value first = Or(Greater(a[0], b[0]), And(Equal(a[0], b[0]), Less(a[1], b[1])));
  return {Select(first, a[0], b[0]), Select(first, a[1], b[1])};
}

Values LargestWithPlace(Value x, int axis) {
  const Value place = Iota(x.graph(), {DType::kI32, x.shape()}, axis);
  return ReduceBy(Larger, {x, place}, {Number(x, -1e30), Number(place, 0)}, {axis});
}

// The results, and the gradient of a number that all of them have a part in.
ValueFn WithGradient(const ValueFn& function) {
  return [function](std::span<const Value> v) {
    Values results = function(v);
    Value total = Number(v[0], 0);
    for (Value result : results) {
      if (IsFloat(result.dtype())) total = total + Sum(Sin(result));
    }
    const Values gradients = Gradient(total, v);
    results.insert(results.end(), gradients.begin(), gradients.end());
    return results;
  };
}

const HostTensor kGrid = Numbers({3, 5, 4}, 1);

TEST(ReduceBy, EqualsReductions) {
  for (const Ints& axes : {Ints{0}, Ints{-1}, Ints{1}, Ints{0, 2}, Ints{0, 1, 2}}) {
    ExpectSame(WithGradient([&](auto v) { return ReduceBy(AddThem, {v[0]}, {Number(v[0], 0)}, axes); }),
               WithGradient([&](auto v) { return Values{Sum(v[0], axes)}; }), {kGrid});
    ExpectSame(WithGradient([&](auto v) { return Values{LogSumExp(v[0], axes)}; }),
               WithGradient([&](auto v) { return Values{Log(Sum(Exp(v[0]), axes))}; }), {kGrid}, 1e-5);
  }
}

TEST(ReduceBy, OfValuesThatGoTogether) {
  ExpectSame(WithGradient([](auto v) { return LargestWithPlace(v[0], 1); }),
             WithGradient([](auto v) { return Values{Max(v[0], {1}), ArgMax(v[0], 1)}; }), {kGrid});
}

TEST(ReduceBy, StartsWithWhatItIsGiven) {
  const auto from = [](auto v) { return ReduceBy(AddThem, {v[0]}, {v[1]}, {0, 1, 2}); };
  const auto plain = [](auto v) { return Values{Sum(v[0]) + v[1]}; };
  ExpectSame(WithGradient(from), WithGradient(plain), {kGrid, Numbers({}, 2)});
  // Every example with its own.
  ExpectSame([&](auto v) { return Vmap(from, v, {0, 0}); }, [&](auto v) { return Vmap(plain, v, {0, 0}); },
             {Numbers({2, 3, 2, 2}, 1), Numbers({2}, 2)});
}

TEST(ReduceBy, Batches) {
  const auto one = WithGradient([](auto v) { return Values{LogSumExp(v[0], {1})}; });
  const auto plain = WithGradient([](auto v) { return Values{Log(Sum(Exp(v[0]), {1}))}; });
  for (int axis : {0, 1, 2}) {
    ExpectSame([&](auto v) { return Vmap(one, v, {axis}); }, [&](auto v) { return Vmap(plain, v, {axis}); },
               {kGrid}, 1e-5);
  }
}

TEST(ReduceBy, OfNothingIsItsStart) {
  const HostTensor nothing({DType::kF32, {2, 0}});
  const HostTensor start = HostTensor::Scalar(7.0f);
  EXPECT_THAT(Elements({nothing, start}, [](auto v) { return ReduceBy(AddThem, {v[0]}, {v[1]}, {1})[0]; }),
              ElementsAre(7, 7));
  EXPECT_THAT(Elements({nothing, start},
                       [](auto v) {
                         return Gradient(Sum(ReduceBy(AddThem, {v[0]}, {v[1]}, {1})[0]), v.subspan(1))[0];
                       }),
              ElementsAre(2));
}

TEST(ReduceWindowBy, EqualsWindowedReductions) {
  const Window window = {.size = {2, 3, 1},
                         .strides = {1, 2, 2},
                         .padding = {{1, 0}, {0, 2}, {0, 0}},
                         .base_dilation = {2, 1, 1},
                         .window_dilation = {1, 1, 2}};
  const auto ours = [&](auto v) { return ReduceWindowBy(AddThem, {v[0]}, {Number(v[0], 0)}, window); };
  const auto plain = [&](auto v) { return Values{ReduceWindow(v[0], Reduction::kAdd, window)}; };
  ExpectSame(WithGradient(ours), WithGradient(plain), {kGrid});
  ExpectSame([&](auto v) { return Vmap(ours, v, {1}); }, [&](auto v) { return Vmap(plain, v, {1}); },
             {Numbers({3, 2, 5, 4}, 1)});
}

TEST(ReduceWindowBy, OfValuesThatGoTogether) {
  const auto ours = [](auto v) {
    return ReduceWindowBy(Compose, {v[0], v[1]}, {Number(v[0], 1), Number(v[1], 0)},
                          {.size = {4}, .padding = {{3, 0}}});
  };
  // Of all that is before it: a row of 4 elements.
  const auto plain = [](auto v) { return AssociativeScan(Compose, {v[0], v[1]}, 0); };
  ExpectSame(WithGradient(ours), WithGradient(plain), {Numbers({4}, 1), Numbers({4}, 2)}, 1e-5);
}

TEST(ScatterBy, CombinesWhatMeets) {
  const HostTensor operand = HostTensor::Of<float>({4}, {1, 2, 3, 4});
  const HostTensor indices = HostTensor::Of<int32_t>({3}, {2, 0, 9});
  const HostTensor updates = HostTensor::Of<float>({3}, {10, 20, 30});
  const GatherDims dims = {.collapsed_dims = {0}, .start_index_map = {0}, .index_vector_dim = 1};
  const auto half_more = [](std::span<const Value> a, std::span<const Value> b) {
    return Values{a[0] + b[0] * 0.5};
  };
  EXPECT_THAT(Elements({operand, indices, updates},
                       [&](auto v) { return ScatterBy(half_more, v[0], v[1], v[2], dims); }),
              ElementsAre(11, 2, 8, 4));
  EXPECT_THAT(Elements({operand, indices, HostTensor::Of<float>({2, 3}, {10, 20, 30, 1, 2, 3})},
                       [&](auto v) {
                         const auto one = [&](std::span<const Value> x) {
                           return Values{ScatterBy(half_more, v[0], v[1], x[0], dims)};
                         };
                         return Vmap(one, v.subspan(2), {0})[0];
                       }),
              ElementsAre(11, 2, 8, 4, 2, 2, 3.5, 4));
  const auto gradient = [&] {
    return ErrorOf([&] {
      Trace("f", Types{operand.type(), indices.type(), updates.type()}, [&](std::span<const Value> v) {
        return Gradient(Sum(ScatterBy(half_more, v[0], v[1], v[2], dims)), v.first(1));
      });
    });
  };
  EXPECT_EQ(gradient(),
            "scatter: by a function of one's own has no gradient; use a ScatterMode that has one");
}

}  // namespace
}  // namespace headrace::jit
