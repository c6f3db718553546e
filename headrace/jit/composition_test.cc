// Transformations composed in any order, on expressions and shapes drawn at random: each gives what the same
// gives written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/same_function.h"

namespace headrace::jit {
namespace {

constexpr int64_t kWeights = 5;
constexpr double kRounding = 3e-5;  // of f32 through a dozen ops, summed in another order

// An expression of an `x` and of kWeights weights: the same from the same seed.
class Drawn {
 public:
  explicit Drawn(uint32_t seed) : seed_(seed) {
    std::mt19937 draw(seed_);
    Ints dims(1 + draw() % 3);
    for (int64_t& dim : dims) dim = static_cast<int64_t>(1 + draw() % 4);
    shape_ = Shape(dims);
  }

  const Shape& shape() const { return shape_; }

  Value operator()(Value x, Value w) const {
    std::mt19937 draw(seed_ + 1000);
    for (int step = 0; step < 7; ++step) x = Next(draw, x, w);
    return x;
  }

 private:
  static Value Next(std::mt19937& draw, Value x, Value w) {
    const uint32_t kind = draw() % 12;
    if (x.rank() == 0 || x.shape().ElementCount() == 0) return Sin(x);
    const int axis = static_cast<int>(draw() % static_cast<uint32_t>(x.rank()));
    const int64_t size = x.dim(axis);
    switch (kind) {
      case 0:
        return Tanh(x);
      case 1:
        return Exp(-(x * x)) + x;
      case 2: {
        Ints order(static_cast<size_t>(x.rank()));
        std::iota(order.begin(), order.end(), 0);
        std::ranges::shuffle(order, draw);
        return Sin(Transpose(x, order));
      }
      case 3:
        return Reshape(x, Ints{x.shape().ElementCount()});
      case 4:
        return x - KeepDims(Mean(x, {axis}), x.shape(), {axis});
      case 5: {
        const Value rows = Iota(x.graph(), {x.dtype(), {x.dim(-1), 1}}, 0);
        const Value matrix = Sin((rows + 1.0) * ExpandDims(w, 0));  // [n, kWeights]
        return Matmul(x.rank() == 1 ? ExpandDims(x, 0) : x, matrix);
      }
      case 6:
        return size > 1 ? Slice(x, axis, 1, size) : x * Sum(w);
      case 7: {
        Padding padding(static_cast<size_t>(x.rank()));
        padding[static_cast<size_t>(axis)] = {1, static_cast<int64_t>(draw() % 2)};
        return Pad(x, Scalar(x.graph(), x.dtype(), 0.25), padding);
      }
      case 8: {
        const Value half = 0.5 * Cos(x);
        return x.shape().ElementCount() < 60 ? Concatenate({x, half}, axis) : half;
      }
      case 9:
        return 0.5 * CumSum(x, axis, /*reverse=*/true);
      case 10: {
        const Value exp = Exp(x - KeepDims(Max(x, {axis}), x.shape(), {axis}));
        return exp / KeepDims(Sum(exp, {axis}), x.shape(), {axis});
      }
      default:
        return Reverse(Sort(x, axis), {axis}) * Slice(w, 0, 0, 1);
    }
  }

  uint32_t seed_;
  Shape shape_;
};

using Operands = std::span<const Value>;

// A number that every element has a part in, each another.
Value Loss(Value y) {
  const Value flat = Reshape(y, Ints{y.shape().ElementCount()});
  return Sum(Sin(flat + Iota(y.graph(), flat.type(), 0)));
}

class Compositions : public ::testing::TestWithParam<uint32_t> {
 protected:
  Value Of(Value x, Value w) const { return drawn_(x, w); }
  ValueFn Gradients() const {
    return [this](Operands v) { return Gradient(Loss(Of(v[0], v[1])), v.first(2)); };
  }
  HostTensor Batch(int64_t count) const {
    Ints dims = drawn_.shape().dims();
    dims.insert(dims.begin(), count);
    return Numbers(Shape(dims), GetParam());
  }
  Value Example(Value batch, int64_t i) const { return Reshape(Slice(batch, 0, i, i + 1), drawn_.shape()); }

