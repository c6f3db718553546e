#include "headrace/train/accumulate.h"

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"

namespace headrace::train {
namespace {

// Microbatches run in a loop, which keeps programs small and is as fast, unless they convolve: XLA's CPU
// compiler gives convolutions in loops to no library and one thread, which takes 11 to 20 times as long. Up
// to here those are written out one after the other.
constexpr int64_t kMostUnrolled = 32;

// Means are over at least so much weight: where nothing of a batch counts, its loss and gradient are 0.
constexpr double kLeastWeight = 1e-6;

// The batch as [count, batch / count, ...]. Microbatch i takes every count-th example from i on, so that a
// batch that is split over devices stays split.
Fields Cut(const Fields& batch, int64_t count) {
  Fields cut;
  for (const auto& [name, x] : batch) {
    Ints dims = x.shape().dims();
    dims[0] /= count;
    dims.insert(dims.begin() + 1, count);
    Ints order(dims.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
    std::swap(order[0], order[1]);
    cut.emplace(name, Transpose(Reshape(x, dims), order));
  }
  return cut;
}

// The sums over the microbatches so far.
struct Sums {
  Values gradients;  // of the sum of the losses; of one microbatch alone, of their mean
  Values measures;
  Value weight;
  Values state;  // of the variables that are not trained, as the last microbatch left them
};

class Accumulator {
 public:
  Accumulator(const Task& task, const std::map<std::string, Value>& variables, const StepOptions& options,
              Value loss_scale)
      : task_(task),
        variables_(variables),
        options_(options),
        loss_scale_(loss_scale),
        trained_(task.Trained()) {
    for (const nn::VariableSpec& spec : task.variables) {
      if (!spec.trained) state_.push_back(spec.name);
    }
  }

  Sums OfBatch(const Fields& batch, Value key) const {
    Values state;
    for (const std::string& name : state_) state.push_back(variables_.at(name));
    return OfMicrobatch(key.graph(), batch, key, state);
  }

  Sums OfMicrobatches(const Fields& batch, Value key) const {
    const int64_t count = options_.microbatches;
    const Fields cut = Cut(batch, count);
    const Value numbers = Iota(key.graph(), {DType::kU32, {count}}, 0);
    Values xs = {numbers};
    for (const auto& [name, x] : cut) xs.push_back(x);
    auto body = [&](std::span<const Value> carry, std::span<const Value> x) {
      Fields fields;
      size_t next = 1;
      for (const auto& [name, whole] : cut) fields.emplace(name, x[next++]);
      const Sums before = Unflatten(carry);
      Sums sums = OfMicrobatch(x[0].graph(), fields, FoldIn(key, x[0]), before.state);
      for (size_t i = 0; i < sums.gradients.size(); ++i)
        sums.gradients[i] = before.gradients[i] + sums.gradients[i];
      for (size_t i = 0; i < sums.measures.size(); ++i)
        sums.measures[i] = before.measures[i] + sums.measures[i];
      sums.weight = before.weight + sums.weight;
      return ScanResult{Flatten(sums), {}};
    };
    const int64_t unroll = count <= kMostUnrolled && Convolves(key, cut) ? count : 1;
    return Unflatten(Scan(body, Flatten(Zero(key.graph())), xs, {.unroll = unroll}).carry);
  }

 private:
  Sums OfMicrobatch(Graph& graph, const Fields& batch, Value key, const Values& state) const {
    std::map<std::string, Value> variables = variables_;
    for (size_t i = 0; i < state_.size(); ++i) variables[state_[i]] = state[i];
    Values inputs;  // as this graph has them
    for (const nn::VariableSpec* spec : trained_) {
      inputs.push_back(graph.Local(variables_.at(spec->name)));
      variables[spec->name] = inputs.back();
    }
    auto frozen = [this](std::string_view name) { return task_.frozen.contains(name); };
    nn::Frame frame = nn::Frame::Bind(
        graph, std::move(variables),
        {.train = true, .compute = options_.compute, .key = key, .frozen = frozen, .remat = options_.remat});
    const Measures measures = task_.measure(frame, batch);

    Sums sums;
    sums.weight = measures.weight;
    for (const NamedSum& sum : measures.sums) sums.measures.push_back(sum.sum);
    sums.gradients = options_.microbatches == 1 ? OfMean(sums.measures.at(0), measures.weight, inputs)
                                                : OfSum(sums.measures.at(0), measures.weight, inputs);
    for (const std::string& name : state_) sums.state.push_back(frame.variables().at(name));
    return sums;
  }

  // Whether the loss of a microbatch comes from convolutions. `cut` is [microbatches, ...].
  bool Convolves(Value key, const Fields& cut) const {
    Types types;
    for (const auto& [name, x] : cut)
      types.push_back({x.dtype(), Shape({x.shape().begin() + 1, x.shape().end()})});
    const Closure loss = TraceClosure("loss", key.graph(), types, [&](std::span<const Value> x) {
      Fields batch;
      size_t next = 0;
      for (const auto& [name, whole] : cut) batch.emplace(name, x[next++]);
      nn::Frame frame =
          nn::Frame::Bind(x[0].graph(), variables_,
                          {.train = true, .compute = options_.compute, .key = x[0].graph().Local(key)});
      return Values{task_.measure(frame, batch).sums.at(0).sum};
    });
    return Uses(*loss.function, "convolution");
  }

  // Divided where the way back starts, not at its end, where each gradient would be.
  Values OfMean(Value loss, Value weight, const Values& inputs) const {
    weight = Maximum(weight, kLeastWeight);
    const Value seed = loss_scale_ ? loss_scale_ / weight : 1.0 / weight;
    Values gradients = Gradient(loss, inputs, Convert(seed, loss.dtype()));
    if (!loss_scale_) return gradients;
    const Value unscale = 1.0 / loss_scale_;
    for (Value& gradient : gradients) gradient = gradient * Convert(unscale, gradient.dtype());
    return gradients;
  }

  // Scaled, the way back starts from the mean over the whole batch, so that the size of gradients does not
  // depend on that of batches.
  Values OfSum(Value loss, Value weight, const Values& inputs) const {
    if (!loss_scale_) return Gradient(loss, inputs);
    const Value share = Maximum(weight, 1.0) * static_cast<double>(options_.microbatches);
    Values gradients = Gradient(loss, inputs, Convert(loss_scale_ / share, loss.dtype()));
    for (Value& gradient : gradients) gradient = gradient * Convert(share / loss_scale_, gradient.dtype());
    return gradients;
  }

  Sums Zero(Graph& graph) const {
    Sums zero;
    const Value scalar = Scalar(graph, DType::kF32, 0);
    for (const nn::VariableSpec* spec : trained_) zero.gradients.push_back(Full(graph, spec->type, 0));
    zero.measures.assign(task_.measure_names.size(), scalar);
    zero.weight = scalar;
    for (const std::string& name : state_) zero.state.push_back(variables_.at(name));
    return zero;
  }

  static Values Flatten(const Sums& sums) {
    Values flat = sums.gradients;
    flat.insert(flat.end(), sums.measures.begin(), sums.measures.end());
    flat.push_back(sums.weight);
    flat.insert(flat.end(), sums.state.begin(), sums.state.end());
    return flat;
  }
  Sums Unflatten(std::span<const Value> flat) const {
    auto take = [&](size_t count) {
      Values values(flat.begin(), flat.begin() + static_cast<std::ptrdiff_t>(count));
      flat = flat.subspan(count);
      return values;
    };
    Sums sums;
    sums.gradients = take(trained_.size());
    sums.measures = take(task_.measure_names.size());
    sums.weight = take(1)[0];
    sums.state = take(state_.size());
    return sums;
  }

  const Task& task_;
  const std::map<std::string, Value>& variables_;
  const StepOptions& options_;
  Value loss_scale_;
  std::vector<const nn::VariableSpec*> trained_;
  std::vector<std::string> state_;  // names of the variables that are state
};

}  // namespace

Accumulated Accumulate(const Task& task, const std::map<std::string, Value>& variables, const Fields& batch,
                       Value key, const StepOptions& options, Value loss_scale) {
  const Accumulator accumulator(task, variables, options, loss_scale);
  const Sums sums =
      options.microbatches == 1 ? accumulator.OfBatch(batch, key) : accumulator.OfMicrobatches(batch, key);

  Accumulated result{.variables = variables, .gradients = sums.gradients, .means = sums.measures};
  const Value weight = Maximum(sums.weight, kLeastWeight);
  if (options.microbatches > 1) {
    for (Value& gradient : result.gradients) gradient = gradient / Convert(weight, gradient.dtype());
  }
  for (Value& mean : result.means) mean = mean / weight;
  size_t next = 0;
  for (const nn::VariableSpec& spec : task.variables) {
    if (!spec.trained) result.variables[spec.name] = sums.state[next++];
  }
  return result;
}

}  // namespace headrace::train
