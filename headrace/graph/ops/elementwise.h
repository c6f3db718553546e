// Elementwise functions: one result element from the operands' elements in the same place.
//
// Functions of two operands broadcast as numpy does (trailing dimensions aligned, size 1 stretches); element
// types must be equal. A C++ number takes the element type of the Value beside it.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

// Floating-point.
Value Exp(Value x);
Value Expm1(Value x);
Value Log(Value x);
Value Log1p(Value x);
Value Tanh(Value x);
Value Logistic(Value x);  // 1 / (1 + e^-x)
Value Sqrt(Value x);
Value Rsqrt(Value x);
Value Cbrt(Value x);
Value Sin(Value x);
Value Cos(Value x);
Value Erf(Value x);
Value ErfInv(Value x);
Value Floor(Value x);
Value Ceil(Value x);
Value Round(Value x);     // to nearest, ties to even
Value IsFinite(Value x);  // pred

// Numbers.
Value Neg(Value x);
Value Abs(Value x);
Value Sign(Value x);

// Integers and pred.
Value Not(Value x);
Value PopulationCount(Value x);
Value CountLeadingZeros(Value x);

Value Add(Value a, Value b);
Value Sub(Value a, Value b);
Value Mul(Value a, Value b);
Value Div(Value a, Value b);
Value Rem(Value a, Value b);  // sign of the dividend
Value Maximum(Value a, Value b);
Value Minimum(Value a, Value b);
Value Pow(Value a, Value b);
Value Atan2(Value a, Value b);
Value And(Value a, Value b);
Value Or(Value a, Value b);
Value Xor(Value a, Value b);
Value ShiftLeft(Value a, Value b);
Value ShiftRightLogical(Value a, Value b);
Value ShiftRightArithmetic(Value a, Value b);

// Comparisons give pred. NaN compares unequal to everything.
enum class Comparison { kEq, kNe, kLt, kLe, kGt, kGe };
Value Compare(Value a, Value b, Comparison direction);
inline Value Equal(Value a, Value b) { return Compare(a, b, Comparison::kEq); }
inline Value NotEqual(Value a, Value b) { return Compare(a, b, Comparison::kNe); }
inline Value Less(Value a, Value b) { return Compare(a, b, Comparison::kLt); }
inline Value LessEqual(Value a, Value b) { return Compare(a, b, Comparison::kLe); }
inline Value Greater(Value a, Value b) { return Compare(a, b, Comparison::kGt); }
inline Value GreaterEqual(Value a, Value b) { return Compare(a, b, Comparison::kGe); }

// on_true where `condition` (pred), else on_false; broadcasts all three.
Value Select(Value condition, Value on_true, Value on_false);

// Another element type: floats round to nearest even, floats to integers truncate.
Value Convert(Value x, DType dtype);

// The same bits as elements of another type of that size. No gradient goes through it.
Value BitcastConvert(Value x, DType dtype);

// x, with no gradient through it.
Value StopGradient(Value x);

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

// Stretches values to their common shape, as every function above does. Fails when there is none.
Values BroadcastTogether(Values values);

}  // namespace headrace
