// Scope: how a layer gets its parameters. Frame: one trace of a model.
//
// A model object lives for one trace. The same constructor runs twice: once in a declaring Frame, which
// writes down name, type, logical axes and initializer of each variable, and then in binding Frames, where
// the variables are Values of the trace. A Frame also carries what a layer may ask for: compute element type,
// random key, whether this is training. Variables that are not trained (batch statistics) are read and
// replaced through the Scope; a Frame collects the replacements. Nothing here is thread-safe or outlives its
// Graph.
//
//   Linear::Linear(Scope scope, Dim in, Dim out)
//       : weight_(scope.Param("weight", {in, out}, LecunNormal())), bias_(scope.Param("bias", {out},
//       Zeros())) {}
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/graph/graph.h"
#include "headrace/graph/ops/remat.h"

namespace headrace::nn {

// A size with the name of its logical axis: {768, "embed"}. An empty name is never sharded.
struct Dim {
  Dim(int64_t size, std::string axis = "")
      : size(size), axis(std::move(axis)) {}  // NOLINT: implicit by design
  int64_t size;
  std::string axis;
};
using Dims = std::vector<Dim>;

// Initial values from a key, u32[2].
using Initializer = std::function<Value(Value key, const TensorType& type)>;

struct VariableSpec {
  std::string name;               // "layers.3.weight"
  TensorType type;                // as stored
  std::vector<std::string> axes;  // logical axis of each dimension
  Initializer initializer;
  bool trained = true;  // false: state such as batch statistics
};

struct FrameOptions {
  bool train = false;
  DType compute = DType::kF32;  // what parameters are converted to when a layer asks for them
  Value key;                    // u32[2]; needed by layers that draw random numbers
  // Whether the parameter of this name stays as it is in training; without a function, none does.
  std::function<bool(std::string_view)> frozen = {};
  RematPolicy remat = RematPolicy::kNone;  // what gradients find kept of what runs in Scope::Remat
};

class Frame {
 public:
  // A declaring frame: Param() writes the variable down and returns a placeholder in `scratch`.
  static Frame Declare(Graph& scratch);

  // A binding frame: `variables` by name.
  static Frame Bind(Graph& graph, std::map<std::string, Value> variables, FrameOptions options);

  // What was declared, in order.
  const std::vector<VariableSpec>& specs() const { return specs_; }

  // Values of the variables: those that were bound, replaced where a layer did so.
  const std::map<std::string, Value>& variables() const { return variables_; }

  // What layers add to the loss that training lowers, beside how well the outputs fit: f32 [] each.
  const Values& penalties() const { return penalties_; }

  Graph& graph() const { return *graph_; }
  const FrameOptions& options() const { return options_; }

 private:
  friend class Scope;
  Frame(Graph& graph, bool declaring) : graph_(&graph), declaring_(declaring) {}

  Graph* graph_;
  bool declaring_;
  FrameOptions options_;
  std::vector<VariableSpec> specs_;
  std::map<std::string, Value> variables_;
  Values penalties_;
};

// A place in a model: a Frame and a path. A small value; copy it freely.
class Scope {
 public:
  explicit Scope(Frame& frame, std::string path = "") : frame_(&frame), path_(std::move(path)) {}

  // The scope below: "layers" / "0" is "layers.0".
  Scope operator/(std::string_view name) const;
  Scope operator/(int64_t index) const;

  const std::string& path() const { return path_; }
  Graph& graph() const { return frame_->graph(); }
  bool train() const { return frame_->options().train; }
  DType compute_dtype() const { return frame_->options().compute; }

  // A trained variable, f32 as stored, in the compute element type as returned. Throws GraphError when the
  // name is taken (declaring), or missing or of another type (binding).
  Value Param(std::string_view name, const Dims& dims, Initializer initializer) const;

  // Whether the parameter `name` of this place is frozen in this training.
  bool IsFrozen(std::string_view name) const;

  // A variable that is not trained, f32; and its replacement for what comes after this trace.
  Value State(std::string_view name, const Dims& dims, Initializer initializer) const;
  void SetState(std::string_view name, Value value) const;

  // Adds f32 [] to the loss that training lowers. Throws GraphError for a value made in the body of a loop or
  // of a branch, which is none outside of it: let the body give it as a result.
  void AddPenalty(Value penalty) const;

  // A random key of this place, u32[2]: the frame's key folded with a hash of the path. Throws GraphError
  // without one.
  Value Key() const;

  // What `body`, a block of layers, makes of the operands; its gradients work out again what the frame's
  // policy does not keep. Whatever the policy, the operands are there before the block begins
  // (OptimizationBarrier). REQUIRES: an operand; all that the block gives, but state and penalties, is a
  // result
  //
  //   x = scope.Remat([&](auto v) { return Values{block(v[0])}; }, {x})[0];
  Values Remat(const ValueFn& body, Values operands) const;

  // While the result lives, ops are made under this path.
  [[nodiscard]] Graph::Entered Enter() const { return graph().Enter(path_); }

 private:
  std::string Full(std::string_view name) const;
  Value Variable(std::string_view name, const Dims& dims, Initializer initializer, bool trained) const;

  Frame* frame_;
  std::string path_;
};

// The 32-bit hash (FNV-1a) by which a path is folded into keys. Never changes: runs depend on it.
uint32_t PathHash(std::string_view path);

}  // namespace headrace::nn
