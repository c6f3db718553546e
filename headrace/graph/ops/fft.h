// Discrete Fourier transforms, as numpy.fft has them.
//
//   Value spectrum = Rfft(signal);                               // [..., n] -> [..., n / 2 + 1]
//   Value image = Ifft(spectrum, {.axes = {-2, -1}});
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// What is divided by the number of elements: the inverse transform, both by its square root, the forward one.
enum class FftNorm { kBackward, kOrtho, kForward };

struct FftOptions {
  Ints axes = {-1};   // one to three; of Rfft and Irfft the last is the one that is halved
  Ints lengths = {};  // by axis, the signal's: it is cut or filled with zeros to that; empty: as it is
  FftNorm norm = FftNorm::kBackward;
};

// Complex to complex; real numbers are taken as complex.
Value Fft(Value x, const FftOptions& options = {});
Value Ifft(Value x, const FftOptions& options = {});

// Real to the n / 2 + 1 first numbers of its spectrum, of which the others are the conjugates.
Value Rfft(Value x, const FftOptions& options = {});

// The reverse: to 2 (m - 1) real numbers, or to `lengths`, which alone can be odd.
Value Irfft(Value x, const FftOptions& options = {});

// The frequencies of the spectrum of n samples `spacing` apart: 0, 1, …, -2, -1 over n · spacing; f32 or f64.
Value FftFrequencies(Graph& graph, int64_t n, double spacing = 1, DType dtype = DType::kF32);
Value RfftFrequencies(Graph& graph, int64_t n, double spacing = 1, DType dtype = DType::kF32);

// Frequency 0 into the middle, and back.
Value FftShift(Value x, const Ints& axes);
Value IfftShift(Value x, const Ints& axes);

}  // namespace headrace
