#include "headrace/graph/ops/vjp.h"

#include "headrace/graph/gradient.h"

namespace headrace {

Values Vjp(std::string name, const ValueFn& body, const Values& operands, std::span<const Value> cotangents) {
  Values arguments = operands;
  std::vector<size_t> seed_of;  // by result: the argument that is its cotangent; 0 for none
  for (Value cotangent : cotangents) {
    seed_of.push_back(cotangent ? arguments.size() : 0);
    if (cotangent) arguments.push_back(cotangent);
  }
  std::vector<size_t> wanted;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (IsInexact(operands[i].dtype())) wanted.push_back(i);
  }
  const Function back = Trace(std::move(name), TypesOf(arguments), [&](std::span<const Value> x) {
    Values inputs, seeds;
    for (size_t i : wanted) inputs.push_back(x[i]);
    for (size_t at : seed_of) seeds.push_back(at == 0 ? Value() : x[at]);
    return Gradient(body(x.first(operands.size())), inputs, seeds);
  });
  const Values found = Inline(back, arguments, InnermostGraph(arguments));
  Values results(operands.size());
  for (size_t i = 0; i < wanted.size(); ++i) results[wanted[i]] = found[i];
  return results;
}

}  // namespace headrace
