// Elementwise functions: one result element from the operands' elements in the same place.
//
// Functions of two operands broadcast as numpy does (trailing dimensions aligned, size 1 stretches); element
// types must be equal. A C++ number takes the element type of the Value beside it.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// Floating-point, and complex but for the last four.
Value Exp(Value x);
Value Expm1(Value x);
Value Log(Value x);
Value Log1p(Value x);
Value Logistic(Value x);  // 1 / (1 + e^-x)
Value Sqrt(Value x);
Value Rsqrt(Value x);
Value Cbrt(Value x);
Value Floor(Value x);
Value Ceil(Value x);
Value Round(Value x);          // to nearest, ties to even
Value RoundHalfAway(Value x);  // to nearest, ties away from zero
Value Trunc(Value x);          // towards zero
Value Exp2(Value x);
Value Log2(Value x);
Value Log10(Value x);
Value Reciprocal(Value x);

// Numbers; the sign of real ones.
Value Neg(Value x);
Value Abs(Value x);  // of complex numbers real
Value Sign(Value x);
Value Square(Value x);

Value Add(Value a, Value b);
Value Sub(Value a, Value b);
Value Mul(Value a, Value b);
Value Div(Value a, Value b);
Value Rem(Value a, Value b);       // sign of the dividend
Value Mod(Value a, Value b);       // sign of the divisor, as numpy's remainder
Value FloorDiv(Value a, Value b);  // rounded down, as numpy's floor_divide
Value Maximum(Value a, Value b);
Value Minimum(Value a, Value b);
Value Pow(Value a, Value b);
Value NextAfter(Value a, Value b);  // the float beside a that lies towards b

inline Value operator+(Value a, Value b) { return Add(a, b); }
inline Value operator-(Value a, Value b) { return Sub(a, b); }
inline Value operator*(Value a, Value b) { return Mul(a, b); }
inline Value operator/(Value a, Value b) { return Div(a, b); }
inline Value operator-(Value x) { return Neg(x); }

Value operator+(Value a, double b);
Value operator+(double a, Value b);
Value operator-(Value a, double b);
Value operator-(double a, Value b);
Value operator*(Value a, double b);
Value operator*(double a, Value b);
Value operator/(Value a, double b);
Value operator/(double a, Value b);
Value Maximum(Value a, double b);
Value Minimum(Value a, double b);
Value Pow(Value a, double b);

// log(exp(a) + exp(b)), without overflow; equal infinities stay what they are.
Value LogAddExp(Value a, Value b);

// Stretches values to their common shape, as every function above does. Fails when there is none.
Values BroadcastTogether(Values values);

}  // namespace headrace
