// Graph: the nodes of one function in the order in which they were made, which is a topological order.
//
// A Graph belongs to one trace on one thread. It is appended to, never edited but for what Extend says; what
// nothing uses is not emitted. The scope path that is entered when a node is made becomes its location, so
// that errors and profiles speak in layers.
//
// A graph that is traced inside another (the body of a loop) has that one as its parent. Values of the
// parents may be used in it as if they were its own: each becomes a parameter behind those that were
// declared, a capture.
//
//   Graph graph;
//   Value x = graph.Parameter({DType::kF32, {2, 3}}, "x");
//   Value y = Tanh(x) * 2.0;
#pragma once

#include <deque>
#include <map>
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
  // Inside `parent`, whose scope it shares, and which must outlive the trace.
  explicit Graph(Graph& parent) : parent_(&parent), depth_(parent.depth_ + 1) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // The next parameter of the function.
  Value Parameter(TensorType type, std::string name);

  // Adds a node. Throws GraphError, naming op, operand types and scope path, when the operands do not fit.
  Values Apply(std::shared_ptr<const Op> op, Values operands);

  // Gives a node of this graph another op, whose results are those of the node and then `more`. Whoever holds
  // results of the node notices nothing. A gradient so makes a loop keep what going back needs. Returns the
  // new results.
  Values Extend(const Node& node, std::shared_ptr<const Op> op, const Types& more);

  // What stands for `value` here: itself, or the capture of a value of the parents. Throws GraphError for a
  // value of any other graph.
  Value Local(Value value);

  // The captured values, as the parent sees them; their parameters are the last ones.
  const Values& captured() const { return captured_; }

  Graph* parent() const { return parent_; }
  int depth() const { return depth_; }  // how many parents it has

  const std::deque<Node>& nodes() const { return nodes_; }
  const Values& parameters() const { return parameters_; }

  const std::string& scope() const { return root().scope_; }

  // While it lives, nodes are made under the scope `path` (absolute).
  class [[nodiscard]] Entered {
   public:
    Entered(Graph& graph, std::string path)
        : root_(graph.root()), previous_(std::exchange(root_.scope_, std::move(path))) {}
    ~Entered() { root_.scope_ = std::move(previous_); }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    Graph& root_;
    std::string previous_;
  };
  Entered Enter(std::string path) { return Entered(*this, std::move(path)); }

 private:
  Graph& root() { return parent_ ? parent_->root() : *this; }
  const Graph& root() const { return parent_ ? std::as_const(*parent_).root() : *this; }

  Graph* parent_ = nullptr;
  int depth_ = 0;
  std::deque<Node> nodes_;  // stable addresses
  Values parameters_;
  Values captured_;
  std::map<std::pair<const Node*, int>, Value> captures_;  // by the parent's value
  std::string scope_;                                      // of the outermost graph alone
};

// The graph inside which the values can be used together: that of the one with the most parents.
// REQUIRES: at least one value that is not empty
Graph& InnermostGraph(std::span<const Value> values);

// Apply an op where its operands can be used together; the form that vocabulary functions use.
//   Value Transpose(Value x, Ints permutation) { return Apply(TransposeOp{.permutation = permutation}, {x});
//   }
template <class T>
Value Apply(T op, Values operands) {
  Graph& graph = InnermostGraph(operands);
  return graph.Apply(std::make_shared<const T>(std::move(op)), std::move(operands)).at(0);
}
template <class T>
Values ApplyMany(T op, Values operands) {
  Graph& graph = InnermostGraph(operands);
  return graph.Apply(std::make_shared<const T>(std::move(op)), std::move(operands));
}

template <class Derived>
Values HigherOrderOp<Derived>::Gradient(const Node& node, std::span<const Value> cotangents) const {
  return this->WantedGradient(node, cotangents, std::vector<bool>(node.operands.size(), true));
}

}  // namespace headrace
