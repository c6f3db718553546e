// Loops and conditionals give the numbers of the same steps written out, and so do their gradients, gradients
// of gradients, and batches, in any order.
#include <gmock/gmock.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

using Axes = std::vector<std::optional<int>>;

// A recurrent layer: h <- tanh(h w + x), y = h * exp(bias); 7 steps of [3].
ScanResult Recurrent(std::span<const Value> carry, std::span<const Value> x, Value w, Value bias) {
  const Value h = Tanh(Sum(ExpandDims(carry[0], 1) * w, {0}) + x[0]);
  return {{h}, {h * Exp(bias)}};
}

const std::vector<HostTensor> kRecurrent = {Numbers({3}, 1), Numbers({7, 3}, 2), Numbers({3, 3}, 3),
                                            Numbers({3}, 4)};

// h0, xs, w, bias -> the last h, and the ys.
Values Looped(std::span<const Value> v, ScanOptions options = {}) {
  const auto [carry, ys] =
      Scan([&](auto carry, auto x) { return Recurrent(carry, x, v[2], v[3]); }, {v[0]}, {v[1]}, options);
  return {carry[0], ys[0]};
}

Values WrittenOut(std::span<const Value> v, bool reverse = false) {
  Values carry = {v[0]};
  const int64_t length = v[1].dim(0);
  Values ys(static_cast<size_t>(length));
  for (int64_t time = 0; time < length; ++time) {
    const int64_t at = reverse ? length - 1 - time : time;
    const Value x = Reshape(Slice(v[1], 0, at, at + 1), {3});
    ScanResult step = Recurrent(carry, {&x, 1}, v[2], v[3]);
    carry = step.carry;
    ys[static_cast<size_t>(at)] = ExpandDims(step.ys[0], 0);
  }
  return {carry[0], Concatenate(ys, 0)};
}

ValueFn LoopedFn(ScanOptions options = {}) {
  return [options](std::span<const Value> v) { return Looped(v, options); };
}
ValueFn WrittenOutFn(bool reverse = false) {
  return [reverse](std::span<const Value> v) { return WrittenOut(v, reverse); };
}

// A number that every result has a part in.
Value Total(const Values& results) {
  Value total;
  for (Value result : results) {
    if (!IsFloat(result.dtype())) continue;
    const Value part = Sum(Sin(result) * (1.0 + result));
    total = total ? total + part : part;
  }
  return total;
}

ValueFn GradientOf(const ValueFn& body) {
  return [body](std::span<const Value> v) { return Gradient(Total(body(v)), v); };
}

ValueFn BatchOf(const ValueFn& body, const Axes& in_axes) {
  return [body, in_axes](std::span<const Value> v) { return Vmap(body, v, in_axes); };
}

TEST(Scan, IsItsStepsWrittenOut) {
  for (const bool reverse : {false, true}) {
    for (const int64_t unroll : {1, 2, 3, 7}) {
      SCOPED_TRACE(fmt::format("reverse {}, unroll {}", reverse, unroll));
      ExpectSame(LoopedFn({.reverse = reverse, .unroll = unroll}), WrittenOutFn(reverse), kRecurrent);
    }
  }
}

TEST(Scan, HasTheGradientOfItsSteps) {
  for (const bool reverse : {false, true}) {
    for (const int64_t unroll : {1, 3}) {
      SCOPED_TRACE(fmt::format("reverse {}, unroll {}", reverse, unroll));
      ExpectSame(GradientOf(LoopedFn({.reverse = reverse, .unroll = unroll})),
                 GradientOf(WrittenOutFn(reverse)), kRecurrent, 1e-5);
    }
  }
}

TEST(Scan, HasGradientsOfGradients) {
  ExpectSame(GradientOf(GradientOf(LoopedFn())), GradientOf(GradientOf(WrittenOutFn())), kRecurrent, 1e-4);
}

TEST(Scan, HasGradientsInForwardMode) {
  const auto forward = [](const ValueFn& body) {
    return [body](std::span<const Value> v) { return Jvp(body(v), v, v); };
  };
  ExpectSame(forward(LoopedFn()), forward(WrittenOutFn()), kRecurrent, 1e-5);
}

// One operand with a batch of 2 behind each other, the others without.
std::vector<HostTensor> WithBatchAt(size_t which) {
  std::vector<HostTensor> arguments = kRecurrent;
  std::vector<int64_t> dims = arguments[which].shape().dims();
  dims.insert(dims.begin(), 2);
  arguments[which] = Numbers(Shape(dims), 9);
  return arguments;
}

