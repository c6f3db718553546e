// Complex numbers: made of two real ones, and taken apart again.
//
//   Value z = Complex(x, y);                                     // f32 and f32 -> c64, f64 and f64 -> c128
//   Value power = Real(z * Conj(z));
//
// Arithmetic, exponentials, trigonometric functions, Sum, Prod, products of matrices and all that only moves
// elements take complex numbers too; Compare tells only whether they are equal.
//
// Gradients are as in JAX. That of a real L by z = x + iy is dL/dx - i dL/dy, so that dL = Re(sum(gradient ·
// dz)), and where f is holomorphic the gradient by z is that by f times f'(z), as for real numbers. What
// descends is z - rate · Conj(gradient).
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// The two broadcast together.
Value Complex(Value real, Value imag);

// Of numbers that are real already: themselves, and zeros.
Value Real(Value x);
Value Imag(Value x);

// Of numbers that are real already: themselves.
Value Conj(Value x);

// In (-pi, pi]; of a negative real number pi.
Value Angle(Value x);

}  // namespace headrace
