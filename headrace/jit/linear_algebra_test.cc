// Linear algebra against what defines it: factors multiply, solutions solve, gradients are slopes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/elements.h"

namespace headrace::jit {
namespace {

// Numbers of [-1, 1] in no order, so that matrices of them are regular.
HostTensor Scattered(const Shape& shape) {
  HostTensor tensor({DType::kF64, shape});
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, std::sin(1.0 + static_cast<double>(i * i)));
  return tensor;
}

// x [.., n, n] -> positive definite.
Value PositiveDefinite(Value x) { return Matmul(x, Adjoint(x)) + Eye(x.graph(), x.dtype(), x.dim(-1)); }

// The largest magnitude in what `body` makes of x.
double Largest(const HostTensor& x, const std::function<Value(Value)>& body) {
  return Elements({x}, [&](std::span<const Value> v) { return Max(Reshape(Abs(body(v[0])), {-1}), {0}); })
      .at(0);
}

// The gradient of a real f along a direction, against central differences.
void ExpectSlope(const HostTensor& x, const std::function<Value(Value)>& f) {
  constexpr double kStep = 1e-5;
  const auto slopes = Elements({x}, [&](std::span<const Value> v) {
    const Value d = Cos(Reshape(Iota(v[0].graph(), {DType::kF64, {x.size()}}, 0), x.shape()));
    const Value slope = Sum(Gradient(f(v[0]), v)[0] * d);
    const Value difference = (f(v[0] + d * kStep) - f(v[0] - d * kStep)) / (2 * kStep);
    return Concatenate({Reshape(slope, Ints{1}), Reshape(difference, Ints{1})}, 0);
  });
  ASSERT_EQ(slopes.size(), 2u);
  EXPECT_GT(std::abs(slopes[0]), 1e-3);
  EXPECT_NEAR(slopes[0], slopes[1], 1e-6 * (1 + std::abs(slopes[0])));
}

TEST(Cholesky, FactorsMultiply) {
  const HostTensor x = Scattered({2, 12, 12});
  for (const bool complex : {false, true}) {
    auto matrix = [complex](Value v) {
      return PositiveDefinite(complex ? Complex(v, 0.5 * Reverse(v, {1})) : v);
    };
    EXPECT_LE(Largest(x,
                      [&](Value v) {
                        const Value lower = Cholesky(matrix(v));
                        return Matmul(lower, Adjoint(lower)) - matrix(v);
                      }),
              1e-12);
    EXPECT_LE(Largest(x,
                      [&](Value v) {
                        const Value upper = Cholesky(matrix(v), true);
                        return Matmul(Adjoint(upper), upper) - matrix(v);
                      }),
              1e-12);
    EXPECT_EQ(Largest(x, [&](Value v) { return Triu(Cholesky(matrix(v)), 1); }), 0);
    EXPECT_EQ(Largest(x, [&](Value v) { return Tril(Cholesky(matrix(v), true), -1); }), 0);
  }
}

TEST(Cholesky, OfWhatIsNotPositiveDefiniteIsNan) {
  const HostTensor x = HostTensor::Of<float>({2, 2}, {1, 2, 2, 1});
  const std::vector<double> diagonal = Elements({x}, [](auto v) { return Diagonal(Cholesky(v[0])); });
  EXPECT_TRUE(std::isnan(diagonal.at(1)));
}

TEST(PositiveDefinite, SolutionsSolve) {
  const HostTensor x = Scattered({3, 8, 8});
  auto vector = [](Value v) { return Reshape(Slice(Slice(v, 0, 0, 1), 1, 0, 1), Ints{8}); };
  EXPECT_LE(Largest(x,
                    [&](Value v) {
                      const Value b = vector(v);
                      return Matmul(PositiveDefinite(v),
                                    ExpandDims(SolvePositiveDefinite(PositiveDefinite(v), b), -1)) -
                             ExpandDims(b, -1);
                    }),
            1e-12);
  // One matrix for three right sides, and three matrices for one.
  EXPECT_LE(Largest(x,
                    [&](Value v) {
                      const Value a = PositiveDefinite(Slice(v, 0, 0, 1));
                      return Matmul(a, SolvePositiveDefinite(a, v)) - v;
                    }),
            1e-12);
  EXPECT_LE(Largest(x,
                    [&](Value v) {
                      const Value a = PositiveDefinite(v);
                      return Matmul(a, InversePositiveDefinite(a)) - Eye(v.graph(), DType::kF64, 8);
                    }),
            1e-12);
  EXPECT_LE(Largest(x,
                    [&](Value v) {
                      const Value z = Complex(v, Reverse(v, {2}));
                      const Value a = PositiveDefinite(z);
                      return Matmul(a, CholeskySolve(Cholesky(a), z)) - z;
                    }),
            1e-11);
}

TEST(PositiveDefinite, KnowsDeterminants) {
  const HostTensor x = HostTensor::Of<double>({2, 2}, {4, 1, 1, 3});
  EXPECT_NEAR(Elements({x}, [](auto v) { return LogDetPositiveDefinite(v[0]); }).at(0), std::log(11), 1e-14);
  // d log det A = tr(A^-1 dA)
  EXPECT_LE(Largest(Scattered({4, 4}),
                    [](Value v) {
                      const Value a = PositiveDefinite(v);
                      return Gradient(LogDetPositiveDefinite(a), {&a, 1})[0] - InversePositiveDefinite(a);
                    }),
            1e-13);
}

TEST(PositiveDefinite, HasGradients) {
  auto function = [](Value v) {
    const Value solution = SolvePositiveDefinite(PositiveDefinite(v), v);
    return Sum(solution * solution);
  };
  ExpectSlope(Scattered({4, 4}), function);
  ExpectSlope(Scattered({3, 3}), [&](Value v) {
    const Value gradient = Gradient(function(v), {&v, 1})[0];
    return Sum(gradient * Sin(gradient));
  });
}

TEST(TriangularSolve, OfABatchWithOneMatrixIsOneSolve) {
  Graph graph;
  const Value a = graph.Parameter({DType::kF32, {3, 3}}, "a");
  const Value b = graph.Parameter({DType::kF32, {5, 3, 2}}, "b");
  const Value y = Vmap([](std::span<const Value> x) { return Values{TriangularSolve(x[0], x[1])}; },
                       Values{a, b}, {std::nullopt, 0})[0];
  EXPECT_EQ(y.shape(), Shape({5, 3, 2}));
  std::vector<Shape> solved;
  for (const Node& node : graph.nodes()) {
    if (node.op && node.op->name() == "triangular_solve") solved.push_back(node.types[0].shape);
  }
  EXPECT_THAT(solved, ::testing::ElementsAre(Shape({3, 10})));
}

TEST(Qr, FactorsMultiply) {
  for (const Shape& shape : {Shape({2, 9, 5}), Shape({2, 5, 9}), Shape({6, 6})}) {
    auto matrix = [&](Value v) { return Complex(v, Reverse(v, {-1})); };
    const HostTensor x = Scattered(shape);
    EXPECT_LE(Largest(x,
                      [&](Value v) {
                        const auto [q, r] = Qr(matrix(v));
                        return Matmul(q, r) - matrix(v);
                      }),
              1e-13);
    EXPECT_LE(Largest(x,
                      [&](Value v) {
                        const Value q = Qr(v).q;
                        return Matmul(Adjoint(q), q) - Eye(v.graph(), DType::kF64, q.dim(-1));
                      }),
              1e-13);
    EXPECT_EQ(Largest(x, [&](Value v) { return Tril(Qr(v).r, -1); }), 0);
  }
}

TEST(Eigh, VectorsDiagonalize) {
  const HostTensor x = Scattered({2, 7, 7});
  for (const bool complex : {false, true}) {
    auto matrix = [complex](Value v) {
      const Value m = complex ? Complex(v, 0.5 * Reverse(v, {1})) : v;
      return 0.5 * (m + Adjoint(m));
    };
    EXPECT_LE(Largest(x,
                      [&](Value v) {
                        const auto [w, vectors] = Eigh(matrix(v));
                        return Matmul(matrix(v), vectors) -
                               vectors * Convert(ExpandDims(w, -2), vectors.dtype());
                      }),
              1e-12);
    EXPECT_LE(Largest(x,
                      [&](Value v) {
                        const Value vectors = Eigh(matrix(v)).eigenvectors;
                        return Matmul(Adjoint(vectors), vectors) - Eye(v.graph(), vectors.dtype(), 7);
                      }),
              1e-12);
    EXPECT_EQ(Largest(x,
                      [&](Value v) {
                        const Value w = Eigh(matrix(v)).eigenvalues;
                        return Minimum(Slice(w, -1, 1, 7) - Slice(w, -1, 0, 6), 0.0);
                      }),
              0);
  }
}

// Of what does not depend on where eigenvectors point, along a direction, once and twice differentiated.
TEST(Eigh, HasGradients) {
  auto function = [](Value v) {
    const Value a = Complex(v, 0.5 * Reverse(v, {1}));
    const auto [w, vectors] = Eigh(a);
    const Value weighted = vectors * Convert(ExpandDims(Sin(w), -2), vectors.dtype());
    return Sum(Real(Matmul(weighted, Adjoint(vectors)) * a)) + Sum(w * w * w);
  };
  ExpectSlope(Scattered({4, 4}), function);
  ExpectSlope(Scattered({3, 3}), [&](Value v) {
    const Value gradient = Gradient(function(v), {&v, 1})[0];
    return Sum(gradient * Sin(gradient));
  });
}

TEST(Solve, SolutionsSolve) {
  const HostTensor x = Scattered({3, 8, 8});
  EXPECT_LE(Largest(x,
                    [](Value v) {
                      const Value z = Complex(v, Reverse(v, {2}));
                      return Matmul(z, Solve(z, Reverse(z, {1}))) - Reverse(z, {1});
                    }),
            1e-11);
  EXPECT_LE(Largest(x, [](Value v) { return Matmul(Inverse(v), v) - Eye(v.graph(), DType::kF64, 8); }),
            1e-11);
  // What is left over is orthogonal to the columns.
  EXPECT_LE(Largest(Scattered({9, 3}),
                    [](Value v) {
                      const Value b = Cos(Reshape(Slice(v, 1, 0, 1), Ints{9}));
                      return Matmul(Matmul(v, LeastSquares(v, b)) - b, v);
                    }),
            1e-13);
}

TEST(Solve, HasGradients) {
  auto function = [](Value v) {
    const Value a = v + 2.0 * Eye(v.graph(), DType::kF64, v.dim(-1));
    return Sum(Sin(Solve(a, Reverse(v, {1})))) + SlogDet(a).log_abs + Det(a) +
           Sum(Sin(LeastSquares(a, Cos(v))));
  };
  ExpectSlope(Scattered({4, 4}), function);
  ExpectSlope(Scattered({3, 3}), [&](Value v) {
    const Value gradient = Gradient(function(v), {&v, 1})[0];
    return Sum(gradient * Sin(gradient));
  });
}

TEST(Solve, KnowsDeterminants) {
  const HostTensor x =
      HostTensor::Of<double>({4, 3, 3}, {2, 0, 0, 0, 3, 0, 0, 0, 4,  0, 1, 0, 1, 0, 0, 0, 0, 1,  //
                                         1, 2, 3, 4, 5, 6, 7, 8, 10, 1, 2, 3, 2, 4, 6, 0, 1, 1});
  const std::vector<double> determinants = Elements({x}, [](auto v) { return Det(v[0]); });
  const std::vector<double> expected = {24, -1, -3, 0};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(determinants.at(i), expected[i], 1e-13);
}

TEST(LinearAlgebra, SaysWhatIsWrong) {
  Graph graph;
  const Value x = graph.Parameter({DType::kF32, {2, 3}}, "x");
  const Value scalar = graph.Parameter({DType::kF32, {}}, "scalar");
  EXPECT_EQ(ErrorOf([&] { return Cholesky(x); }),
            "cholesky: takes square matrices [..., n, n], not f32[2, 3]");
  EXPECT_EQ(ErrorOf([&] { return CholeskySolve(x, scalar); }),
            "cholesky_solve: takes [..., m, n] and [m] or [..., m, k] of one element type, not f32[2, 3] and "
            "f32[]");
  EXPECT_EQ(ErrorOf([&] { return Solve(x, x); }), "solve: takes square matrices [..., n, n], not f32[2, 3]");
  EXPECT_EQ(ErrorOf([&] { return LeastSquares(x, x); }),
            "least_squares: takes [..., m, n] with m >= n, not f32[2, 3]");
  EXPECT_EQ(ErrorOf([&] { return Eigh(x).eigenvalues; }),
            "eigh: takes square matrices [..., n, n], not f32[2, 3]");
  const Value z = graph.Parameter({DType::kC64, {2, 2}}, "z");
  EXPECT_EQ(ErrorOf([&] { return Det(z); }), "slogdet: takes real matrices, not c64[2, 2]");
  EXPECT_EQ(
      ErrorOf([&] { return Solve(z, x); }),
      "solve: takes [..., m, n] and [m] or [..., m, k] of one element type, not c64[2, 2] and f32[2, 3]");
  const Value packed = HouseholderQr(x).packed;
  EXPECT_EQ(ErrorOf([&] { return Gradient(Sum(packed), {&x, 1}); }),
            "householder_qr: has no gradient; qr has one");
  EXPECT_EQ(ErrorOf([&] { return MatrixTranspose(scalar); }),
            "matrix_transpose: takes [..., m, n], not f32[]");
}

}  // namespace
}  // namespace headrace::jit