  const Drawn drawn_{GetParam()};
  const HostTensor x_ = Numbers(drawn_.shape(), GetParam());
  const HostTensor w_ = Numbers({kWeights}, GetParam() + 1);
};

TEST_P(Compositions, VmapIsEachExample) {
  const auto batched = [this](Operands v) {
    return Vmap([this](Operands x) { return Values{Of(x[0], x[1])}; }, v, {0, std::nullopt});
  };
  const auto each = [this](Operands v) {
    Values rows;
    for (int64_t i = 0; i < 3; ++i) rows.push_back(Of(Example(v[0], i), v[1]));
    return Values{Stack(rows)};
  };
  ExpectSame(batched, each, {Batch(3), w_}, kRounding);
}

TEST_P(Compositions, GradientOfVmapIsTheSumOfGradients) {
  const auto batched = [this](Operands v) {
    const Values losses =
        Vmap([this](Operands x) { return Values{Loss(Of(x[0], x[1]))}; }, v, {0, std::nullopt});
    return Gradient(Sum(losses[0]), v);
  };
  const auto each = [this](Operands v) {
    Value loss;
    for (int64_t i = 0; i < 3; ++i) {
      const Value one = Loss(Of(Example(v[0], i), v[1]));
      loss = loss ? loss + one : one;
    }
    return Gradient(loss, v);
  };
  ExpectSame(batched, each, {Batch(3), w_}, kRounding);
}

TEST_P(Compositions, VmapOfGradientsIsEachGradient) {
  const auto batched = [this](Operands v) { return Vmap(Gradients(), v, {0, std::nullopt}); };
  const auto each = [this](Operands v) {
    Values of_x, of_w;
    for (int64_t i = 0; i < 3; ++i) {
      const Value example = Example(v[0], i);
      const Values found = Gradient(Loss(Of(example, v[1])), Values{example, v[1]});
      of_x.push_back(found[0]);
      of_w.push_back(found[1]);
    }
    return Values{Stack(of_x), Stack(of_w)};
  };
  ExpectSame(batched, each, {Batch(3), w_}, kRounding);
}

// In f64, against the difference of two first gradients.
TEST_P(Compositions, GradientOfAGradientIsItsSlope) {
  const HostTensor x = x_.ConvertTo(DType::kF64);
  const HostTensor w = w_.ConvertTo(DType::kF64);
  const HostTensor along = Numbers(drawn_.shape(), GetParam() + 7).ConvertTo(DType::kF64);
  constexpr double kStep = 1e-5;  // its square is what the difference leaves out, 1e-16 / 1e-5 what f64 does
  const auto weighed = [this](Value at, Value w) {
    const Value g = Gradient(Loss(Of(at, w)), {&at, 1}).at(0);
    return Loss(g);
  };
  const auto ours = [&](Operands v) {
    return Values{Sum(Gradient(weighed(v[0], v[1]), v.first(1)).at(0) * v[2])};
  };
  const auto slope = [&](Operands v) {
    const Value ahead = weighed(v[0] + kStep * v[2], v[1]);
    return Values{(ahead - weighed(v[0] - kStep * v[2], v[1])) / (2 * kStep)};
  };
  ExpectSame(ours, slope, {x, w, along}, 1e-7);
}

TEST_P(Compositions, RematChangesNothing) {
  const auto kept = [this](Operands v) {
    const Values y = Remat([this](Operands x) { return Values{Of(x[0], x[1])}; }, {v[0], v[1]});
    return Gradient(Loss(Gradient(Loss(y[0]), v.first(1)).at(0)), v);
  };
  const auto plain = [this](Operands v) {
    return Gradient(Loss(Gradient(Loss(Of(v[0], v[1])), v.first(1)).at(0)), v);
  };
  ExpectSame(kept, plain, {x_, w_}, kRounding);
}

TEST_P(Compositions, GradientOfAScanIsThatOfItsSteps) {
  const auto step = [this](Value c, Value x, Value w) {
    const Value y = Of(Tanh(c + x), w);
    return Values{0.5 * c + 0.1 * Loss(y), y};
  };
  const auto scanned = [&](Operands v) {
    const ScanResult found = Scan(
        [&](Operands c, Operands x) {
          const Values next = step(c[0], x[0], v[2]);
          return ScanResult{{next[0]}, {next[1]}};
        },
        {v[1]}, {v[0]}, {.reverse = GetParam() % 2 == 1});
    Values results = Gradient(Loss(found.carry[0]) + Loss(found.ys[0]), v);
    results.push_back(found.ys[0]);
    return results;
  };
  const auto written_out = [&](Operands v) {
    Value carry = v[1];
    Values ys(3);
    for (int64_t k = 0; k < 3; ++k) {
      const int64_t i = GetParam() % 2 == 1 ? 2 - k : k;
      const Values next = step(carry, Example(v[0], i), v[2]);
      carry = next[0];
      ys[static_cast<size_t>(i)] = next[1];
    }
    const Value stacked = Stack(ys);
    Values results = Gradient(Loss(carry) + Loss(stacked), v);
    results.push_back(stacked);
    return results;
  };
  ExpectSame(scanned, written_out, {Batch(3), x_, w_}, kRounding);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Compositions, ::testing::Range(uint32_t{1}, uint32_t{13}));

}  // namespace
}  // namespace headrace::jit
