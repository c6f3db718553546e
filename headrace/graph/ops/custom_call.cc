#include "headrace/graph/ops/custom_call.h"

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct CustomCallOp final : OpOf<CustomCallOp> {
  static constexpr std::string_view kName = "custom_call";
  CustomCallOptions options;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("target", options.target);
    v.Visit("results", options.results);
    v.Visit("backend_config", options.backend_config);
    v.Visit("has_side_effect", options.has_side_effect);
  }
  int Arity() const override { return -1; }
  Types Infer(TypeSpan) const override {
    Require(!options.target.empty(), "has no target");
    Require(!options.results.empty(), "{}: has no results; give it one that says it is done", options.target);
    return options.results;
  }
  // api_version 4 is XLA's typed foreign function interface.
  void Emit(const Node& node, Emitter& e) const override {
    e.Op("stablehlo.custom_call", node,
         {{"call_target_name", Quoted(options.target)},
          {"api_version", "4 : i32"},
          {"backend_config", fmt::format("{{{}}}", options.backend_config)},
          {"has_side_effect", options.has_side_effect ? "true" : "false"}});
  }
  Values Gradient(const Node& node, std::span<const Value>) const override {
    throw GraphError(node.scope,
                     fmt::format("custom_call: {} has no gradient; wrap it in a composite, or stop "
                                 "the gradient before it",
                                 options.target));
  }
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    throw GraphError(
        x[0].value.graph().scope(),
        fmt::format("custom_call: {} has no batching rule; wrap it in a composite", options.target));
  }
};

}  // namespace

std::vector<OpEntry> CustomCallOps() { return EntriesOf<CustomCallOp>(); }

Values CustomCall(Graph& graph, Values operands, CustomCallOptions options) {
  auto op = std::make_shared<CustomCallOp>();
  op->options = std::move(options);
  return graph.Apply(std::move(op), std::move(operands));
}

}  // namespace headrace
