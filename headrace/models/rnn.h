// Rnn: language models of LSTM or GRU layers (Mikolov et al., "Recurrent neural network based language
// model", 2010; Hochreiter and Schmidhuber, 1997; Cho et al., 2014).
//
// What it keeps of the text before is a state of fixed size, so text of any length can follow. Parameters
// have the names and layouts of PyTorch's example of a language model at the level of words.
#pragma once

#include <optional>

#include "headrace/models/language_model.h"

namespace headrace::models {

struct RnnConfig {
  static constexpr std::string_view kKind = "rnn";
  static constexpr Purpose kPurpose = Purpose::kLanguage;

  std::string cell = "lstm";  // or gru
  int64_t vocab_size = 256;
  int64_t hidden_size = 256;
  std::optional<int64_t> embedding_size{};  // hidden_size
  int64_t num_layers = 1;
  double dropout = 0;
  bool tie_word_embeddings = false;

  void Fields(config::Visitor& v);
  Status Validate() const;

  // Names: encoder.weight, rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0, rnn.bias_hh_l0, …,
  // decoder.bias; decoder.weight where it is not tied to the encoder's.
  std::unique_ptr<LanguageModel> MakeLanguageModel(nn::Scope scope) const;
  // `input` is [length] of one example.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
