#include "headrace/graph/ops/scan.h"

#include <algorithm>

#include "headrace/graph/batch_function.h"
#include "headrace/graph/emitter.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/registry.h"
#include "headrace/graph/split_gradient.h"

namespace headrace {
namespace {

void Append(Values& values, std::span<const Value> more) {
  values.insert(values.end(), more.begin(), more.end());
}

// x[index] of the leading dimension; index: i32[].
Value At(Value x, Value index) {
  Values starts(static_cast<size_t>(x.rank()), ZerosLike(index));
  starts[0] = index;
  Ints sizes = x.shape().dims();
  sizes[0] = 1;
  return Reshape(DynamicSlice(x, starts, sizes), WithoutBatch(x.type()).shape);
}

// x with `slice` at that index.
Value WithAt(Value x, Value index, Value slice) {
  Values starts(static_cast<size_t>(x.rank()), ZerosLike(index));
  starts[0] = index;
  return DynamicUpdateSlice(x, ExpandDims(slice, 0), starts);
}

// Operands, parameters of the body: the carry, the xs, then what is the same in each step. Results: the
// carry, then the ys.
struct ScanOp final : HigherOrderOp<ScanOp> {
  static constexpr std::string_view kName = "scan";
  std::shared_ptr<const Function> body;
  int64_t carries = 0;
  int64_t xs = 0;
  int64_t length = 0;
  bool reverse = false;
  int64_t unroll = 1;

  void Attributes(AttributeVisitor& v) override {
    v.Visit("body", body);
    v.Visit("carries", carries);
    v.Visit("xs", xs);
    v.Visit("length", length);
    v.Visit("reverse", reverse);
    v.Visit("unroll", unroll);
  }

  size_t carry_count() const { return static_cast<size_t>(carries); }
  size_t x_count() const { return static_cast<size_t>(xs); }
  size_t step_count() const { return carry_count() + x_count(); }  // operands that differ by step
  size_t y_count() const { return body->results.size() - carry_count(); }

  Types Infer(TypeSpan operands) const override {
    Require(body != nullptr, "has no body");
    Require(length >= 0 && unroll >= 1, "length {} and unroll {} must be positive", length, unroll);
    Require(operands.size() == body->parameters().size() && step_count() <= operands.size() &&
                carry_count() <= body->results.size(),
            "the operands are not those of its body");
    for (size_t i = 0; i < operands.size(); ++i) {
      const bool is_x = i >= carry_count() && i < step_count();
      const TensorType slice = is_x ? WithoutBatch(operands[i]) : operands[i];
      Require(slice == body->parameters()[i].type(), "operand {} is {}, the body takes {}", i,
              operands[i].ToString(), body->parameters()[i].type().ToString());
      Require(!is_x || operands[i].shape[0] == length, "x {} is {} for {} steps", i - carry_count(),
              operands[i].ToString(), length);
    }
    Types results;
    for (size_t i = 0; i < body->results.size(); ++i) {
      const TensorType& type = body->results[i].type();
      if (i < carry_count()) {
        Require(type == operands[i], "carry {} is {}, and {} after a step", i, operands[i].ToString(),
                type.ToString());
      }
      results.push_back(i < carry_count() ? type : WithBatch(type, length));
    }
    return results;
  }

  // A while loop that reads slices of the xs and writes those of the ys.
  void Emit(const Node& node, Emitter& e) const override { e.Expand(node, AsWhile(TypesOf(node.operands))); }

  Values WantedGradient(const Node& node, std::span<const Value> dy,
                        const std::vector<bool>& wanted) const override;

