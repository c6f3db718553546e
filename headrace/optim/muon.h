// Muon: momentum of matrices, made orthogonal by Newton-Schulz iterations (Jordan et al., 2024); every other
// parameter goes to AdamW: optax.contrib.muon.
//
// A matrix is [in, out]. Embeddings and output layers are better left to Adam: name them in `adam`.
#pragma once

#include "headrace/optim/adam.h"

namespace headrace::optim {

struct MuonConfig : OptimizerOptions {
  static constexpr std::string_view kKind = "muon";
  std::vector<double> ns_coeffs = {3.4445, -4.7750, 2.0315};
  int64_t ns_steps = 5;
  double beta = 0.95;
  double eps = 1e-8;  // of Adam too
  double weight_decay = 0;
  bool nesterov = true;  // of Adam too
  bool adaptive = false;
  std::optional<double> consistent_rms = {};
  std::vector<std::string> adam = {};  // patterns of matrices that go to Adam all the same
  double adam_b1 = 0.9;
  double adam_b2 = 0.999;
  double adam_eps_root = 0;
  double adam_weight_decay = 0;
  std::optional<double> adam_learning_rate = {};  // under the same schedule; absent: learning_rate

  void Fields(config::Visitor& v);
  Status Validate() const;
  std::vector<PatternList> Patterns() const;
  std::unique_ptr<Optimizer> Make() const;
};

}  // namespace headrace::optim
