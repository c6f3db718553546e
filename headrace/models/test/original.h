// OriginalCase: a model held against its original in PyTorch at the same weights. For tests only.
//
// A reference file (tools/reference/transformers_models.py says how it is laid out) holds operands,
// parameters, state, results and gradients of each case.
//
//   const OriginalCase kCases[] = {{"gpt", [](nn::Scope scope, const Inputs& in) {…}}};
//   TEST_P(Transformers, EqualTheirOriginals) { ExpectEqualsOriginal(GetParam(), kFile); }
#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "headrace/models/language_model.h"

namespace headrace::models {

// The result, and the loss whose gradients the file has.
struct Outcome {
  Value out, loss;
};
using Inputs = std::map<std::string, Value>;  // in0, in1, … and seed

struct OriginalCase {
  std::string name;
  std::function<Outcome(nn::Scope, const Inputs&)> run;
  bool train = true;
};

inline void PrintTo(const OriginalCase& original, std::ostream* out) { *out << original.name; }

// The logits of the tokens in0, and the mean cross-entropy of each next one.
Outcome OutcomeOf(const LanguageModel& model, const Inputs& in);

template <class Config>
OriginalCase Decoder(std::string name, const Config& config) {
  return {std::move(name), [config](nn::Scope scope, const Inputs& in) {
            return OutcomeOf(*config.MakeLanguageModel(scope), in);
          }};
}

// Runs the case and compares its result, loss, gradients and what becomes of its state, all of them within
// 2e-5 of the largest element of a tensor: PyTorch adds in another order.
void ExpectEqualsOriginal(const OriginalCase& original, std::string_view file);

}  // namespace headrace::models
