// Recurrent: layers that carry a state from each step of a sequence to the next, of LSTM cells (Hochreiter
// and Schmidhuber, 1997) or GRU cells (Cho et al., 2014).
//
//   const Recurrent lstm(scope / "rnn", RecurrentCell::kLstm, {64, "embed"}, {128, "mlp"}, {.layers = 2});
//   Value y = lstm(x);            // [B, T, 64] -> [B, T, 128], from zeros on
//   Value y = lstm(x, state);     // from `state` on, which becomes what the next part of the sequence needs
#pragma once

#include <vector>

#include "headrace/nn/initializers.h"

namespace headrace::nn {

enum class RecurrentCell { kLstm, kGru };

struct RecurrentOptions {
  int64_t layers = 1;          // on top of each other
  bool bidirectional = false;  // a second cell a layer reads backwards; the outputs stand behind each other
  double dropout = 0;          // of what goes from layer to layer, in training
};

// As torch.nn.LSTM and torch.nn.GRU with batch_first, whose names and layouts the parameters have: of layer 0
// `weight_ih_l0` [gates · hidden, in], `weight_hh_l0` [gates · hidden, hidden], `bias_ih_l0` and `bias_hh_l0`
// [gates · hidden]; `_reverse` behind those of the second direction. The gates of an LSTM are input, forget,
// cell and output, those of a GRU reset, update and new. All begin uniform within 1 / sqrt(hidden).
class Recurrent {
 public:
  Recurrent(Scope scope, RecurrentCell cell, const Dim& in, const Dim& hidden, RecurrentOptions options = {});

  // [B, T, in] -> [B, T, hidden], or twice that width in both directions.
  Value operator()(Value x) const;

  // The same with the state before the first step; afterwards it is that behind the last one.
  // REQUIRES: `state` has the types that StateTypes(B) gives
  Value operator()(Value x, Values& state) const;

  // Of each layer, of each of its directions: [batch, hidden] of the output and, of an LSTM, of the cell.
  std::vector<TensorType> StateTypes(int64_t batch) const;

 private:
  struct Direction {
    Value weight_ih, weight_hh, bias_ih, bias_hh;
  };

  // x [T, B, in] -> [T, B, hidden]; `state`: that of one direction.
  Value Run(const Direction& direction, Value x, std::span<Value> state, bool reverse) const;

  Scope scope_;
  RecurrentCell cell_;
  int64_t hidden_;
  RecurrentOptions options_;
  std::vector<Direction> directions_;  // of layer 0, of layer 1, …
};

}  // namespace headrace::nn