TEST(Scan, RunsOnBatchesOfAnyOperand) {
  for (size_t which = 0; which < kRecurrent.size(); ++which) {
    SCOPED_TRACE(fmt::format("operand {}", which));
    Axes in_axes(kRecurrent.size());
    in_axes[which] = 0;
    const auto arguments = WithBatchAt(which);
    ExpectSame(BatchOf(LoopedFn(), in_axes), BatchOf(WrittenOutFn(), in_axes), arguments);
    ExpectSame(GradientOf(BatchOf(LoopedFn(), in_axes)), GradientOf(BatchOf(WrittenOutFn(), in_axes)),
               arguments, 1e-5);
    ExpectSame(BatchOf(GradientOf(LoopedFn()), in_axes), BatchOf(GradientOf(WrittenOutFn()), in_axes),
               arguments, 1e-5);
  }
}

TEST(Scan, CountsWithoutInputs) {
  const auto looped = [](std::span<const Value> v) {
    return Scan([](auto c, auto) { return ScanResult{{c[0] * 1.5}, {c[0]}}; }, {v[0]}, {}, {.length = 4}).ys;
  };
  const auto plain = [](std::span<const Value> v) {
    Values rows;
    for (double factor : {1.0, 1.5, 2.25, 3.375}) rows.push_back(ExpandDims(v[0] * factor, 0));
    return Values{Concatenate(rows, 0)};
  };
  ExpectSame(looped, plain, {Numbers({3}, 1)});
  ExpectSame(GradientOf(looped), GradientOf(plain), {Numbers({3}, 1)}, 1e-5);
}

TEST(Scan, OfNoStepsIsItsCarry) {
  const auto results = RunOn(
      [](std::span<const Value> v) {
        const auto made =
            Scan([](auto c, auto) { return ScanResult{{c[0] * 2.0}, {c[0]}}; }, {v[0]}, {}, {.length = 0});
        return Values{made.carry[0], made.ys[0]};
      },
      {Numbers({3}, 1)});
  EXPECT_EQ(results[0].At(0), Numbers({3}, 1).At(0));
  EXPECT_EQ(results[1].shape(), Shape({0, 3}));
}

// Training inside a loop: each step takes a gradient with respect to the carry, through a value from outside.
TEST(Scan, TakesGradientsInItsBody) {
  const auto step = [](Value w, Value x, Value rate) {
    const Value loss = Sum((Tanh(w * x) - rate) * (Tanh(w * x) - rate));
    return w - rate * Gradient(loss, {&w, 1})[0];
  };
  const auto looped = [&](std::span<const Value> v) {
    return Scan([&](auto c, auto x) { return ScanResult{{step(c[0], x[0], v[2])}, {}}; }, {v[0]}, {v[1]})
        .carry;
  };
  const auto plain = [&](std::span<const Value> v) {
    Value w = v[0];
    for (int64_t i = 0; i < 7; ++i) w = step(w, Reshape(Slice(v[1], 0, i, i + 1), {3}), v[2]);
    return Values{w};
  };
  const std::vector<HostTensor> arguments = {Numbers({3}, 1), Numbers({7, 3}, 2), Numbers({}, 3)};
  ExpectSame(looped, plain, arguments);
  ExpectSame(GradientOf(looped), GradientOf(plain), arguments, 1e-5);
}

// The gradient inside the body is of an outer value too, which the body reaches through another outer one.
TEST(Scan, TakesGradientsOfValuesFromOutside) {
  const auto body = [](Value x, Value outer, Value made) {
    return Gradient(Sum(x * made * made), {&outer, 1})[0];
  };
  const auto looped = [&](std::span<const Value> v) {
    const Value made = Exp(v[0]);
    return Scan([&](auto c, auto x) { return ScanResult{{c[0] + body(x[0], v[0], made)}, {}}; },
                {ZerosLike(v[0])}, {v[1]})
        .carry;
  };
  const auto plain = [&](std::span<const Value> v) { return Values{Sum(v[1], {0}) * 2.0 * Exp(v[0] * 2.0)}; };
  ExpectSame(looped, plain, {Numbers({3}, 1), Numbers({7, 3}, 2)}, 1e-5);
}

