// Value: one result of one node of a Graph; the thing that models compute with.
//
// A Value is a handle of two words: copy it freely; it lives as long as its Graph. A default Value is empty,
// which gradient code uses for "zero". Operators and functions on Values are declared by the ops (see ops.h).
#pragma once

#include <vector>

#include "headrace/tensor/shape.h"

namespace headrace {

class Graph;
struct Node;

class Value {
 public:
  Value() = default;
  Value(const Node* node, int result) : node_(node), result_(result) {}

  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const Value&) const = default;

  // REQUIRES, for the rest: not empty
  const Node& node() const { return *node_; }
  int result() const { return result_; }
  Graph& graph() const;
  const TensorType& type() const;
  DType dtype() const { return type().dtype; }
  const Shape& shape() const { return type().shape; }
  int rank() const { return shape().rank(); }
  // Size of a dimension; negative axes count from the end.
  int64_t dim(int axis) const { return shape()[axis < 0 ? axis + rank() : axis]; }

 private:
  const Node* node_ = nullptr;
  int result_ = 0;
};

using Values = std::vector<Value>;

}  // namespace headrace
