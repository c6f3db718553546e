#include "headrace/graph/ops/sharding.h"

#include <fmt/ranges.h>

#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

struct ShardingConstraintOp final : OpOf<ShardingConstraintOp> {
  static constexpr std::string_view kName = "sharding_constraint";
  Sharding sharding;

  // dims = ["data fsdp", "", "?"]: the axes of each dimension.
  void Attributes(AttributeVisitor& v) override {
    std::vector<std::string> dims;
    for (const auto& axes : sharding.dims) dims.push_back(fmt::format("{}", fmt::join(axes, " ")));
    v.Visit("dims", dims);
    sharding.dims.clear();
    for (const std::string& axes : dims) sharding.dims.push_back(Words(axes));
  }
  int Arity() const override { return 1; }
  Types Infer(TypeSpan x) const override {
    Require(static_cast<int>(sharding.dims.size()) == x[0].shape.rank(), "{} names {} dimensions, not {}",
            sharding.ToSdy(true), sharding.dims.size(), x[0].shape.rank());
    return {x[0]};
  }
  void Emit(const Node& node, Emitter& e) const override {
    if (e.mesh().axes.empty()) return e.Alias(node, node.operands[0]);
    e.Line(node, fmt::format("sdy.sharding_constraint {} {} : {}", e.Ref(node.operands[0]),
                             sharding.On(e.mesh()).ToSdy(true), node.types[0].ToMlir()));
  }
  Values Gradient(const Node&, std::span<const Value> dy) const override {
    return {headrace::Apply(*this, {dy[0]})};
  }
  // The partitioner is free to split the batch.
  Values Batch(std::span<const BatchOperand> x, int64_t) const override {
    ShardingConstraintOp batched = *this;
    batched.sharding.dims.insert(batched.sharding.dims.begin(), {std::string(Sharding::kOpen)});
    return {headrace::Apply(batched, {x[0].value})};
  }

 private:
  static std::vector<std::string> Words(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
      const size_t space = text.find(' ');
      if (space != 0) words.emplace_back(text.substr(0, space));
      text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    }
    return words;
  }
};

}  // namespace

std::vector<OpEntry> ShardingOps() { return EntriesOf<ShardingConstraintOp>(); }

Value ConstrainSharding(Value x, const Sharding& sharding) {
  ShardingConstraintOp op;
  op.sharding = sharding;
  return Apply(op, {x});
}

}  // namespace headrace
