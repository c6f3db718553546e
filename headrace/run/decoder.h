// Decoder: a language model at work. It takes tokens one after the other and tells what may come next.
//
// One program, compiled once, runs a token against what the model keeps of those before it, which stays on
// the device and is updated in place. When the model's context is full, its second half is read again as the
// beginning of a new one, so text may go on without end. For one thread; the client outlives it.
//
//   HR_TRY(Decoder decoder, Decoder::Create(client, config.model, contents.model, checkpoint.Name()));
//   HR_TRY(HostTensor logits, decoder.Feed('A'));      // f32 [vocabulary]
#pragma once

#include <string>
#include <vector>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/jit/program.h"
#include "headrace/models/models.h"

namespace headrace::run {

class Decoder {
 public:
  // `weights` are the model's variables by name, `checkpoint` what errors call the place that they come from.
  // kInvalidArgument if the family is no language model, kDataLoss if a variable is missing.
  static Result<Decoder> Create(const runtime::Client& client, const models::ModelConfig& model,
                                const checkpoint::TensorMap& weights, const std::string& checkpoint);

  int64_t vocabulary() const { return vocabulary_; }

  // Logits of what follows all tokens so far and this one. Blocks. REQUIRES: 0 <= token < vocabulary()
  Result<HostTensor> Feed(int64_t token);

 private:
  explicit Decoder(jit::Devices devices) : devices_(std::move(devices)) {}
  Result<HostTensor> Step(int64_t token, bool want_logits);

  jit::Devices devices_;
  std::vector<jit::Array> weights_;
  std::vector<jit::Array> cache_;  // what the model keeps of the tokens before
  std::optional<jit::Program> program_;
  int64_t context_ = 0;
  int64_t vocabulary_ = 0;
  std::vector<int64_t> tokens_;  // in the context
};

}  // namespace headrace::run