TEST(Scan, HoldsScansAndConditionals) {
  // A sum over rows of running products, of which the negative ones are halved.
  const auto inner = [](Value row, Value scale) {
    return Scan(
               [&](auto c, auto x) {
                 const Value product = c[0] * (x[0] + scale);
                 const Value kept = Cond(
                     Less(product, ZerosLike(product)), [&](auto) { return Values{product * 0.5}; },
                     [&](auto) { return Values{product}; })[0];
                 return ScanResult{{kept}, {}};
               },
               {OnesLike(scale)}, {row})
        .carry[0];
  };
  const auto looped = [&](std::span<const Value> v) {
    return Scan([&](auto c, auto x) { return ScanResult{{c[0] + inner(x[0], v[1])}, {}}; }, {ZerosLike(v[1])},
                {v[0]})
        .carry;
  };
  const auto plain = [](std::span<const Value> v) {
    Value total = ZerosLike(v[1]);
    for (int64_t r = 0; r < 4; ++r) {
      Value product = OnesLike(v[1]);
      for (int64_t k = 0; k < 3; ++k) {
        product = product * (Reshape(Slice(v[0], {r, k}, {r + 1, k + 1}), Ints{}) + v[1]);
        product = Select(Less(product, ZerosLike(product)), product * 0.5, product);
      }
      total = total + product;
    }
    return Values{total};
  };
  const std::vector<HostTensor> arguments = {Numbers({4, 3}, 5), Numbers({}, 6)};
  ExpectSame(looped, plain, arguments);
  ExpectSame(GradientOf(looped), GradientOf(plain), arguments, 1e-5);
  ExpectSame(GradientOf(GradientOf(looped)), GradientOf(GradientOf(plain)), arguments, 1e-4);
  const std::vector<HostTensor> batch = {Numbers({5, 4, 3}, 5), Numbers({}, 6)};
  ExpectSame(BatchOf(GradientOf(looped), {0, std::nullopt}), BatchOf(GradientOf(plain), {0, std::nullopt}),
             batch, 1e-5);
}

TEST(While, RunsUntilItsConditionFails) {
  const auto looped = [](std::span<const Value> v) {
    return While([&](auto s) { return Values{Less(s[0], v[1])}; },
                 [&](auto s) { return Values{s[0] * 2.0, s[1] + OnesLike(s[1])}; },
                 {v[0], Scalar(v[0].graph(), DType::kI32, 0)});
  };
  const auto results = RunOn(looped, {HostTensor::Scalar<float>(3), HostTensor::Scalar<float>(100)});
  EXPECT_EQ(results[0].At(0), 192);
  EXPECT_EQ(results[1].At(0), 6);

  // Examples of a batch stop each at its own time.
  const auto batch = RunOn(BatchOf(looped, {0, std::nullopt}),
                           {HostTensor::Of<float>({3}, {3, 200, 50}), HostTensor::Scalar<float>(100)});
  EXPECT_THAT(batch[0].data<float>(), ::testing::ElementsAre(192, 200, 100));
  EXPECT_THAT(batch[1].data<int32_t>(), ::testing::ElementsAre(6, 0, 1));

  // A batch in a state that the condition does not read.
  const auto halved = [](std::span<const Value> v) {
    return While([&](auto s) { return Values{Greater(s[0], OnesLike(s[0]))}; },
                 [&](auto s) { return Values{s[0] * 0.5, s[1] + v[1]}; }, {v[0], ZerosLike(v[1])});
  };
  const auto sums = RunOn(BatchOf(halved, {std::nullopt, 0}),
                          {HostTensor::Scalar<float>(8), HostTensor::Of<float>({2}, {1, 5})});
  EXPECT_THAT(sums[1].data<float>(), ::testing::ElementsAre(3, 15));
}

TEST(While, SaysWhyItHasNoGradient) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {}}, "x");
  const Value y = While([](auto s) { return Values{Less(s[0], OnesLike(s[0]))}; },
                        [](auto s) { return Values{s[0] * 2.0}; }, {x})[0];
  EXPECT_THAT(
      ErrorOf([&] { return Gradient(y, {&x, 1}); }),
      ::testing::HasSubstr("while: has no gradient, since the number of steps to go back is not known; use "
                           "BoundedWhile or Scan"));
  EXPECT_EQ(ErrorOf([&] { return Gradient(StopGradient(y) * x, {&x, 1}); }), "");
}

TEST(BoundedWhile, HasTheGradientOfTheStepsThatRan) {
  const auto looped = [](std::span<const Value> v) {
    return BoundedWhile(
        10, [&](auto s) { return Values{Less(Sum(s[0]), v[1])}; },
        [&](auto s) { return Values{s[0] * 2.0 + Sin(v[0])}; }, {v[0]});
  };
  const auto three = [](std::span<const Value> v) {
    Value s = v[0];
    for (int i = 0; i < 3; ++i) s = s * 2.0 + Sin(v[0]);
    return Values{s};
  };
  const std::vector<HostTensor> arguments = {HostTensor::Of<float>({2}, {0.5f, 0.75f}),
                                             HostTensor::Scalar<float>(12)};
  ExpectSame(looped, three, arguments);
  ExpectSame(GradientOf(looped), GradientOf(three), arguments, 1e-5);
  ExpectSame(GradientOf(GradientOf(looped)), GradientOf(GradientOf(three)), arguments, 1e-4);
}

// v: a number, and a vector.
ValueFn Chosen(bool by_select) {
  return [by_select](std::span<const Value> v) {
    const Value condition = Less(v[0], ZerosLike(v[0]));
    const auto left = [&](std::span<const Value> x) { return Values{Sin(x[0]) * v[0], Sum(x[0])}; };
    const auto right = [&](std::span<const Value> x) { return Values{x[0] * Exp(x[0]) + v[0], v[0]}; };
    if (!by_select) return Cond(condition, left, right, {v[1]});
    const Values a = left({&v[1], 1}), b = right({&v[1], 1});
    return Values{Select(condition, a[0], b[0]), Select(condition, a[1], b[1])};
  };
}

