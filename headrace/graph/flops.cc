#include "headrace/graph/flops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "headrace/graph/held_functions.h"
#include "headrace/graph/ops/conv_dims.h"

namespace headrace {
namespace {

using Names = std::set<std::string_view>;

const Names kMoving = {
    "all_gather",
    "all_to_all",
    "bitcast_convert",
    "broadcast_in_dim",
    "collective_permute",
    "complex",
    "concatenate",
    "constant",
    "convert",
    "dynamic_slice",
    "gather",
    "dynamic_update_slice",
    "imag",
    "iota",
    "optimization_barrier",
    "pad",
    "real",
    "reduce_precision",
    "reshape",
    "reverse",
    "select",
    "sharding_constraint",
    "slice",
    "stop_gradient",
    "transpose",
};
const Names kUncounted = {"custom_call", "eigh", "householder_product", "householder_qr", "qr",
                          "sort",        "top_k"};
// One operation an element that goes in.
const Names kReducing = {"all_reduce", "cumulative", "reduce", "reduce_scatter"};

double Elements(Value value) { return static_cast<double>(value.shape().ElementCount()); }
double Size(Value value, int64_t dim) { return static_cast<double>(value.dim(static_cast<int>(dim))); }

// What an op's attributes of numbers and text say, by their names.
class AttributeReader final : public AttributeVisitor {
 public:
  explicit AttributeReader(const Op& op) { const_cast<Op&>(op).Attributes(*this); }  // it only reads

  int64_t Number(std::string_view name) const { return numbers_.find(name)->second; }
  const Ints& List(std::string_view name) const { return lists_.find(name)->second; }
  const Padding& Pairs(std::string_view name) const { return pairs_.find(name)->second; }
  const std::string& Text(std::string_view name) const { return texts_.find(name)->second; }

 private:
  void Visit(std::string_view, bool&) override {}
  void Visit(std::string_view name, int64_t& value) override { numbers_.emplace(name, value); }
  void Visit(std::string_view, double&) override {}
  void Visit(std::string_view name, std::string& value) override { texts_.emplace(name, value); }
  void Visit(std::string_view name, Ints& value) override { lists_.emplace(name, value); }
  void Visit(std::string_view name, Padding& value) override { pairs_.emplace(name, value); }
  void Visit(std::string_view, DType&) override {}
  void Visit(std::string_view, Shape&) override {}
  void Visit(std::string_view, std::vector<std::string>&) override {}
  void Visit(std::string_view, std::vector<TensorType>&) override {}
  void Visit(std::string_view, HostTensor&) override {}
  void Visit(std::string_view, std::shared_ptr<const Function>&) override {}
  void Visit(std::string_view, std::vector<std::shared_ptr<const Function>>&) override {}
  void VisitEnum(std::string_view, int&, std::span<const std::string_view>) override {}

