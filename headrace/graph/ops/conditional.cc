#include "headrace/graph/ops/conditional.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/graph/batch_function.h"
#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"
#include "headrace/graph/split_gradient.h"

namespace headrace {
namespace {

// Operands: the index of the branch, then those of every branch.
struct CaseOp final : HigherOrderOp<CaseOp> {
  static constexpr std::string_view kName = "case";
  std::vector<std::shared_ptr<const Function>> branches;

  void Attributes(AttributeVisitor& v) override { v.Visit("branches", branches); }

  Types Infer(TypeSpan x) const override {
    Require(!branches.empty(), "has no branches");
    Require(!x.empty() && x[0] == TensorType{DType::kI32, {}}, "the index must be i32[]");
    const Types results = TypesOf(branches[0]->results);
    for (size_t i = 0; i < branches.size(); ++i) {
      Require(std::ranges::equal(TypesOf(branches[i]->parameters()), x.subspan(1)),
              "the operands are not those of branch {}", i);
      const Types here = TypesOf(branches[i]->results);
      Require(here.size() == results.size(), "branch {} gives {} values, branch 0 {}", i, here.size(),
              results.size());
      for (size_t k = 0; k < here.size(); ++k) {
        Require(here[k] == results[k], "value {} of branch {} is {}, of branch 0 {}", k, i,
                here[k].ToString(), results[k].ToString());
      }
    }
    return results;
  }

  void Emit(const Node& node, Emitter& e) const override {
    const std::span<const Value> operands = node.operands;
    std::vector<std::string> regions;
    for (const auto& branch : branches) regions.push_back(e.Region(*branch, operands.subspan(1)));
    e.Op("stablehlo.case", node, operands.first(1), {}, fmt::format("{}", fmt::join(regions, ", ")));
  }

  Values WantedGradient(const Node& node, std::span<const Value> dy,
                        const std::vector<bool>& wanted) const override;

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    const auto arguments = x.subspan(1);
    if (x[0].batched) return BatchOfBranches(x[0].value, arguments, size);
    auto [batched, operands] = MaskOf(arguments);
    operands.insert(operands.begin(), x[0].value);
    CaseOp op;
    for (const auto& branch : branches) {
      op.branches.push_back(
          BatchFunction(*branch, batched, size, std::vector<bool>(branch->results.size(), true)));
    }
    return ApplyMany(std::move(op), std::move(operands));
  }

 private:
  // Every branch runs on the whole batch, and each example takes the results of its own.
  Values BatchOfBranches(Value index, std::span<const BatchOperand> arguments, int64_t size) const {
    Values results;
    for (size_t b = 0; b < branches.size(); ++b) {
      const auto here = BatchInline(*branches[b], arguments, size, index.graph());
      for (size_t i = 0; i < here.size(); ++i) {
        const Value value = BroadcastBatch(here[i], size);
        if (b == 0) {
          results.push_back(value);
          continue;
        }
        Ints dims(static_cast<size_t>(value.rank()), 1);
        dims[0] = size;
        const Value mine = Equal(index, FullLike(index, static_cast<double>(b)));
        results[i] = Select(Reshape(mine, dims), value, results[i]);
      }
    }
    return results;
  }
};

// Places for what the branches keep, shared by values of one type in different branches.
class Kept {
 public:
  explicit Kept(size_t branches) : values_(branches) {}

  // The place of a value that a branch keeps.
  size_t Place(size_t branch, Value value) {
    std::vector<Value>& mine = values_[branch];
    size_t place = 0;
    while (place < types_.size() && (types_[place] != value.type() || (place < mine.size() && mine[place])))
      ++place;
    if (place == types_.size()) types_.push_back(value.type());
    if (mine.size() <= place) mine.resize(place + 1);
    mine[place] = value;
    return place;
  }

  const Types& types() const { return types_; }
  // By place; empty where the branch keeps nothing.
  Values Of(size_t branch) const {
    Values values = values_[branch];
    values.resize(types_.size());
    return values;
  }

