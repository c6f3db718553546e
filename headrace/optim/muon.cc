#include "headrace/optim/muon.h"

#include <algorithm>
#include <cmath>

#include "headrace/core/glob.h"
#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

class Muon final : public Optimizer {
 public:
  explicit Muon(const MuonConfig& config)
      : config_(config),
        adam_{.b1 = config.adam_b1,
              .b2 = config.adam_b2,
              .eps = config.eps,
              .eps_root = config.adam_eps_root,
              .nesterov = config.nesterov} {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    const bool matrix = parameter.type.shape.rank() == 2 && !glob::MatchesAny(config_.adam, parameter.name);
    if (!matrix) return AdamMoments::Slots(parameter.type);
    return {{"mu", parameter.type}};
  }

  Update Step(const StepInput& in) const override {
    return in.slots.size() == 1 ? MatrixStep(in) : AdamStep(in);
  }

 private:
  Update AdamStep(const StepInput& in) const {
    auto [direction, slots] = adam_.Step(in);
    if (config_.adam_weight_decay != 0 && in.decays) {
      direction = direction + config_.adam_weight_decay * in.parameter;
    }
    Value rate = in.learning_rate;
    if (config_.adam_learning_rate) rate = (*config_.adam_learning_rate / config_.learning_rate) * rate;
    return {in.parameter - rate * direction, std::move(slots)};
  }

  Update MatrixStep(const StepInput& in) const {
    const Value g = in.gradient;
    const double beta = config_.beta;
    const Value momentum = in.Kept((1 - beta) * g + beta * in.slots[0], in.slots[0]);
    Value direction;
    if (config_.nesterov) {
      direction = beta * (momentum / BiasCorrection(beta, in.count, 2, g.dtype())) +
                  (1 - beta) * (g / BiasCorrection(beta, in.count, 1, g.dtype()));
    } else {
      direction = momentum / BiasCorrection(beta, in.count, 1, g.dtype());
    }
    Value move = Orthogonalized(direction);
    if (config_.adaptive) move = Sum(direction * move) * move;
    move = ShapeScale(static_cast<double>(g.dim(0)), static_cast<double>(g.dim(1))) * move;
    if (config_.weight_decay != 0 && in.decays) move = move + config_.weight_decay * in.parameter;
    return {in.parameter - in.learning_rate * move, {momentum}};
  }

  double ShapeScale(double in, double out) const {
    if (config_.consistent_rms) return std::sqrt(std::max(in, out)) * *config_.consistent_rms;
    return std::sqrt(std::max(1.0, out / in));
  }

  // Newton-Schulz: x <- c0 x + (c1 A + c2 A²) x with A = x xᵀ brings every singular value near 1. The wide
  // form of the matrix makes the smaller A.
  Value Orthogonalized(Value x) const {
    const bool tall = x.dim(0) > x.dim(1);
    if (tall) x = Transpose(x, {1, 0});
    x = x / (Sqrt(Sum(x * x)) + config_.eps);
    const std::vector<double>& c = config_.ns_coeffs;
    for (int64_t i = 0; i < config_.ns_steps; ++i) {
      const Value a = Dot(x, Transpose(x, {1, 0}));
      const Value b = c[1] * a + Dot(c[2] * a, a);
      x = c[0] * x + Dot(b, x);
    }
    return tall ? Transpose(x, {1, 0}) : x;
  }

  MuonConfig config_;
  AdamMoments adam_;
};

}  // namespace

void MuonConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("ns_coeffs", ns_coeffs, "The three coefficients of a Newton-Schulz iteration");
  v.Field("ns_steps", ns_steps, "Newton-Schulz iterations", config::Between(1, 100));
  v.Field("beta", beta, "Decay of the momentum", config::Between(0, 1));
  v.Field("eps", eps, "Added to norms and roots, for stability", config::AtLeast(0));
  v.Field("weight_decay", weight_decay, "Decoupled weight decay of matrices, scaled by the learning rate",
          config::AtLeast(0));
  v.Field("nesterov", nesterov, "Nesterov momentum");
  v.Field("adaptive", adaptive, "Scale each move by its dual norm");
  v.Field("consistent_rms", consistent_rms,
          "Scale moves to this root mean square whatever the shape (0.2 is like AdamW); null: by width",
          config::Positive());
  v.Field(
      "adam", adam,
      "Patterns of names of matrices that go to Adam, like all that is no matrix: [\"*embed*\", \"head.*\"]");
  v.Field("adam_b1", adam_b1, "Adam: decay of the mean of the gradients", config::Between(0, 1));
  v.Field("adam_b2", adam_b2, "Adam: decay of the mean of their squares", config::Between(0, 1));
  v.Field("adam_eps_root", adam_eps_root, "Adam: added under the root", config::AtLeast(0));
  v.Field("adam_weight_decay", adam_weight_decay, "Adam: decoupled weight decay", config::AtLeast(0));
  v.Field("adam_learning_rate", adam_learning_rate, "Adam: learning rate; null: that of the matrices",
          config::AtLeast(0));
}

Status MuonConfig::Validate() const {
  if (ns_coeffs.size() != 3) {
    return InvalidArgument("ns_coeffs: must be three numbers, got {}", ns_coeffs.size());
  }
  if (adam_learning_rate && learning_rate == 0) {
    return InvalidArgument("adam_learning_rate: needs a learning_rate above 0");
  }
  return Ok();
}

std::vector<PatternList> MuonConfig::Patterns() const {
  std::vector<PatternList> patterns = OptimizerOptions::Patterns();
  patterns.push_back({"adam", adam});
  return patterns;
}

std::unique_ptr<Optimizer> MuonConfig::Make() const { return std::make_unique<Muon>(*this); }

}  // namespace headrace::optim