  std::map<std::string, int64_t, std::less<>> numbers_;
  std::map<std::string, Ints, std::less<>> lists_;
  std::map<std::string, Padding, std::less<>> pairs_;
  std::map<std::string, std::string, std::less<>> texts_;
};

double OfDot(const Node& node) {
  const AttributeReader attributes(*node.op);
  double contracted = 1;
  for (int64_t axis : attributes.List("lhs_contract")) contracted *= Size(node.operands[0], axis);
  return 2 * Elements(node.result()) * contracted;
}

// At how many pairs of a result's and a filter's position along a dimension the filter meets an element or
// padding, and no hole.
double Meetings(int64_t results, int64_t filter, int64_t stride, int64_t filter_step, int64_t low,
                int64_t holes) {
  if (holes == 1) return static_cast<double>(results * filter);
  int64_t count = 0;
  for (int64_t at = 0; at < results; ++at) {
    for (int64_t tap = 0; tap < filter; ++tap)
      count += (at * stride + tap * filter_step - low) % holes == 0 ? 1 : 0;
  }
  return static_cast<double>(count);
}

double OfConvolution(const Node& node) {
  const AttributeReader attributes(*node.op);
  const ConvDims dims = ConvDims::Parse(attributes.Text("dims"));
  const Value filter = node.operands[1];
  const Value result = node.result();
  double products =
      Size(result, dims.out_batch) * Size(result, dims.out_feature) * Size(filter, dims.rhs_input);
  for (size_t i = 0; i < dims.lhs_spatial.size(); ++i) {
    products *= Meetings(result.dim(static_cast<int>(dims.out_spatial[i])),
                         filter.dim(static_cast<int>(dims.rhs_spatial[i])), attributes.List("strides")[i],
                         attributes.List("rhs_dilation")[i], attributes.Pairs("padding")[i][0],
                         attributes.List("lhs_dilation")[i]);
  }
  return 2 * products;
}

// The elements that a window sees at all its positions.
double Windowed(const Node& node) {
  const AttributeReader attributes(*node.op);
  double seen = Elements(node.result());
  for (int64_t size : attributes.List("window")) seen *= static_cast<double>(size);
  return seen;
}

// 5 n log2 n for n numbers that are transformed together, as FFTs are compared by.
double OfFft(const Node& node) {
  const AttributeReader attributes(*node.op);
  double together = 1;
  for (int64_t length : attributes.List("lengths")) together *= static_cast<double>(length);
  const double numbers = std::max(Elements(node.operands[0]), Elements(node.result()));
  return together > 1 ? 5 * numbers * std::log2(together) : 0;
}

void Add(const Flops& more, double times, Flops& flops) {
  flops.products += times * more.products;
  flops.others += times * more.others;
  flops.uncounted.insert(more.uncounted.begin(), more.uncounted.end());
}

// Of the ops that hold functions; nothing of others.
bool AddHeld(const Node& node, Flops& flops) {
  const auto held = HeldFunctions(*node.op);
  if (held.empty()) return false;
  const std::string_view name = node.op->name();
  if (name == "case") {
    Flops dearest;
    for (const auto& branch : held) {
      const Flops one = CountFlops(*branch);
      dearest.uncounted.insert(one.uncounted.begin(), one.uncounted.end());
      if (one.total() <= dearest.total()) continue;
      dearest.products = one.products;
      dearest.others = one.others;
    }
    Add(dearest, 1, flops);
  } else if (name == "scan") {
    Add(CountFlops(*held[0]), static_cast<double>(AttributeReader(*node.op).Number("length")), flops);
  } else if (name == "while") {
    flops.uncounted.emplace(name);
    for (const auto& function : held) Add(CountFlops(*function), 1, flops);
  } else if (name == "reduce_by") {
    Add(CountFlops(*held[0]), Elements(node.operands[0]), flops);
  } else if (name == "reduce_window_by") {
    Add(CountFlops(*held[0]), Windowed(node), flops);
  } else if (name == "scatter") {
    Add(CountFlops(*held[0]), Elements(node.operands[2]), flops);
  } else if (name == "sort") {
    flops.uncounted.emplace(name);
  } else {  // the body, the forward half, the decomposition
    Add(CountFlops(*held[0]), 1, flops);
  }
  return true;
}

double OfOthers(const Node& node) {
  const std::string_view name = node.op->name();
  if (!IsInexact(node.types[0].dtype) || kMoving.contains(name)) return 0;
  if (kReducing.contains(name)) return Elements(node.operands[0]);
  if (name == "scatter") return Elements(node.operands[2]);
  if (name == "fft") return OfFft(node);
  if (name == "reduce_window") return Windowed(node);
  const double elements = Elements(node.result());
  if (name == "cholesky") return elements * Size(node.result(), node.result().rank() - 1) / 3;
  if (name == "triangular_solve") return elements * Size(node.operands[0], node.operands[0].rank() - 1);
  return elements;
}

}  // namespace

Flops CountFlops(const Function& function) {
  Flops flops;
  for (const Node* node : LiveNodes(function.results)) {
    const std::string_view name = node->op->name();
    if (AddHeld(*node, flops)) continue;
    if (kUncounted.contains(name)) {
      flops.uncounted.emplace(name);
    } else if (name == "dot_general") {
      flops.products += OfDot(*node);
    } else if (name == "convolution") {
      flops.products += OfConvolution(*node);
    } else {
      flops.others += OfOthers(*node);
    }
  }
  return flops;
}

}  // namespace headrace
