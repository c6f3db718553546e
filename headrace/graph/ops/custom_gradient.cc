#include "headrace/graph/ops/custom_gradient.h"

#include <algorithm>

#include "headrace/graph/batch_function.h"
#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/ops/vjp.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct CustomGradientOp final : OpOf<CustomGradientOp> {
  static constexpr std::string_view kName = "custom_gradient";
  std::shared_ptr<const Function> forward;   // operands -> results, residuals
  std::shared_ptr<const Function> backward;  // residuals, cotangents -> those of the floating-point operands
  int64_t results = 0;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("forward", forward);
    v.Visit("backward", backward);
    v.Visit("results", results);
  }
  int Arity() const override { return -1; }
  Types Infer(TypeSpan x) const override {
    Require(forward && backward, "has no functions");
    Require(std::ranges::equal(TypesOf(forward->parameters()), x),
            "the operands are not those of its function");
    return TypesOf(forward->results);
  }
  void Emit(const Node& node, Emitter& e) const override { e.Expand(node, *forward); }

  // What reads the residuals is itself a gradient: they are differentiated as the function makes them.
  Values Gradient(const Node& node, std::span<const Value> dy) const override {
    const auto count = static_cast<size_t>(results);
    const auto has_cotangent = [](Value cotangent) { return static_cast<bool>(cotangent); };
    Values cotangents(node.operands.size());
    if (std::ranges::any_of(dy.first(count), has_cotangent)) cotangents = Backward(node, dy.first(count));
    if (std::ranges::none_of(dy.subspan(count), has_cotangent)) return cotangents;

    const auto residuals = [&](std::span<const Value> x) {
      const Values all = Inline(*forward, x, InnermostGraph(x));
      return Values(all.begin() + results, all.end());
    };
    const Values owed = Vjp("residuals", residuals, node.operands, dy.subspan(count));
    for (size_t i = 0; i < owed.size(); ++i)
      cotangents[i] = cotangents[i] && owed[i] ? cotangents[i] + owed[i] : owed[i];
    return cotangents;
  }

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    auto [batched, operands] = MaskOf(x);
    CustomGradientOp op = *this;
    op.forward = BatchFunction(*forward, batched, size, std::vector<bool>(forward->results.size(), true));
    op.backward = BatchOfBackward(x, size);
    return ApplyMany(std::move(op), std::move(operands));
  }

 private:
  // The cotangents of the operands as the rule has them.
  Values Backward(const Node& node, std::span<const Value> dy) const {
    Values arguments;
    for (int i = static_cast<int>(results); i < static_cast<int>(forward->results.size()); ++i)
      arguments.push_back(node.result(i));
    for (size_t i = 0; i < dy.size(); ++i) {
      const Value result = node.result(static_cast<int>(i));
      if (IsInexact(result.dtype())) arguments.push_back(dy[i] ? dy[i] : ZerosLike(result));
    }
    const Values found = Inline(*backward, arguments, InnermostGraph(arguments));
    Values cotangents;
    size_t next = 0;
    for (Value operand : node.operands)
      cotangents.push_back(IsInexact(operand.dtype()) ? found[next++] : Value());
    return cotangents;
  }

  // Operands that all examples share get the sum of what the examples owe them.
  std::shared_ptr<const Function> BatchOfBackward(std::span<const BatchOperand> x, int64_t size) const {
    const std::shared_ptr<const Function> batch =
        BatchFunction(*backward, std::vector<bool>(backward->parameters().size(), true), size,
                      std::vector<bool>(backward->results.size(), true));
    return std::make_shared<const Function>(
        Trace(backward->name, TypesOf(batch->parameters()), [&](std::span<const Value> arguments) {
          Values found = Inline(*batch, arguments, arguments[0].graph());
          size_t next = 0;
          for (const BatchOperand& operand : x) {
            if (!IsInexact(operand.value.dtype())) continue;
            if (!operand.batched) found[next] = Sum(found[next], {0});
            ++next;
          }
          return found;
        }));
  }
};

}  // namespace

std::vector<OpEntry> CustomGradientOps() { return EntriesOf<CustomGradientOp>(); }

Values CustomGradient(Values operands, const std::function<WithResiduals(std::span<const Value>)>& forward,
                      const BackwardFn& backward) {
  Require(!operands.empty(), "custom_gradient: has no operands");
  CustomGradientOp op;
  size_t residual_count = 0;
  op.forward =
      std::make_shared<const Function>(Trace("forward", TypesOf(operands), [&](std::span<const Value> x) {
        WithResiduals made = forward(x);
        op.results = static_cast<int64_t>(made.results.size());
        residual_count = made.residuals.size();
        made.results.insert(made.results.end(), made.residuals.begin(), made.residuals.end());
        return made.results;
      }));

  const std::span<const Value> results =
      std::span(op.forward->results).first(static_cast<size_t>(op.results));
  Types types = TypesOf(std::span(op.forward->results).subspan(results.size()));
  for (Value result : results) {
    if (IsInexact(result.dtype())) types.push_back(result.type());
  }
  op.backward = std::make_shared<const Function>(Trace("backward", types, [&](std::span<const Value> x) {
    const Values found = backward(x.first(residual_count), x.subspan(residual_count));
    Require(found.size() == operands.size(),
            "custom_gradient: the way back gives {} cotangents for {} operands", found.size(),
            operands.size());
    Values cotangents;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!IsInexact(operands[i].dtype())) continue;
      const Value cotangent = found[i] ? found[i] : Full(x[0].graph(), operands[i].type(), 0);
      Require(cotangent.type() == operands[i].type(),
              "custom_gradient: the cotangent of operand {} is {}, not {}", i, cotangent.type().ToString(),
              operands[i].type().ToString());
      cotangents.push_back(cotangent);
    }
    return cotangents;
  }));
  const auto count = static_cast<size_t>(op.results);
  Values all = ApplyMany(std::move(op), std::move(operands));
  all.resize(count);
  return all;
}

}  // namespace headrace
