#include "headrace/graph/rewrite.h"

namespace headrace {

Values Rewrite(std::span<const Value> results, Substitution<Value>& known, Graph& into) {
  const auto is_known = [&](Value value) { return static_cast<bool>(known.Get(value)); };
  for (const Node* node : NodesBehind(results, is_known)) {
    Values operands;
    for (Value operand : node->operands) operands.push_back(known.Get(operand));
    auto entered = into.Enter(JoinScope(into.scope(), node->scope));
    const Values made = into.Apply(node->op, std::move(operands));
    for (size_t i = 0; i < made.size(); ++i) {
      Value& slot = known.Get(node->result(static_cast<int>(i)));
      if (!slot) slot = made[i];
    }
  }
  Values values;
  for (Value result : results) values.push_back(known.Get(result));
  return values;
}

}  // namespace headrace
