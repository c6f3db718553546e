// Op: everything that is true of one operation, in one place — its attributes, the types of its results, its
// StableHLO, its gradient and its batching rule. An Op object holds the attributes of one use and never
// changes once in a Graph.
//
// To add one: write a struct in graph/ops/, declare the function that users call beside it, and add its line
// to registry.cc. The numeric cases in testdata/cases are looked for by name: without them the registry test
// fails.
//
//   struct Reverse final : OpOf<Reverse> {
//     static constexpr std::string_view kName = "reverse";
//     std::vector<int64_t> dimensions;
//     void Attributes(AttributeVisitor& v) override { v.Visit("dimensions", dimensions); }
//     Types Infer(TypeSpan operands) const override { return {operands[0]}; }
//     …
//   };
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/graph/error.h"
#include "headrace/graph/value.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace {

class Emitter;
struct Function;

using Types = std::vector<TensorType>;
using TypeSpan = std::span<const TensorType>;
using Ints = std::vector<int64_t>;
using Padding = std::vector<std::array<int64_t, 2>>;  // (low, high) a dimension

// Walks the attributes of an op: printing, parsing and comparing ops are visitors.
class AttributeVisitor {
 public:
  virtual ~AttributeVisitor() = default;
  virtual void Visit(std::string_view name, bool& value) = 0;
  virtual void Visit(std::string_view name, int64_t& value) = 0;
  virtual void Visit(std::string_view name, double& value) = 0;
  virtual void Visit(std::string_view name, std::string& value) = 0;
  virtual void Visit(std::string_view name, Ints& value) = 0;
  virtual void Visit(std::string_view name, Padding& value) = 0;
  virtual void Visit(std::string_view name, DType& value) = 0;
  virtual void Visit(std::string_view name, Shape& value) = 0;
  virtual void Visit(std::string_view name, std::vector<std::string>& value) = 0;
  virtual void Visit(std::string_view name, std::vector<TensorType>& value) = 0;
  virtual void Visit(std::string_view name, HostTensor& value) = 0;
  virtual void Visit(std::string_view name, std::shared_ptr<const Function>& value) = 0;
  virtual void Visit(std::string_view name, std::vector<std::shared_ptr<const Function>>& value) = 0;

  // An enum that counts from 0, by the names of its values.
  template <class E>
    requires std::is_enum_v<E>
  void Visit(std::string_view name, E& value, std::span<const std::string_view> names) {
    int index = static_cast<int>(value);
    VisitEnum(name, index, names);
    value = static_cast<E>(index);
  }

 protected:
  virtual void VisitEnum(std::string_view name, int& index, std::span<const std::string_view> names) = 0;
};

// An operand of a batching rule. If `batched`, dimension 0 of the value is the batch.
struct BatchOperand {
  Value value;
  bool batched = false;
};

class Op {
 public:
  virtual ~Op() = default;

  // The field's name for it, which is StableHLO's where that has one.
  virtual std::string_view name() const = 0;

  virtual void Attributes(AttributeVisitor&) {}

  // How many operands it takes; -1 for any number.
  virtual int Arity() const = 0;

  // Types of the results. Fails, with shapes in the text, when the operands do not fit. REQUIRES: operands
  // fit Arity()
  virtual Types Infer(TypeSpan operands) const = 0;

  // Writes the node as StableHLO.
  virtual void Emit(const Node& node, Emitter& emitter) const = 0;

  // Cotangents of the operands from those of the results (vector-Jacobian product). An empty Value is zero,
  // on both sides. Uses differentiable ops only. Not called for operands that are not floating-point.
  virtual Values Gradient(const Node& node, std::span<const Value> cotangents) const = 0;

  // The same for some operands: those that are `wanted` and floating-point. Ops that hold functions override
  // this one, so that no gradient of the others is worked out.
  virtual Values WantedGradient(const Node& node, std::span<const Value> cotangents,
                                const std::vector<bool>& wanted) const;

  // The op on a batch of `size`: results have the batch as dimension 0. Called when at least one operand is
  // batched.
  virtual Values Batch(std::span<const BatchOperand> operands, int64_t size) const = 0;

  // "transpose {permutation = [1, 0]}": what ParseOp reads back.
  std::string ToString() const;
};

// What every op is derived from: supplies name() from kName.
template <class Derived>
struct OpOf : Op {
  std::string_view name() const override { return Derived::kName; }
};

// The same for ops that hold functions, and know the gradient of some operands alone (WantedGradient).
template <class Derived>
struct HigherOrderOp : OpOf<Derived> {
  int Arity() const override { return -1; }
  Values Gradient(const Node& node, std::span<const Value> cotangents) const final;
};

}  // namespace headrace
