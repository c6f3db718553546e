#include "headrace/graph/ops/while_loop.h"

#include <algorithm>

#include "headrace/graph/batch_function.h"
#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

// Operands: the state, then what the condition uses of the code around it, then what the body uses.
struct WhileOp final : HigherOrderOp<WhileOp> {
  static constexpr std::string_view kName = "while";
  std::shared_ptr<const Function> condition;
  std::shared_ptr<const Function> body;
  int64_t states = 0;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("condition", condition);
    v.Visit("body", body);
    v.Visit("states", states);
  }

  size_t state_count() const { return static_cast<size_t>(states); }
  size_t condition_captures() const { return condition->parameters().size() - state_count(); }

  Types Infer(TypeSpan x) const override {
    Require(condition && body, "has no condition or no body");
    const TypeSpan state = x.first(state_count());
    Require(x.size() == condition->parameters().size() + body->parameters().size() - state.size(),
            "the operands are not those of its functions");
    const Types of_condition = TypesOf(condition->results);
    Require(of_condition.size() == 1 && of_condition[0] == TensorType{DType::kPred, {}},
            "the condition gives {}; it must be one pred[]",
            of_condition.empty() ? "nothing" : of_condition[0].ToString());
    Require(body->results.size() == state.size(), "the body gives {} values for a state of {}",
            body->results.size(), state.size());
    for (size_t i = 0; i < state.size(); ++i) {
      Require(body->results[i].type() == state[i], "state {} is {}, and {} after the body", i,
              state[i].ToString(), body->results[i].type().ToString());
    }
    return Types(state.begin(), state.end());
  }

  void Emit(const Node& node, Emitter& e) const override {
    const std::span<const Value> operands = node.operands;
    const auto captured = operands.subspan(state_count());
    const std::string regions =
        fmt::format("{}, {}", e.Region(*condition, captured.first(condition_captures())),
                    e.Region(*body, captured.subspan(condition_captures())));
    e.Op("stablehlo.while", node, operands.first(state_count()), {}, regions);
  }

  Values WantedGradient(const Node& node, std::span<const Value>,
                        const std::vector<bool>& wanted) const override {
    if (std::ranges::find(wanted, true) != wanted.end()) {
      throw GraphError(node.scope,
                       "while: has no gradient, since the number of steps to go back is not known; use "
                       "BoundedWhile or Scan, or stop the gradient before it");
    }
    return Values(node.operands.size());
  }

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    std::vector<bool> batched = MaskOf(x).batched;
    // The state has a batch where it begins with one or the body gives it one.
    while (true) {
      const std::vector<bool> results = BatchedResults(*body, OfBody(batched), size);
      const auto differs = [&](size_t i) { return results[i] && !batched[i]; };
      bool changed = false;
      const bool examples_differ = BatchedResults(*condition, OfCondition(batched), size)[0];
      for (size_t i = 0; i < state_count(); ++i) {
        if (differs(i) || (examples_differ && !batched[i])) batched[i] = changed = true;
      }
      if (!changed) break;
    }
    Values state;
    for (size_t i = 0; i < state_count(); ++i)
      state.push_back(batched[i] ? BroadcastBatch(x[i], size) : x[i].value);

    const auto operands = [&](std::span<const Value> now, size_t from, size_t count) {
      std::vector<BatchOperand> all;
      for (size_t i = 0; i < now.size(); ++i) all.push_back({now[i], batched[i]});
      for (size_t i = from; i < from + count; ++i) all.push_back(x[i]);
      return all;
    };
    const size_t body_captures = body->parameters().size() - state_count();
    const auto goes_on = [&](std::span<const Value> now) {
      return BatchInline(*condition, operands(now, state_count(), condition_captures()), size,
                         InnermostGraph(now))[0];
    };
    Values results = While(
        [&](std::span<const Value> now) {
          const BatchOperand any = goes_on(now);
          return Values{any.batched ? Any(any.value, {0}) : any.value};
        },
        [&](std::span<const Value> now) {
          const auto next =
              BatchInline(*body, operands(now, state_count() + condition_captures(), body_captures), size,
                          InnermostGraph(now));
          const BatchOperand going = goes_on(now);
          Values states_after;
          for (size_t i = 0; i < now.size(); ++i) {
            Value after = batched[i] ? BroadcastBatch(next[i], size) : next[i].value;
            // Examples that are done stay as they are.
            if (going.batched) after = Select(AlongBatch(going.value, after.rank()), after, now[i]);
            states_after.push_back(after);
          }
          return states_after;
        },
        state);
    for (size_t i = 0; i < results.size(); ++i) results[i] = BroadcastBatch({results[i], batched[i]}, size);
    return results;
  }

 private:
  static Value AlongBatch(Value pred, int rank) {
    Ints dims(static_cast<size_t>(rank), 1);
    dims[0] = pred.dim(0);
    return Reshape(pred, dims);
  }
  std::vector<bool> OfCondition(const std::vector<bool>& all) const {
    return {all.begin(), all.begin() + static_cast<long>(condition->parameters().size())};
  }
  std::vector<bool> OfBody(const std::vector<bool>& all) const {
    std::vector<bool> of_body(all.begin(), all.begin() + static_cast<long>(states));
    of_body.insert(of_body.end(), all.begin() + static_cast<long>(condition->parameters().size()), all.end());
    return of_body;
  }
};

}  // namespace

std::vector<OpEntry> WhileOps() { return EntriesOf<WhileOp>(); }

Values While(const ValueFn& condition, const ValueFn& body, Values state) {
  Require(!state.empty(), "while: has no state");
  Graph& graph = InnermostGraph(state);
  const Types types = TypesOf(state);
  Closure goes_on = TraceClosure("while_condition", graph, types, condition);
  Closure step = TraceClosure("while_body", graph, types, body);
  WhileOp op;
  op.states = static_cast<int64_t>(state.size());
  op.condition = std::move(goes_on.function);
  op.body = std::move(step.function);
  Values operands = std::move(state);
  operands.insert(operands.end(), goes_on.captured.begin(), goes_on.captured.end());
  operands.insert(operands.end(), step.captured.begin(), step.captured.end());
  return graph.Apply(std::make_shared<const WhileOp>(std::move(op)), std::move(operands));
}

Values BoundedWhile(int64_t limit, const ValueFn& condition, const ValueFn& body, Values state) {
  const auto step = [&](std::span<const Value> now, std::span<const Value>) {
    const Values same(now.begin(), now.end());
    const Value goes_on = condition(now).at(0);
    return ScanResult{
        Cond(goes_on, body, [](std::span<const Value> s) { return Values(s.begin(), s.end()); }, same), {}};
  };
  return Scan(step, std::move(state), {}, {.length = limit}).carry;
}

}  // namespace headrace
