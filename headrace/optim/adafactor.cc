#include "headrace/optim/adafactor.h"

#include <algorithm>
#include <numeric>

#include "headrace/graph/ops.h"

namespace headrace::optim {
namespace {

// The two largest dimensions, which the second moment is factored over.
struct FactoredAxes {
  int smaller = 0, larger = 0;
};

TensorType Without(const TensorType& type, int axis) {
  Ints dims = type.shape.dims();
  dims.erase(dims.begin() + axis);
  return {type.dtype, Shape(dims)};
}

std::vector<int> AxesWithout(int rank, int axis) {
  std::vector<int> axes;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) axes.push_back(i);
  }
  return axes;
}

Value MeanSquare(Value x) { return Mean(x * x); }

class Adafactor final : public Optimizer {
 public:
  explicit Adafactor(const AdafactorConfig& config) : config_(config) {}

  std::vector<SlotSpec> Slots(const ParameterInfo& parameter) const override {
    const TensorType& type = parameter.type;
    std::vector<SlotSpec> slots;
    if (const auto axes = Factored(type.shape)) {
      const int rank = type.shape.rank();
      slots = {{"v_row", Without(type, axes->larger), 0, AxesWithout(rank, axes->larger)},
               {"v_col", Without(type, axes->smaller), 0, AxesWithout(rank, axes->smaller)}};
    } else {
      slots = {{"v", type}};
    }
    if (config_.momentum != 0) slots.push_back({"ema", type});
    return slots;
  }

  Update Step(const StepInput& in) const override {
    auto [move, slots] = Scaled(in);
    if (config_.clipping_threshold) {
      move = move / Maximum(Sqrt(MeanSquare(move)) / *config_.clipping_threshold, 1.0);
    }
    move = in.learning_rate * move;
    if (config_.multiply_by_parameter_scale) {
      constexpr double kMinScale = 1e-3;  // so that a parameter can leave 0
      move = move * Maximum(Sqrt(MeanSquare(in.parameter)), kMinScale);
    }
    if (config_.momentum != 0) {
      const Value before = in.slots.back();
      move = in.Kept((1 - config_.momentum) * move + config_.momentum * before, before);
      slots.push_back(move);
    }
    if (config_.weight_decay_rate != 0 && in.decays) move = move + config_.weight_decay_rate * in.parameter;
    return {in.parameter - move, std::move(slots)};
  }

 private:
  std::optional<FactoredAxes> Factored(const Shape& shape) const {
    if (!config_.factored || shape.rank() < 2) return std::nullopt;
    std::vector<int> by_size(static_cast<size_t>(shape.rank()));
    std::iota(by_size.begin(), by_size.end(), 0);
    std::ranges::stable_sort(by_size, {}, [&](int axis) { return shape[axis]; });
    const FactoredAxes axes{by_size[by_size.size() - 2], by_size.back()};
    if (shape[axes.smaller] < config_.min_dim_size_to_factor) return std::nullopt;
    return axes;
  }

  // The gradient over the root of its second moment, and the slots that hold that.
  Update Scaled(const StepInput& in) const {
    const Value g = in.gradient;
    const Value squares = g * g + config_.eps;
    const Value update = Convert(in.count, g.dtype()) + 1.0;
    const Value decay = 1.0 - Pow(update, -config_.decay_rate);
    auto moved = [&](Value average, Value term) {
      return in.Kept(decay * average + (1.0 - decay) * term, average);
    };

    const auto axes = Factored(g.shape());
    if (!axes) {
      const Value v = moved(in.slots[0], squares);
      return {g * Pow(v, -0.5), {v}};
    }
    const auto [smaller, larger] = *axes;
    const Value row = moved(in.slots[0], Mean(squares, {larger}));   // the shape without `larger`
    const Value col = moved(in.slots[1], Mean(squares, {smaller}));  // the shape without `smaller`
    const Ints left = {smaller > larger ? smaller - 1 : smaller};
    const Value row_factor = Pow(row / KeepDims(Mean(row, left), row.shape(), left), -0.5);
    return {g * ExpandDims(row_factor, larger) * ExpandDims(Pow(col, -0.5), smaller), {row, col}};
  }

  AdafactorConfig config_;
};

}  // namespace

void AdafactorConfig::Fields(config::Visitor& v) {
  OptimizerOptions::Fields(v);
  v.Field("min_dim_size_to_factor", min_dim_size_to_factor,
          "Parameters are factored whose two largest dimensions are at least this", config::AtLeast(1));
  v.Field("decay_rate", decay_rate, "The mean of the squares decays by 1 - (updates)^-decay_rate",
          config::Between(0, 1));
  v.Field("multiply_by_parameter_scale", multiply_by_parameter_scale,
          "Scale each move by the root mean square of the parameter");
  v.Field("clipping_threshold", clipping_threshold,
          "Scale the root mean square of each move down to this, before the learning rate; null: never",
          config::Positive());
  v.Field("momentum", momentum, "Share of the previous move that is kept; 0 for none", config::Between(0, 1));
  v.Field("weight_decay_rate", weight_decay_rate, "Weight decay a step, not scaled by the learning rate",
          config::AtLeast(0));
  v.Field("eps", eps, "Added to the squared gradients", config::AtLeast(0));
  v.Field("factored", factored, "Keep second moments of matrices as rows and columns");
}

std::unique_ptr<Optimizer> AdafactorConfig::Make() const { return std::make_unique<Adafactor>(*this); }

}  // namespace headrace::optim
