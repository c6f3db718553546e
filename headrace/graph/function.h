// Function: a traced computation — a graph with its results — and the ways to make and use one.
//
//   Function square = Trace("square", {{DType::kF32, {}}}, [](std::span<const Value> x) { return Values{x[0]
//   * x[0]}; }); Values y = Inline(square, {&x, 1}, x.graph());
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "headrace/graph/graph.h"

namespace headrace {

struct Function {
  std::string name;
  std::unique_ptr<Graph> graph;
  Values results;

  const Values& parameters() const { return graph->parameters(); }
};

// From the values of the parameters to the results.
using ValueFn = std::function<Values(std::span<const Value>)>;

// Runs `body` once on parameters of the given types. `names`, if given, has one name a parameter. Throws
// GraphError.
Function Trace(std::string name, TypeSpan types, const ValueFn& body,
               std::span<const std::string> names = {});

// A function that was traced inside a graph: its last parameters are for `captured`, the values of that graph
// (or of its parents) that it uses beside its arguments.
struct Closure {
  std::shared_ptr<const Function> function;
  Values captured;
};

// As Trace, inside `parent`: the body may use values of it and of its parents. Throws GraphError.
Closure TraceClosure(std::string name, Graph& parent, TypeSpan types, const ValueFn& body);

Types TypesOf(std::span<const Value> values);

// Repeats the nodes of `function` in `graph`, which the arguments are from; returns what its results become.
Values Inline(const Function& function, std::span<const Value> arguments, Graph& graph);

// Whether the results depend on an op of that name, be it in the function or in one that an op of it holds.
bool Uses(const Function& function, std::string_view op);

// The nodes that the results depend on, in order; parameters are not among them.
std::vector<const Node*> LiveNodes(std::span<const Value> results);

}  // namespace headrace
