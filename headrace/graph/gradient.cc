#include "headrace/graph/gradient.h"

#include <algorithm>

#include "headrace/graph/ops.h"
#include "headrace/graph/substitution.h"

namespace headrace {
namespace {

// One graph that the gradient goes back through.
struct Level {
  Graph* graph;
  size_t node_count;         // those made later are the gradient's own
  std::vector<bool> active;  // nodes on a path from the inputs: only those need cotangents
  Substitution<Value> cotangents;
};

// The backward pass. Inside a trace within a trace it walks the inner graph, then the parents': what an inner
// value owes to an outer one goes through a capture.
class Backward {
 public:
  explicit Backward(Graph& innermost, std::span<const Value> inputs) {
    for (Graph* graph = &innermost; graph; graph = graph->parent()) {
      levels_.push_back({graph, graph->nodes().size(), {}, {}});
    }
    for (size_t i = levels_.size(); i-- > 0;) MarkActive(i, inputs);
  }

  void Accumulate(Value of, Value cotangent) {
    if (!cotangent) return;
    HR_CHECK(cotangent.type() == of.type());
    Value& sum = LevelOf(of).cotangents.Get(of);
    sum = sum ? Add(sum, cotangent) : cotangent;
  }

  Value CotangentOf(Value of) { return LevelOf(of).cotangents.Get(of); }

  void Run() {
    for (Level& level : levels_) {
      for (size_t i = level.node_count; i-- > 0;) {
        if (level.active[i]) StepBack(level, level.graph->nodes()[i]);
      }
      // Parameters come last, so their cotangents are complete.
      for (const auto& [outer, parameter] : Captures(*level.graph)) {
        Accumulate(outer, level.cotangents.Get(parameter));
      }
    }
  }

 private:
  // The captured values with their parameters.
  static std::vector<std::pair<Value, Value>> Captures(const Graph& graph) {
    std::vector<std::pair<Value, Value>> captures;
    const size_t declared = graph.parameters().size() - graph.captured().size();
    for (size_t i = 0; i < graph.captured().size(); ++i)
      captures.emplace_back(graph.captured()[i], graph.parameters()[declared + i]);
    return captures;
  }

  Level& LevelOf(Value value) {
    const auto found = std::ranges::find(levels_, &value.graph(), &Level::graph);
    Require(found != levels_.end(), "gradient: a value belongs to another graph");
    return *found;
  }

  bool IsActive(Value value) {
    const Level& level = LevelOf(value);
    const auto id = static_cast<size_t>(value.node().id);
    return id < level.node_count && level.active[id];
  }

  // REQUIRES: the parents are marked
  void MarkActive(size_t index, std::span<const Value> inputs) {
    Level& level = levels_[index];
    level.active.assign(level.node_count, false);
    auto mark = [&](Value value) {
      const auto id = static_cast<size_t>(value.node().id);
      if (id < level.node_count) level.active[id] = true;
    };
    for (Value input : inputs) {
      if (&input.graph() == level.graph) mark(input);
    }
    for (const auto& [outer, parameter] : Captures(*level.graph)) {
      if (IsActive(outer)) mark(parameter);
    }
    for (size_t i = 0; i < level.node_count; ++i) {
      const Node& node = level.graph->nodes()[i];
      for (Value operand : node.operands) {
        if (level.active[static_cast<size_t>(operand.node().id)]) level.active[i] = true;
      }
    }
  }

  void StepBack(Level& level, const Node& node) {
    if (!node.op) return;
    Values of_results;
    bool any = false;
    for (size_t r = 0; r < node.types.size(); ++r) {
      of_results.push_back(level.cotangents.Get(node.result(static_cast<int>(r))));
      any |= static_cast<bool>(of_results.back());
    }
    if (!any) return;
    std::vector<bool> wanted;
    for (Value operand : node.operands) wanted.push_back(IsInexact(operand.dtype()) && IsActive(operand));
    auto entered = levels_[0].graph->Enter(JoinScope("gradient", node.scope));
    const Values of_operands = node.op->WantedGradient(node, of_results, wanted);
    HR_CHECK(of_operands.size() == node.operands.size());
    for (size_t k = 0; k < node.operands.size(); ++k) {
      if (wanted[k]) Accumulate(node.operands[k], of_operands[k]);
    }
  }

  std::vector<Level> levels_;  // from the innermost outwards
};

}  // namespace

Values Gradient(Value output, std::span<const Value> inputs, Value seed) {
  Require(IsInexact(output.dtype()), "gradient: the output is {}, which is not floating-point",
          output.type().ToString());
  if (!seed) {
    Require(output.rank() == 0 && IsFloat(output.dtype()),
            "gradient: the output is {}; it must be a {}scalar, or come with a seed",
            output.type().ToString(), IsComplex(output.dtype()) ? "real " : "");
    seed = OnesLike(output);
  }
  return Gradient({&output, 1}, inputs, {&seed, 1});
}

Values Gradient(std::span<const Value> outputs, std::span<const Value> inputs, std::span<const Value> seeds) {
  HR_CHECK(outputs.size() == seeds.size());
  if (inputs.empty()) return {};
  for (Value input : inputs) {
    Require(IsInexact(input.dtype()), "gradient: with respect to {}, which is not floating-point",
            input.type().ToString());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!seeds[i]) continue;
    Require(IsInexact(outputs[i].dtype()), "gradient: output {} is {}, which is not floating-point", i,
            outputs[i].type().ToString());
    Require(seeds[i].type() == outputs[i].type(), "gradient: the seed is {}, the output {}",
            seeds[i].type().ToString(), outputs[i].type().ToString());
  }

  Values all(inputs.begin(), inputs.end());
  for (std::span<const Value> more : {outputs, seeds}) all.insert(all.end(), more.begin(), more.end());
  Backward backward(InnermostGraph(all), inputs);
  for (size_t i = 0; i < outputs.size(); ++i) backward.Accumulate(outputs[i], seeds[i]);
  backward.Run();

  Values gradients;
  for (Value input : inputs) {
    const Value cotangent = backward.CotangentOf(input);
    gradients.push_back(cotangent ? cotangent : ZerosLike(input));
  }
  return gradients;
}

Values Jvp(std::span<const Value> outputs, std::span<const Value> inputs, std::span<const Value> tangents) {
  HR_CHECK(inputs.size() == tangents.size());
  // Backwards from any cotangents is linear in them, and its transpose goes forwards.
  Values cotangents;
  for (Value output : outputs) cotangents.push_back(ZerosLike(output));
  return Gradient(Gradient(outputs, inputs, cotangents), cotangents, tangents);
}

}  // namespace headrace
