// Graph: the nodes of one function in the order in which they were made, which is a topological order.
//
// A Graph belongs to one trace on one thread. It is appended to and never edited; what nothing uses is not
// emitted. The scope path that is entered when a node is made becomes its location, so that errors and
// profiles speak in layers.
//
//   Graph graph;
//   Value x = graph.Parameter({DType::kF32, {2, 3}}, "x");
//   Value y = Tanh(x) * 2.0;
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "headrace/graph/op.h"
#include "headrace/graph/value.h"

namespace headrace {

struct Node {
  int id = 0;  // position in the graph
  Graph* graph = nullptr;
  std::shared_ptr<const Op> op;  // null for a parameter
  Values operands;
  Types types;        // of the results
  std::string scope;  // "layers.3/attention"; for a parameter, its name

  Value result(int i = 0) const { return {this, i}; }
};

class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // The next parameter of the function.
  Value Parameter(TensorType type, std::string name);

  // Adds a node. Throws GraphError, naming op, operand types and scope path, when the operands do not fit.
  Values Apply(std::shared_ptr<const Op> op, Values operands);

  const std::deque<Node>& nodes() const { return nodes_; }
  const Values& parameters() const { return parameters_; }

  const std::string& scope() const { return scope_; }

  // While it lives, nodes are made under the scope `path` (absolute).
  class [[nodiscard]] Entered {
   public:
    Entered(Graph& graph, std::string path)
        : graph_(graph), previous_(std::exchange(graph.scope_, std::move(path))) {}
    ~Entered() { graph_.scope_ = std::move(previous_); }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    Graph& graph_;
    std::string previous_;
  };
  Entered Enter(std::string path) { return Entered(*this, std::move(path)); }

 private:
  std::deque<Node> nodes_;  // stable addresses
  Values parameters_;
  std::string scope_;
};

// Apply an op to operands that are in one graph; the form that vocabulary functions use.
//   Value Transpose(Value x, Ints permutation) { return Apply(TransposeOp{.permutation = permutation}, {x});
//   }
template <class T>
Value Apply(T op, Values operands) {
  Graph& graph = operands.at(0).graph();
  return graph.Apply(std::make_shared<const T>(std::move(op)), std::move(operands)).at(0);
}
template <class T>
Values ApplyMany(T op, Values operands) {
  Graph& graph = operands.at(0).graph();
  return graph.Apply(std::make_shared<const T>(std::move(op)), std::move(operands));
}

}  // namespace headrace
