#include "headrace/nn/scope.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

uint32_t PathHash(std::string_view path) {
  uint32_t hash = 2166136261u;
  for (char c : path) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

Frame Frame::Declare(Graph& scratch) { return Frame(scratch, true); }

Frame Frame::Bind(Graph& graph, std::map<std::string, Value> variables, FrameOptions options) {
  Frame frame(graph, false);
  frame.variables_ = std::move(variables);
  frame.options_ = std::move(options);
  return frame;
}

Scope Scope::operator/(std::string_view name) const { return Scope(*frame_, Full(name)); }
Scope Scope::operator/(int64_t index) const { return *this / std::string_view(fmt::format("{}", index)); }

std::string Scope::Full(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

Value Scope::Variable(std::string_view name, const Dims& dims, Initializer initializer, bool trained) const {
  const std::string full = Full(name);
  VariableSpec spec{
      .name = full, .type = {}, .axes = {}, .initializer = std::move(initializer), .trained = trained};
  std::vector<int64_t> sizes;
  for (const Dim& dim : dims) {
    sizes.push_back(dim.size);
    spec.axes.push_back(dim.axis);
  }
  spec.type = {DType::kF32, Shape(sizes)};

  if (frame_->declaring_) {
    if (frame_->variables_.contains(full))
      throw GraphError(path_, fmt::format("variable '{}' is declared twice", full));
    const Value placeholder = graph().Parameter(spec.type, full);
    frame_->variables_.emplace(full, placeholder);
    frame_->specs_.push_back(std::move(spec));
    return placeholder;
  }
  const auto found = frame_->variables_.find(full);
  if (found == frame_->variables_.end())
    throw GraphError(path_, fmt::format("there is no variable '{}'", full));
  if (found->second.type() != spec.type) {
    throw GraphError(path_, fmt::format("variable '{}' is {}; the model wants {}", full,
                                        found->second.type().ToString(), spec.type.ToString()));
  }
  return found->second;
}

Value Scope::Param(std::string_view name, const Dims& dims, Initializer initializer) const {
  return Convert(Variable(name, dims, std::move(initializer), true), compute_dtype());
}

bool Scope::IsFrozen(std::string_view name) const {
  const auto& frozen = frame_->options().frozen;
  return frozen && frozen(Full(name));
}

Value Scope::State(std::string_view name, const Dims& dims, Initializer initializer) const {
  return Variable(name, dims, std::move(initializer), false);
}

void Scope::SetState(std::string_view name, Value value) const {
  Value& slot = frame_->variables_.at(Full(name));
  HR_CHECK(slot.type() == value.type());
  slot = value;
}

void Scope::AddPenalty(Value penalty) const {
  if (&penalty.graph() != frame_->graph_) {
    throw GraphError(
        path_,
        "a penalty is made in the body of a loop or branch; let the body give it as a result, and "
        "add that");
  }
  frame_->penalties_.push_back(penalty);
}

Values Scope::Remat(const ValueFn& body, Values operands) const {
  Frame& frame = *frame_;
  // XLA's CPU compiler fuses sums of residuals into whatever reads them: without a barrier each layer would
  // add up all those before it anew, and on the way back all those behind it.
  if (frame.options_.remat == RematPolicy::kNone) return body(OptimizationBarrier(std::move(operands)));
  // What the block leaves in the frame would be values of the graph inside: they come out as results too.
  std::vector<std::string> replaced;
  size_t result_count = 0;
  const Frame outside = frame;
  Values results = headrace::Remat(
      [&](std::span<const Value> inside) {
        Graph& graph = inside[0].graph();
        frame.graph_ = &graph;
        if (frame.options_.key) frame.options_.key = graph.Local(frame.options_.key);
        frame.penalties_.clear();
        Values made = body(inside);
        result_count = made.size();
        for (const auto& [name, value] : frame.variables_) {
          if (value == outside.variables_.at(name)) continue;
          replaced.push_back(name);
          made.push_back(value);
        }
        made.insert(made.end(), frame.penalties_.begin(), frame.penalties_.end());
        frame = outside;
        return made;
      },
      std::move(operands), frame.options_.remat);
  const auto more = results.begin() + static_cast<std::ptrdiff_t>(result_count);
  const auto penalties = more + static_cast<std::ptrdiff_t>(replaced.size());
  for (size_t i = 0; i < replaced.size(); ++i) frame.variables_.at(replaced[i]) = results[result_count + i];
  frame.penalties_.insert(frame.penalties_.end(), penalties, results.end());
  results.erase(more, results.end());
  return results;
}

Value Scope::Key() const {
  const Value key = frame_->options().key;
  if (!key) throw GraphError(path_, "this layer draws random numbers, but the trace has no key");
  return FoldIn(key, Constant(graph(), HostTensor::Scalar<uint32_t>(PathHash(path_))));
}

}  // namespace headrace::nn