  Values Batch(std::span<const BatchOperand> x, int64_t size) const override {
    std::vector<bool> batched = MaskOf(x).batched;
    // The carry has a batch where it begins with one or a step gives it one.
    std::vector<bool> results;
    for (bool changed = true; changed;) {
      changed = false;
      results = BatchedResults(*body, batched, size);
      for (size_t i = 0; i < carry_count(); ++i) {
        if (results[i] && !batched[i]) batched[i] = changed = true;
        results[i] = batched[i];
      }
    }
    Values operands;
    for (size_t i = 0; i < x.size(); ++i) {
      const bool is_x = i >= carry_count() && i < step_count();
      if (is_x && x[i].batched) {
        operands.push_back(SwapLeading(x[i].value));  // [batch, T, ...] -> [T, batch, ...]
      } else {
        operands.push_back(i < carry_count() && batched[i] ? BroadcastBatch(x[i], size) : x[i].value);
      }
    }
    ScanOp op = *this;
    op.body = BatchFunction(*body, batched, size, results);
    Values made = ApplyMany(std::move(op), std::move(operands));
    for (size_t i = 0; i < made.size(); ++i) {
      if (i >= carry_count() && results[i]) made[i] = SwapLeading(made[i]);
      made[i] = BroadcastBatch({made[i], results[i]}, size);
    }
    return made;
  }

 private:
  static Value SwapLeading(Value x) {
    Ints permutation;
    for (int axis = 0; axis < x.rank(); ++axis) permutation.push_back(axis);
    std::swap(permutation[0], permutation[1]);
    return Transpose(x, permutation);
  }

  // The carry and the buffers of ys after step `index` (counted in time; i32[]).
  Values Step(std::span<const Value> state, Value time, std::span<const Value> operands, Graph& graph) const {
    const Value last = Scalar(graph, DType::kI32, static_cast<double>(length - 1));
    const Value index = reverse ? last - time : time;
    Values arguments(state.begin(), state.begin() + carries);
    for (size_t i = carry_count(); i < step_count(); ++i) arguments.push_back(At(operands[i], index));
    Append(arguments, operands.subspan(step_count()));
    Values next = Inline(*body, arguments, graph);
    for (size_t i = carry_count(); i < next.size(); ++i) next[i] = WithAt(state[i], index, next[i]);
    return next;
  }

  Function AsWhile(const Types& operand_types) const {
    return Trace("scan", operand_types, [&](std::span<const Value> operands) {
      Graph& graph = operands[0].graph();
      const auto number = [&](int64_t n) { return Scalar(graph, DType::kI32, static_cast<double>(n)); };
      Values state(operands.begin(), operands.begin() + carries);
      for (size_t i = carry_count(); i < body->results.size(); ++i)
        state.push_back(Full(graph, WithBatch(body->results[i].type(), length), 0));
      const int64_t trips = length / unroll;
      if (trips > 1) {
        Values looped = {number(0)};
        Append(looped, state);
        looped = While([&](std::span<const Value> s) { return Values{Less(s[0], number(trips * unroll))}; },
                       [&](std::span<const Value> s) {
                         Values now(s.begin() + 1, s.end());
                         for (int64_t k = 0; k < unroll; ++k)
                           now = Step(now, s[0] + static_cast<double>(k), operands, InnermostGraph(s));
                         now.insert(now.begin(), s[0] + static_cast<double>(unroll));
                         return now;
                       },
                       looped);
        state.assign(looped.begin() + 1, looped.end());
      }
      for (int64_t time = trips > 1 ? trips * unroll : 0; time < length; ++time)
        state = Step(state, number(time), operands, graph);
      return state;
    });
  }
};

// The way back of one scan: which operands it is for, and what it reads.
class ScanGradient {
 public:
  ScanGradient(const ScanOp& op, const Node& node, std::span<const Value> dy, std::vector<bool> wanted)
      : op_(op), node_(node), dy_(dy.begin(), dy.end()), wanted_(std::move(wanted)), split_(MakeSplit()) {}

  Values Run() {
    KeepAndHoist();
    const ScanOp back = BackwardScan();
    const Values found = ApplyMany(back, Operands());
    return Cotangents(found);
  }

 private:
  // A carry has a cotangent where it begins with what is wanted, or a step makes it depend on that.
  SplitGradient MakeSplit() {
    std::vector<bool> depends;
    for (bool changed = true; changed;) {
      changed = false;
      depends = DependentResults(*op_.body, wanted_);
      for (size_t i = 0; i < op_.carry_count(); ++i) {
        if (depends[i] && !wanted_[i] && IsInexact(op_.body->results[i].dtype())) wanted_[i] = changed = true;
      }
    }
    for (size_t i = 0; i < depends.size(); ++i) {
      const bool is_carry = i < op_.carry_count();
      seeded_.push_back(is_carry ? wanted_[i] : depends[i] && dy_[i]);
    }
    return Split(*op_.body, wanted_, seeded_);
  }