 private:
  Types types_;
  std::vector<Values> values_;
};

// The branch with what it keeps behind its results, and zeros for what others keep.
std::shared_ptr<const Function> Keeping(const Function& branch, const SplitGradient& split,
                                        const Types& types, const Values& kept) {
  Values keeps;
  for (Value value : kept) {
    if (value) keeps.push_back(value);
  }
  const std::shared_ptr<const Function> forward = split.Forward(branch, keeps);
  return std::make_shared<const Function>(
      Trace(branch.name, TypesOf(branch.parameters()), [&](std::span<const Value> x) {
        const Values made = Inline(*forward, x, x[0].graph());
        const size_t results = branch.results.size();
        Values all(made.begin(), made.begin() + static_cast<long>(results));
        size_t next = results;
        for (size_t i = 0; i < kept.size(); ++i)
          all.push_back(kept[i] ? made[next++] : Full(x[0].graph(), types[i], 0));
        return all;
      }));
}

Values CaseOp::WantedGradient(const Node& node, std::span<const Value> dy,
                              const std::vector<bool>& wanted) const {
  if (std::ranges::find(wanted, true) == wanted.end()) return Values(node.operands.size());
  const CaseOp op = *this;  // the node is about to get another
  const std::vector<bool> of_arguments(wanted.begin() + 1, wanted.end());
  std::vector<bool> seeded;
  Values seeds;
  for (size_t i = 0; i < dy.size(); ++i) {
    seeded.push_back(static_cast<bool>(dy[i]));
    if (dy[i]) seeds.push_back(dy[i]);
  }

  std::vector<SplitGradient> splits;
  Kept kept(op.branches.size());
  for (size_t b = 0; b < op.branches.size(); ++b) {
    splits.push_back(Split(*op.branches[b], of_arguments, seeded));
    for (Value value : splits[b].needed) {
      if (splits[b].ParameterOf(value) < 0) kept.Place(b, value);
    }
  }
  CaseOp forward;
  for (size_t b = 0; b < op.branches.size(); ++b)
    forward.branches.push_back(Keeping(*op.branches[b], splits[b], kept.types(), kept.Of(b)));
  const Values saved =
      node.graph->Extend(node, std::make_shared<const CaseOp>(std::move(forward)), kept.types());

  // The way back: a case of the same index, on the operands, what was kept, and the cotangents.
  const size_t count = of_arguments.size();
  Values operands = node.operands;
  for (const Values& more : {saved, seeds}) operands.insert(operands.end(), more.begin(), more.end());
  CaseOp back;
  for (size_t b = 0; b < op.branches.size(); ++b) {
    const auto body = [&](std::span<const Value> x) {
      Substitution<Value> known;
      for (size_t i = 0; i < count; ++i) known.Set(splits[b].joint.parameters()[i], x[i]);
      const Values mine = kept.Of(b);
      for (size_t i = 0; i < mine.size(); ++i) {
        if (mine[i]) known.Set(mine[i], x[count + i]);
      }
      for (size_t i = 0; i < seeds.size(); ++i) known.Set(splits[b].seed(i), x[count + mine.size() + i]);
      return splits[b].Back(known, x[0].graph());
    };
    back.branches.push_back(std::make_shared<const Function>(
        Trace(op.branches[b]->name + "_gradient", TypesOf(std::span(operands).subspan(1)), body)));
  }
  const Values found = ApplyMany(std::move(back), std::move(operands));
  Values cotangents(node.operands.size());
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    if (of_arguments[i]) cotangents[i + 1] = found[next++];
  }
  return cotangents;
}

}  // namespace

std::vector<OpEntry> CaseOps() { return EntriesOf<CaseOp>(); }

Values Switch(Value index, const std::vector<ValueFn>& branches, Values operands) {
  Require(!branches.empty(), "switch: has no branches");
  Require(index.type() == TensorType{DType::kI32, {}}, "switch: the index is {}; it must be i32[]",
          index.type().ToString());
  Values all = {index};
  all.insert(all.end(), operands.begin(), operands.end());
  Graph& graph = InnermostGraph(all);

  // Each branch is traced with what it uses alone; all of them take what any uses.
  std::vector<Closure> closures;
  Values captured;
  for (size_t b = 0; b < branches.size(); ++b) {
    closures.push_back(TraceClosure(fmt::format("branch_{}", b), graph, TypesOf(operands), branches[b]));
    for (Value value : closures.back().captured) {
      if (std::ranges::find(captured, value) == captured.end()) captured.push_back(value);
    }
  }
  operands.insert(operands.end(), captured.begin(), captured.end());
  CaseOp op;
  for (const Closure& closure : closures) {
    const size_t own = operands.size() - captured.size();
    Function branch{.name = closure.function->name, .graph = std::make_unique<Graph>(), .results = {}};
    for (Value operand : operands) branch.graph->Parameter(operand.type(), operand.node().scope);
    const Values& x = branch.parameters();
    Values arguments(x.begin(), x.begin() + static_cast<long>(own));
    for (Value value : closure.captured) {
      const auto at = std::ranges::find(captured, value) - captured.begin();
      arguments.push_back(x[own + static_cast<size_t>(at)]);
    }
    branch.results = Inline(*closure.function, arguments, *branch.graph);
    op.branches.push_back(std::make_shared<const Function>(std::move(branch)));
  }
  const Value last = FullLike(index, static_cast<double>(branches.size() - 1));
  operands.insert(operands.begin(), Maximum(Minimum(index, last), ZerosLike(index)));
  return graph.Apply(std::make_shared<const CaseOp>(std::move(op)), std::move(operands));
}

Values Cond(Value predicate, const ValueFn& on_true, const ValueFn& on_false, Values operands) {
  Require(predicate.type() == TensorType{DType::kPred, {}}, "cond: the predicate is {}; it must be pred[]",
          predicate.type().ToString());
  return Switch(Convert(predicate, DType::kI32), {on_false, on_true}, std::move(operands));
}

}  // namespace headrace
