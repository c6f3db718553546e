#include "headrace/nn/recurrent.h"

#include <algorithm>
#include <cmath>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/nn/dropout.h"

namespace headrace::nn {
namespace {

int64_t GateCount(RecurrentCell cell) { return cell == RecurrentCell::kLstm ? 4 : 3; }
size_t StateCount(RecurrentCell cell) { return cell == RecurrentCell::kLstm ? 2 : 1; }

// x Wᵀ
Value Product(Value x, Value weight) { return DotGeneral(x, weight, {{}, {}, {x.rank() - 1}, {1}}); }

// Part `index` of [B, gates · hidden].
Value Gate(Value gates, int64_t index, int64_t hidden) {
  return Slice(gates, 1, index * hidden, (index + 1) * hidden);
}

// What cells compute with: the gates before their activations [B, gates · hidden], of a GRU what the input
// and what the output before give to them, of an LSTM both together.
Values PreActivations(RecurrentCell cell, Value input, Value recurrent) {
  if (cell == RecurrentCell::kLstm) return {input + recurrent};
  return {input, recurrent};
}

Values LstmStep(std::span<const Value> gates, int64_t hidden, std::span<const Value> state) {
  const Value in = Logistic(Gate(gates[0], 0, hidden));
  const Value forget = Logistic(Gate(gates[0], 1, hidden));
  const Value fresh = Tanh(Gate(gates[0], 2, hidden));
  const Value out = Logistic(Gate(gates[0], 3, hidden));
  const Value cell = forget * state[1] + in * fresh;
  return {out * Tanh(cell), cell};
}

Values GruStep(std::span<const Value> gates, int64_t hidden, std::span<const Value> state) {
  const auto sum = [&](int64_t gate) { return Gate(gates[0], gate, hidden) + Gate(gates[1], gate, hidden); };
  const Value reset = Logistic(sum(0));
  const Value update = Logistic(sum(1));
  const Value fresh = Tanh(Gate(gates[0], 2, hidden) + reset * Gate(gates[1], 2, hidden));
  return {fresh + update * (state[0] - fresh)};
}

// The cells of one direction over all steps. Left to itself, the gradient of the scan would add to that of
// the weights in every step; here it is one product of all steps' cotangents and outputs.
class Cells {
 public:
  Cells(RecurrentCell cell, int64_t hidden, bool reverse) : cell_(cell), hidden_(hidden), reverse_(reverse) {}

  // inputs [T, B, gates · hidden], weight, bias, then the state -> outputs [T, B, hidden], then the state.
  Values operator()(const Values& operands) const {
    const Cells self = *this;
    return CustomGradient(
        operands, [self](std::span<const Value> x) { return self.Forward(x); },
        [self](std::span<const Value> kept, std::span<const Value> dy) { return self.Backward(kept, dy); });
  }

 private:
  Values Step(std::span<const Value> gates, std::span<const Value> state) const {
    return cell_ == RecurrentCell::kLstm ? LstmStep(gates, hidden_, state) : GruStep(gates, hidden_, state);
  }

  // Keeps inputs, weight, and of all steps the last of the pre-activations and the state before.
  WithResiduals Forward(std::span<const Value> x) const {
    const auto step = [&](std::span<const Value> state, std::span<const Value> input) {
      const Values gates = PreActivations(cell_, input[0], Product(state[0], x[1]) + x[2]);
      const Values next = Step(gates, state);
      Values ys = {next[0], gates.back()};
      ys.insert(ys.end(), state.begin(), state.end());
      return ScanResult{next, ys};
    };
    const ScanResult run = Scan(step, {x.begin() + 3, x.end()}, {x[0]}, {.reverse = reverse_});
    WithResiduals made = {.results = {run.ys[0]}, .residuals = {x[0], x[1]}};
    made.results.insert(made.results.end(), run.carry.begin(), run.carry.end());
    made.residuals.insert(made.residuals.end(), run.ys.begin() + 1, run.ys.end());
    return made;
  }

  Values Backward(std::span<const Value> kept, std::span<const Value> dy) const {
    const Value weight = kept[1];
    const size_t gate_count = cell_ == RecurrentCell::kLstm ? 1 : 2;
    Values xs = {dy[0]};
    if (gate_count == 2) xs.push_back(kept[0]);
    xs.insert(xs.end(), kept.begin() + 2, kept.end());
    const auto step = [&](std::span<const Value> d_state, std::span<const Value> x) {
      Values d_next(d_state.begin(), d_state.end());
      d_next[0] = d_next[0] + x[0];
      const std::span<const Value> inner = x.subspan(1);  // gates, and the state before
      const Values next = Step(inner.first(gate_count), inner.subspan(gate_count));
      const Values d_inner = Gradient(next, inner, d_next);
      Values d_before(d_inner.begin() + static_cast<std::ptrdiff_t>(gate_count), d_inner.end());
      const Value d_recurrent = d_inner[gate_count - 1];
      d_before[0] = d_before[0] + Dot(d_recurrent, weight);
      return ScanResult{d_before,
                        {d_inner.begin(), d_inner.begin() + static_cast<std::ptrdiff_t>(gate_count)}};
    };
    const ScanResult run = Scan(step, {dy.begin() + 1, dy.end()}, xs, {.reverse = !reverse_});
    const Value d_recurrent = run.ys.back(), before = kept[3];  // [T, B, gates · hidden], [T, B, hidden]
    const Value d_weight = DotGeneral(d_recurrent, before, {{}, {}, {0, 1}, {0, 1}});
    Values d_operands = {run.ys[0], d_weight, Sum(d_recurrent, {0, 1})};
    d_operands.insert(d_operands.end(), run.carry.begin(), run.carry.end());
    return d_operands;
  }

  RecurrentCell cell_;
  int64_t hidden_;
  bool reverse_;
};

}  // namespace

Recurrent::Recurrent(Scope scope, RecurrentCell cell, const Dim& in, const Dim& hidden,
                     RecurrentOptions options)
    : scope_(scope), cell_(cell), hidden_(hidden.size), options_(options) {
  const Dim gates = {GateCount(cell) * hidden.size, hidden.axis};
  const Initializer init = UniformInit(1 / std::sqrt(static_cast<double>(hidden.size)));
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
  Values operands = {inputs, direction.weight_hh, direction.bias_hh};
  operands.insert(operands.end(), state.begin(), state.end());
  const Values made = Cells(cell_, hidden_, reverse)(operands);
  std::ranges::copy(made.begin() + 1, made.end(), state.begin());
  return made[0];
}

}  // namespace headrace::nn
