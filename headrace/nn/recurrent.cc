#include "headrace/nn/recurrent.h"

#include <algorithm>
#include <cmath>

#include "headrace/graph/ops.h"
#include "headrace/nn/dropout.h"

namespace headrace::nn {
namespace {

int64_t GateCount(RecurrentCell cell) { return cell == RecurrentCell::kLstm ? 4 : 3; }
size_t StateCount(RecurrentCell cell) { return cell == RecurrentCell::kLstm ? 2 : 1; }

Initializer UniformWithin(double bound) {
  return [bound](Value key, const TensorType& type) { return Uniform(key, type, -bound, bound); };
}

// x Wᵀ
Value Product(Value x, Value weight) { return DotGeneral(x, weight, {{}, {}, {x.rank() - 1}, {1}}); }

// Part `index` of [B, gates · hidden].
Value Gate(Value gates, int64_t index, int64_t hidden) {
  return Slice(gates, 1, index * hidden, (index + 1) * hidden);
}

// `input` and `recurrent`: what the step's input and the output before it give to each gate. `state` becomes
// that behind the step.
void LstmStep(Value input, Value recurrent, int64_t hidden, std::span<Value> state) {
  const Value gates = input + recurrent;
  const Value in = Logistic(Gate(gates, 0, hidden));
  const Value forget = Logistic(Gate(gates, 1, hidden));
  const Value cell = Tanh(Gate(gates, 2, hidden));
  const Value out = Logistic(Gate(gates, 3, hidden));
  state[1] = forget * state[1] + in * cell;
  state[0] = out * Tanh(state[1]);
}

void GruStep(Value input, Value recurrent, int64_t hidden, std::span<Value> state) {
  const auto sum = [&](int64_t gate) { return Gate(input, gate, hidden) + Gate(recurrent, gate, hidden); };
  const Value reset = Logistic(sum(0));
  const Value update = Logistic(sum(1));
  const Value fresh = Tanh(Gate(input, 2, hidden) + reset * Gate(recurrent, 2, hidden));
  state[0] = fresh + update * (state[0] - fresh);
}

}  // namespace

Recurrent::Recurrent(Scope scope, RecurrentCell cell, const Dim& in, const Dim& hidden,
                     RecurrentOptions options)
    : scope_(scope), cell_(cell), hidden_(hidden.size), options_(options) {
  const Dim gates = {GateCount(cell) * hidden.size, hidden.axis};
  const Initializer init = UniformWithin(1 / std::sqrt(static_cast<double>(hidden.size)));
  const int64_t directions = options.bidirectional ? 2 : 1;
  for (int64_t layer = 0; layer < options.layers; ++layer) {
    const Dim below = layer == 0 ? in : Dim(directions * hidden.size, in.axis);
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string place = fmt::format("l{}{}", layer, direction == 0 ? "" : "_reverse");
      Direction made;
      made.weight_ih = scope.Param("weight_ih_" + place, {gates, below}, init);
      made.weight_hh = scope.Param("weight_hh_" + place, {gates, hidden.size}, init);
      made.bias_ih = scope.Param("bias_ih_" + place, {gates}, init);
      made.bias_hh = scope.Param("bias_hh_" + place, {gates}, init);
      directions_.push_back(made);
    }
  }
}

std::vector<TensorType> Recurrent::StateTypes(int64_t batch) const {
  return std::vector(directions_.size() * StateCount(cell_),
                     TensorType{scope_.compute_dtype(), {batch, hidden_}});
}

Value Recurrent::operator()(Value x) const {
  Values state;
  for (const TensorType& type : StateTypes(x.dim(0))) state.push_back(Full(x.graph(), type, 0));
  return (*this)(x, state);
}

Value Recurrent::operator()(Value x, Values& state) const {
  auto entered = scope_.Enter();
  HR_CHECK(state.size() == directions_.size() * StateCount(cell_));
  const size_t each = StateCount(cell_), width = options_.bidirectional ? 2 : 1;
  x = Transpose(x, {1, 0, 2});  // [T, B, in]
  for (size_t first = 0; first < directions_.size(); first += width) {
    const int64_t layer = static_cast<int64_t>(first / width);
    if (layer > 0) x = Dropout(scope_ / "dropout" / layer, options_.dropout)(x);
    Values outputs;
    for (size_t i = first; i < first + width; ++i) {
      outputs.push_back(Run(directions_[i], x, std::span(state).subspan(i * each, each), i > first));
    }
    x = outputs.size() == 1 ? outputs[0] : Concatenate(outputs, 2);
  }
  return Transpose(x, {1, 0, 2});
}

Value Recurrent::Run(const Direction& direction, Value x, std::span<Value> state, bool reverse) const {
  // What the inputs give to the gates is one product for all steps; each step is left with one more.
  const Value inputs = Product(x, direction.weight_ih) + direction.bias_ih;  // [T, B, gates · hidden]
  const auto step = [&](std::span<const Value> carry, std::span<const Value> input) {
    Values next(carry.begin(), carry.end());
    const Value recurrent = Product(carry[0], direction.weight_hh) + direction.bias_hh;
    const auto advance = cell_ == RecurrentCell::kLstm ? LstmStep : GruStep;
    advance(input[0], recurrent, hidden_, next);
    return ScanResult{next, {next[0]}};
  };
  const ScanResult run = Scan(step, {state.begin(), state.end()}, {inputs}, {.reverse = reverse});
  std::ranges::copy(run.carry, state.begin());
  return run.ys[0];
}

}  // namespace headrace::nn