  // Sorts what the way back reads: what depends on the step is kept by each step or was an x; the rest is the
  // same in all.
  void KeepAndHoist() {
    const std::span<const Value> parameters = split_.joint.parameters();
    const std::vector<bool> by_step = DependentNodes(*split_.joint.graph, parameters.first(op_.step_count()));
    Values kept, hoisted;
    for (Value value : split_.needed) {
      const int parameter = split_.ParameterOf(value);
      if (parameter >= static_cast<int>(op_.carry_count())) {
        auto& [values, operands] = parameter < static_cast<int>(op_.step_count()) ? by_step_ : same_;
        values.push_back(value);
        operands.push_back(node_.operands[static_cast<size_t>(parameter)]);
      } else if (by_step[static_cast<size_t>(value.node().id)]) {
        kept.push_back(value);
      } else {
        hoisted.push_back(value);
      }
    }
    Substitution<Value> known;
    for (size_t i = op_.step_count(); i < node_.operands.size(); ++i)
      known.Set(parameters[i], node_.operands[i]);
    Append(same_.values, hoisted);
    Append(same_.operands, Rewrite(hoisted, known, *node_.graph));
    Keep(kept);
  }

  // The node gets the kept values as further ys, but for those that it has as ys already.
  void Keep(const Values& kept) {
    Values more;
    for (Value value : kept) {
      by_step_.values.push_back(value);
      const auto found = std::find(split_.results.begin() + op_.carries, split_.results.end(), value);
      if (found == split_.results.end()) more.push_back(value);
      by_step_.operands.push_back(found == split_.results.end()
                                      ? Value()
                                      : node_.result(static_cast<int>(found - split_.results.begin())));
    }
    if (more.empty()) return;
    ScanOp forward = op_;
    forward.body = split_.Forward(*op_.body, more);
    Types types;
    for (Value value : more) types.push_back(WithBatch(value.type(), op_.length));
    const Values saved =
        node_.graph->Extend(node_, std::make_shared<const ScanOp>(std::move(forward)), types);
    size_t next = 0;
    for (Value& operand : by_step_.operands) {
      if (!operand) operand = saved[next++];
    }
  }

  // Carry: the cotangents of the carry, and sums for what is the same in each step. xs: what depends on the
  // step, and the cotangents of the ys.
  Values Operands() const {
    Values operands;
    for (size_t i = 0; i < op_.carry_count(); ++i) {
      if (wanted_[i]) operands.push_back(dy_[i] ? dy_[i] : ZerosLike(node_.operands[i]));
    }
    for (size_t i = op_.step_count(); i < wanted_.size(); ++i) {
      if (wanted_[i]) operands.push_back(ZerosLike(node_.operands[i]));
    }
    Append(operands, by_step_.operands);
    for (size_t i = op_.carry_count(); i < seeded_.size(); ++i) {
      if (seeded_[i]) operands.push_back(dy_[i]);
    }
    Append(operands, same_.operands);
    return operands;
  }

