// Fourier transforms against their definition, a sum; those of testdata/cases are held against JAX too.
#include "headrace/graph/ops/fft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/jit/test/elements.h"

namespace headrace::jit {
namespace {

using ::testing::ElementsAre;

using Number = std::complex<double>;
using Numbers = std::vector<Number>;

// sum over j of x[j] · exp(∓2πi jk / n), over n if it is the inverse; x cut or filled with zeros to n.
Numbers Dft(Numbers x, size_t n, bool inverse = false) {
  x.resize(n);
  Numbers spectrum(n);
  for (size_t k = 0; k < n; ++k) {
    for (size_t j = 0; j < n; ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(j * k) / static_cast<double>(n);
      spectrum[k] += x[j] * std::polar(inverse ? 1 / static_cast<double>(n) : 1, inverse ? angle : -angle);
    }
  }
  return spectrum;
}

// Real parts, then imaginary ones.
std::vector<double> PartsOf(const Numbers& numbers) {
  std::vector<double> parts;
  for (const Number& number : numbers) parts.push_back(number.real());
  for (const Number& number : numbers) parts.push_back(number.imag());
  return parts;
}

using Body = std::function<Value(Value)>;

std::vector<double> PartsOf(const HostTensor& x, const Body& body) {
  return Elements({x}, [&](std::span<const Value> v) {
    const Value y = body(v[0]);
    return Concatenate({Reshape(Real(y), {-1}), Reshape(Imag(y), {-1})}, 0);
  });
}

void ExpectNear(const std::vector<double>& got, const std::vector<double>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-12) << "element " << i;
}

const Numbers kSignal = {{1, 2}, {-3, 0.5}, {0.25, -1}, {2, 0}, {-1.5, 3}};
const HostTensor kComplex = HostTensor::Of<Number>({5}, kSignal);
const HostTensor kReal = HostTensor::Of<double>({5}, {1, -3, 0.25, 2, -1.5});
const Numbers kRealSignal = {1, -3, 0.25, 2, -1.5};

TEST(Fft, IsTheSumThatDefinesIt) {
  ExpectNear(PartsOf(kComplex, [](Value x) { return Fft(x); }), PartsOf(Dft(kSignal, 5)));
  ExpectNear(PartsOf(kComplex, [](Value x) { return Ifft(x); }), PartsOf(Dft(kSignal, 5, true)));
  ExpectNear(PartsOf(kReal, [](Value x) { return Fft(x); }), PartsOf(Dft(kRealSignal, 5)));
}

TEST(Fft, CutsAndFills) {
  for (const int64_t n : {3, 8}) {
    const auto size = static_cast<size_t>(n);
    ExpectNear(PartsOf(kComplex, [&](Value x) { return Fft(x, {.lengths = {n}}); }),
               PartsOf(Dft(kSignal, size)));
    Numbers half = Dft(kRealSignal, size);
    half.resize(size / 2 + 1);
    ExpectNear(PartsOf(kReal, [&](Value x) { return Rfft(x, {.lengths = {n}}); }), PartsOf(half));
  }
}

TEST(Fft, OfHalfASpectrumIsReal) {
  for (const int64_t n : {4, 5, 7, 12}) {
    // The spectrum that the half stands for, cut or filled.
    const auto size = static_cast<size_t>(n);
    Numbers half = kSignal;
    half.resize(size / 2 + 1);
    Numbers whole(size);
    for (size_t k = 0; k < size; ++k) whole[k] = k < half.size() ? half[k] : std::conj(half[size - k]);
    whole[0] = whole[0].real();
    if (n % 2 == 0) whole[size / 2] = whole[size / 2].real();
    ExpectNear(PartsOf(kComplex, [&](Value x) { return Irfft(x, {.lengths = {n}}); }),
               PartsOf(Dft(whole, size, true)));
  }
  EXPECT_EQ(PartsOf(kComplex, [](Value x) { return Irfft(x); }).size(), 16u);  // 8 numbers
}

TEST(Fft, OfSeveralAxesIsOneAfterTheOther) {
  const HostTensor x = HostTensor::Of<double>({3, 2, 4}, [] {
    std::vector<double> elements;
    for (int i = 0; i < 24; ++i) elements.push_back(std::sin(1.0 + 7.0 * i));
    return elements;
  }());
  ExpectNear(PartsOf(x, [](Value v) { return Fft(v, {.axes = {0, -1}}); }),
             PartsOf(x, [](Value v) { return Fft(Fft(v, {.axes = {-1}}), {.axes = {0}}); }));
  ExpectNear(PartsOf(x, [](Value v) { return Rfft(v, {.axes = {2, 1, 0}, .lengths = {4, 2, 5}}); }),
             PartsOf(x, [](Value v) {
               return Fft(Fft(Rfft(v, {.axes = {0}, .lengths = {5}}), {.axes = {1}}), {.axes = {2}});
             }));
}

TEST(Fft, GoesBack) {
  const std::vector<double> signal = PartsOf(kSignal);
  const std::vector<double> real = PartsOf(kRealSignal);
  for (const FftNorm norm : {FftNorm::kBackward, FftNorm::kOrtho, FftNorm::kForward}) {
    ExpectNear(PartsOf(kComplex, [&](Value x) { return Ifft(Fft(x, {.norm = norm}), {.norm = norm}); }),
               signal);
    ExpectNear(
        PartsOf(kReal,
                [&](Value x) { return Irfft(Rfft(x, {.norm = norm}), {.lengths = {5}, .norm = norm}); }),
        real);
  }
  Numbers shorter = Dft(kSignal, 5);
  for (Number& number : shorter) number /= std::sqrt(5.0);
  ExpectNear(PartsOf(kComplex, [](Value x) { return Fft(x, {.norm = FftNorm::kOrtho}); }), PartsOf(shorter));
}

TEST(Fft, KnowsItsFrequencies) {
  auto frequencies = [](auto make) {
    return Elements({kReal}, [&](std::span<const Value> x) { return make(x[0].graph()); });
  };
  EXPECT_THAT(frequencies([](Graph& g) { return FftFrequencies(g, 4, 0.5); }), ElementsAre(0, 0.5, -1, -0.5));
  EXPECT_THAT(frequencies([](Graph& g) { return FftFrequencies(g, 5, 0.2, DType::kF64); }),
              ElementsAre(0, 1, 2, -2, -1));
  EXPECT_THAT(frequencies([](Graph& g) { return RfftFrequencies(g, 4, 0.25); }), ElementsAre(0, 1, 2));
  EXPECT_THAT(frequencies([](Graph& g) { return FftShift(FftFrequencies(g, 5, 0.2, DType::kF64), {0}); }),
              ElementsAre(-2, -1, 0, 1, 2));
  EXPECT_THAT(Elements({kReal}, [](auto x) { return IfftShift(FftShift(x[0], {-1}), {-1}); }),
              ElementsAre(1, -3, 0.25, 2, -1.5));
}

TEST(Fft, SaysWhatIsWrong) {
  Graph graph;
  const Value z = graph.Parameter({DType::kC64, {2, 4}}, "z");
  const Value n = graph.Parameter({DType::kI32, {4}}, "n");
  EXPECT_EQ(ErrorOf([&] { return Fft(n); }), "fft: takes f32, f64, c64 or c128, not i32[4]; convert it");
  EXPECT_EQ(ErrorOf([&] { return Rfft(z); }), "rfft: takes real numbers, not c64[2, 4]; use fft");
  EXPECT_EQ(ErrorOf([&] { return Ifft(z, {.axes = {2}}); }),
            "ifft: axes [2] are not one to three dimensions of c64[2, 4]");
  EXPECT_EQ(ErrorOf([&] { return Ifft(z, {.axes = {1, -1}}); }),
            "ifft: axes [1, 1] are not one to three dimensions of c64[2, 4]");
  EXPECT_EQ(ErrorOf([&] { return Irfft(z, {.lengths = {4, 4}}); }),
            "irfft: lengths [4, 4] of c64[2, 4] must be a positive number an axis");
  EXPECT_EQ(ErrorOf([&] { return Irfft(Slice(z, 1, 0, 1)); }),
            "irfft: lengths [0] of c64[2, 1] must be a positive number an axis");
  EXPECT_EQ(ErrorOf([&] { return FftFrequencies(graph, 0); }),
            "frequencies: there are none of 0 samples 1 apart");
}

}  // namespace
}  // namespace headrace::jit
