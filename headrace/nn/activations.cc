#include "headrace/nn/activations.h"

#include <cmath>
#include <numbers>

#include "headrace/graph/ops.h"

namespace headrace::nn {

Value Relu(Value x) {
  const Value zeros = ZerosLike(x);
  return Select(Greater(x, zeros), x, zeros);
}

Value Relu6(Value x) {
  const Value most = FullLike(x, 6.0);
  return Select(Less(x, most), Relu(x), most);
}

Value Gelu(Value x) {
  return Composite("gelu", {x},
                   [](std::span<const Value> v) {
                     return Values{0.5 * v[0] * (1.0 + Erf(v[0] / std::numbers::sqrt2))};
                   })
      .at(0);
}

Value GeluTanh(Value x) {
  return Composite("gelu_tanh", {x},
                   [](std::span<const Value> v) {
                     const Value inner =
                         std::sqrt(2 / std::numbers::pi) * (v[0] + 0.044715 * (v[0] * v[0] * v[0]));
                     return Values{0.5 * v[0] * (1.0 + Tanh(inner))};
                   })
      .at(0);
}

Value GeluQuick(Value x) { return x * Logistic(1.702 * x); }

Value Silu(Value x) { return x * Logistic(x); }

Value SwiGlu(Value gate, Value x) {
  return Composite("swiglu", {gate, x}, [](std::span<const Value> v) { return Values{Silu(v[0]) * v[1]}; })
      .at(0);
}

Value GeGlu(Value gate, Value x) { return Gelu(gate) * x; }

}  // namespace headrace::nn