TEST(Cond, HasTheGradientOfTheBranchThatRan) {
  for (const float x : {-0.5f, 0.75f}) {
    SCOPED_TRACE(x);
    const std::vector<HostTensor> arguments = {HostTensor::Scalar<float>(x), Numbers({3}, 1)};
    ExpectSame(Chosen(false), Chosen(true), arguments);
    ExpectSame(GradientOf(Chosen(false)), GradientOf(Chosen(true)), arguments, 1e-5);
    ExpectSame(GradientOf(GradientOf(Chosen(false))), GradientOf(GradientOf(Chosen(true))), arguments, 1e-4);
  }
}

TEST(Cond, RunsOnBatches) {
  const std::vector<HostTensor> numbers = {HostTensor::Of<float>({2}, {-0.5f, 0.75f}), Numbers({3}, 1)};
  const std::vector<HostTensor> vectors = {HostTensor::Scalar<float>(-0.5f), Numbers({2, 3}, 1)};
  for (const auto& [in_axes, arguments] :
       {std::pair(Axes{0, std::nullopt}, numbers), {{std::nullopt, 0}, vectors}}) {
    ExpectSame(BatchOf(Chosen(false), in_axes), BatchOf(Chosen(true), in_axes), arguments);
    ExpectSame(GradientOf(BatchOf(Chosen(false), in_axes)), GradientOf(BatchOf(Chosen(true), in_axes)),
               arguments, 1e-5);
    ExpectSame(BatchOf(GradientOf(Chosen(false)), in_axes), BatchOf(GradientOf(Chosen(true)), in_axes),
               arguments, 1e-5);
  }
}

TEST(Switch, TakesTheBranchAtTheEndForAnIndexBeyond) {
  const auto chosen = [](std::span<const Value> v) {
    std::vector<ValueFn> branches;
    for (double factor : {1.0, 10.0, 100.0})
      branches.push_back([factor](std::span<const Value> x) { return Values{x[0] * factor}; });
    return Switch(v[0], branches, {v[1]});
  };
  const HostTensor x = HostTensor::Scalar<float>(3);
  for (const auto& [index, want] : {std::pair(-5, 3), {0, 3}, {1, 30}, {2, 300}, {7, 300}}) {
    EXPECT_EQ(RunOn(chosen, {HostTensor::Scalar<int32_t>(index), x})[0].At(0), want) << index;
  }
}

TEST(ControlFlow, SaysWhatDoesNotFit) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {3}}, "x");
  const Value n = graph.Parameter({DType::kI32, {}}, "n");
  const auto same = [](std::span<const Value> v) { return Values(v.begin(), v.end()); };
  EXPECT_EQ(
      ErrorOf([&] { return Scan([](auto c, auto) { return ScanResult{{Sum(c[0])}, {}}; }, {x}, {x}).carry; }),
      "scan(f32[3], f32[3]): carry 0 is f32[3], and f32[] after a step");
  EXPECT_EQ(ErrorOf([&] { return Scan([](auto c, auto) { return ScanResult{{c[0]}, {}}; }, {x}, {}).carry; }),
            "scan: has no xs; say the length");
  EXPECT_EQ(
      ErrorOf([&] { return Scan([](auto c, auto) { return ScanResult{{c[0]}, {}}; }, {x}, {n}).carry; }),
      "scan: x 0 is i32[], which has no dimension to go along");
  EXPECT_EQ(ErrorOf([&] { return While([](auto s) { return Values{s[0]}; }, same, {x}); }),
            "while(f32[3]): the condition gives f32[3]; it must be one pred[]");
  EXPECT_EQ(ErrorOf([&] {
              return While([&](auto s) { return Values{Less(Sum(s[0]), Sum(x))}; },
                           [](auto s) { return Values{Sum(s[0])}; }, {x});
            }),
            "while(f32[3], f32[]): state 0 is f32[3], and f32[] after the body");
  EXPECT_EQ(ErrorOf([&] { return Cond(x, same, same, {x}); }),
            "cond: the predicate is f32[3]; it must be pred[]");
  EXPECT_EQ(ErrorOf([&] { return Switch(x, {same}, {x}); }), "switch: the index is f32[3]; it must be i32[]");
  EXPECT_EQ(ErrorOf([&] { return Switch(n, {same, [](auto v) { return Values{Sum(v[0])}; }}, {x}); }),
            "case(i32[], f32[3]): value 0 of branch 1 is f32[], of branch 0 f32[3]");
}

}  // namespace
}  // namespace headrace::jit
