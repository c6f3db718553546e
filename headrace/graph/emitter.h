// Emitter: writes nodes as StableHLO text. What an op's Emit() is handed.
//
//   void Emit(const Node& node, Emitter& e) const override {
//     e.Op("stablehlo.transpose", node, {{"permutation", I64Array(permutation)}});
//   }
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/graph/function.h"
#include "headrace/graph/mesh.h"
#include "headrace/graph/ops/dot.h"

namespace headrace {

// An attribute as StableHLO text: {"permutation", "array<i64: 1, 0>"}.
struct MlirAttribute {
  std::string_view name;
  std::string text;
};

std::string I64Array(std::span<const int64_t> values);   // array<i64: 1, 2>
std::string BoolArray(std::span<const bool> values);     // array<i1: true, false>
std::string I64Matrix(const Padding& rows);              // dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>
std::string Bracketed(std::span<const int64_t> values);  // [1, 2]
std::string Quoted(std::string_view text);               // "text", escaped
std::string DenseElements(const HostTensor& tensor);     // dense<…> : tensor<…>

class Emitter {
 public:
  // `mesh`: of the module that is written; without axes there is one device. `default_precision`: of products
  // and convolutions that ask for none.
  explicit Emitter(Mesh mesh = {}, Precision default_precision = Precision::kDefault)
      : mesh_(std::move(mesh)), default_precision_(default_precision) {}

  // The text of a whole function, "func.func …", under the name `symbol`; attributes by argument and by
  // result.
  std::string EmitFunction(const Function& function, std::string_view symbol, std::string_view visibility,
                           std::span<const std::string> argument_attributes = {},
                           std::span<const std::string> result_attributes = {});

  // The text of every function that Declare() collected, and of those that they declare, each once.
  std::string EmitDeclared();

  // ---- for Op::Emit ----

  // One operation in MLIR's generic form, with the node's operands and results:
  //   %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) ->
  //   tensor<3x2xf32>
  // `region`, if not empty, is the text of the region (see ReductionRegion).
  void Op(std::string_view mlir_name, const Node& node, std::span<const MlirAttribute> attributes = {},
          std::string_view region = {});
  void Op(std::string_view mlir_name, const Node& node, std::initializer_list<MlirAttribute> attributes,
          std::string_view region = {}) {
    Op(mlir_name, node, std::span(attributes.begin(), attributes.size()), region);
  }

  // The same with some of the operands, for ops whose regions use the others where they stand.
  void Op(std::string_view mlir_name, const Node& node, std::span<const Value> operands,
          std::span<const MlirAttribute> attributes, std::string_view regions);

  // The short form of ops whose operands and results have one type: %4 = stablehlo.add %2, %3 : tensor<2xf32>
  void Elementwise(std::string_view mlir_name, const Node& node);

  // A line written by the op itself: "%4 = <rest> loc(…)".
  void Line(const Node& node, std::string_view rest);

  // Writes a constant in front of the node and returns its SSA name.
  std::string Inline(const Node& node, const HostTensor& constant);

  // The node is no operation of its own: its only result is another name of `value`.
  void Alias(const Node& node, Value value);

  // The SSA name of a value: "%4", or "%4#1" for the second of several results.
  std::string Ref(Value value);

  // A region of two scalar arguments that applies a binary op: what reduce and its like take.
  static std::string ReductionRegion(std::string_view mlir_op, DType dtype);

  // A function as the text of a region that returns its results. The last parameters are `captured` values of
  // the code around it; those before are the arguments of its block.
  std::string Region(const Function& function, std::span<const Value> captured = {},
                     std::string_view terminator = "stablehlo.return");

  // The node is what `body` makes of its operands: the nodes of the body, in its place.
  void Expand(const Node& node, const Function& body);

  // A number for the channel of a collective, its own in the module.
  int NextChannel() { return next_channel_++; }

  // The symbol of a function that this module must also hold: "@softmax_1".
  std::string Declare(std::shared_ptr<const Function> function);
  // The same of a function that is made here, once for every `key` in a module.
  std::string Declare(std::string_view key, const std::function<Function()>& make);

  // A call of a declared function with the node's operands and results.
  void Call(std::string_view symbol, const Node& node);

  // Symbol of the mesh. Without axes the module has none, and whatever needs one is left out.
  static constexpr std::string_view kMeshSymbol = "@mesh";
  const Mesh& mesh() const { return mesh_; }

  // The precision of a product that asks for `wanted`.
  Precision PrecisionOf(Precision wanted) const {
    return wanted == Precision::kDefault ? default_precision_ : wanted;
  }

 private:
  struct Declared {
    std::string key;  // may be empty
    std::string symbol;
    std::shared_ptr<const Function> function;
  };

  void EmitNodes(const Function& function);

  Mesh mesh_;
  Precision default_precision_;
  std::string out_;
  std::map<std::pair<const Node*, int>, std::string> names_;
  int next_name_ = 0;
  int next_channel_ = 1;
  std::vector<Declared> declared_;
};

}  // namespace headrace