  ScanOp BackwardScan() const {
    const auto count = [&](size_t from, size_t to, const std::vector<bool>& mask) {
      return std::count(mask.begin() + static_cast<long>(from), mask.begin() + static_cast<long>(to), true);
    };
    const long of_carry = count(0, op_.carry_count(), wanted_);
    const long of_xs = count(op_.carry_count(), op_.step_count(), wanted_);
    const long sums = count(op_.step_count(), wanted_.size(), wanted_);
    const long of_ys = count(op_.carry_count(), seeded_.size(), seeded_);

    const Values operands = Operands();
    Types types;
    const size_t first_x = static_cast<size_t>(of_carry + sums);
    const size_t first_same = operands.size() - same_.operands.size();
    for (size_t i = 0; i < operands.size(); ++i) {
      const bool is_x = i >= first_x && i < first_same;
      types.push_back(is_x ? WithoutBatch(operands[i].type()) : operands[i].type());
    }
    Function body = Trace(op_.body->name + "_gradient", types, [&](std::span<const Value> x) {
      Substitution<Value> known;
      for (size_t i = 0; i < by_step_.values.size(); ++i) known.Set(by_step_.values[i], x[first_x + i]);
      for (size_t i = 0; i < same_.values.size(); ++i) known.Set(same_.values[i], x[first_same + i]);
      for (long i = 0; i < of_carry; ++i)
        known.Set(split_.seed(static_cast<size_t>(i)), x[static_cast<size_t>(i)]);
      for (long i = 0; i < of_ys; ++i) {
        known.Set(split_.seed(static_cast<size_t>(of_carry + i)),
                  x[first_x + by_step_.values.size() + static_cast<size_t>(i)]);
      }
      const Values back = split_.Back(known, x[0].graph());  // of the carry, the xs, the rest
      Values results(back.begin(), back.begin() + of_carry);
      for (long i = 0; i < sums; ++i)
        results.push_back(x[static_cast<size_t>(of_carry + i)] +
                          back[static_cast<size_t>(of_carry + of_xs + i)]);
      results.insert(results.end(), back.begin() + of_carry, back.begin() + of_carry + of_xs);
      return results;
    });
    ScanOp back;
    back.body = std::make_shared<const Function>(std::move(body));
    back.carries = of_carry + sums;
    back.xs = static_cast<int64_t>(first_same - first_x);
    back.length = op_.length;
    back.reverse = !op_.reverse;
    back.unroll = op_.unroll;
    return back;
  }

  // `found`: of the carry, of what is the same, of the xs.
  Values Cotangents(const Values& found) const {
    Values cotangents(node_.operands.size());
    size_t next = 0;
    const auto take = [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        if (wanted_[i]) cotangents[i] = found[next++];
      }
    };
    take(0, op_.carry_count());
    take(op_.step_count(), wanted_.size());
    take(op_.carry_count(), op_.step_count());
    return cotangents;
  }

  // Values of the joint function, and what the backward scan takes for each.
  struct Read {
    Values values;
    Values operands;
  };

  const ScanOp op_;  // a copy: the node is about to get another
  const Node& node_;
  const Values dy_;
  std::vector<bool> wanted_;
  std::vector<bool> seeded_;
  SplitGradient split_;
  Read by_step_;
  Read same_;
};

Values ScanOp::WantedGradient(const Node& node, std::span<const Value> dy,
                              const std::vector<bool>& wanted) const {
  if (std::ranges::find(wanted, true) == wanted.end()) return Values(node.operands.size());
  return ScanGradient(*this, node, dy, wanted).Run();
}

}  // namespace

std::vector<OpEntry> ScanOps() { return EntriesOf<ScanOp>(); }

ScanResult Scan(const ScanBody& body, Values carry, Values xs, ScanOptions options) {
  Values operands = carry;
  Append(operands, xs);
  Require(!operands.empty(), "scan: has neither carry nor xs");
  Types types = TypesOf(carry);
  for (size_t i = 0; i < xs.size(); ++i) {
    Require(xs[i].rank() > 0, "scan: x {} is {}, which has no dimension to go along", i,
            xs[i].type().ToString());
    if (options.length < 0) options.length = xs[i].dim(0);
    types.push_back(WithoutBatch(xs[i].type()));
  }
  Require(options.length >= 0, "scan: has no xs; say the length");
  Graph& graph = InnermostGraph(operands);
  size_t carries = carry.size();
  Closure closure = TraceClosure("scan_body", graph, types, [&](std::span<const Value> x) {
    ScanResult made = body(x.first(carries), x.subspan(carries));
    Require(made.carry.size() == carries, "scan: a step gives a carry of {} values for one of {}",
            made.carry.size(), carries);
    Values results = std::move(made.carry);
    Append(results, made.ys);
    return results;
  });
  Append(operands, closure.captured);
  ScanOp op;
  op.body = std::move(closure.function);
  op.carries = static_cast<int64_t>(carries);
  op.xs = static_cast<int64_t>(xs.size());
  op.length = options.length;
  op.reverse = options.reverse;
  op.unroll = options.unroll;
  const Values results = graph.Apply(std::make_shared<const ScanOp>(std::move(op)), std::move(operands));
  return {Values(results.begin(), results.begin() + static_cast<long>(carries)),
          Values(results.begin() + static_cast<long>(carries), results.end())};
}

}  // namespace headrace
