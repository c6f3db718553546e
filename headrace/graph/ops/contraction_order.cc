#include "headrace/graph/ops/contraction_order.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace headrace {
namespace {

constexpr size_t kMostSearched = 4;  // operands of which all orders are tried

using Labels = std::set<int64_t>;

Labels Union(const Labels& a, const Labels& b) {
  Labels all = a;
  all.insert(b.begin(), b.end());
  return all;
}

class Contractions {
 public:
  Contractions(const Ints& output, const std::map<int64_t, int64_t>& sizes)
      : output_(output.begin(), output.end()), sizes_(sizes) {}

  double SizeOf(const Labels& labels) const {
    double size = 1;
    for (int64_t label : labels) size *= static_cast<double>(sizes_.at(label));
    return size;
  }

  double CostOf(const std::vector<Labels>& operands, const Contraction& pair) const {
    return SizeOf(Union(operands[pair[0]], operands[pair[1]]));
  }

  // What is left of the operands.
  std::vector<Labels> After(std::vector<Labels> operands, const Contraction& pair) const {
    const Labels both = Union(operands[pair[0]], operands[pair[1]]);
    operands.erase(operands.begin() + static_cast<long>(pair[1]));
    operands.erase(operands.begin() + static_cast<long>(pair[0]));
    Labels kept = output_;
    for (const Labels& other : operands) kept.insert(other.begin(), other.end());
    Labels product;
    std::ranges::set_intersection(both, kept, std::inserter(product, product.end()));
    operands.push_back(std::move(product));
    return operands;
  }

 private:
  Labels output_;
  const std::map<int64_t, int64_t>& sizes_;
};

std::vector<Contraction> Pairs(size_t count) {
  std::vector<Contraction> pairs;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) pairs.push_back({i, j});
  }
  return pairs;
}

struct Order {
  double cost = 0;
  std::vector<Contraction> steps;
};

// The cheapest of all orders; of equal ones that which takes operands from the left.
Order Search(const Contractions& contractions, const std::vector<Labels>& operands) {
  if (operands.size() < 2) return {};
  Order best{.cost = std::numeric_limits<double>::infinity(), .steps = {}};
  for (const Contraction& pair : Pairs(operands.size())) {
    Order order = Search(contractions, contractions.After(operands, pair));
    order.cost += contractions.CostOf(operands, pair);
    if (order.cost >= best.cost && !best.steps.empty()) continue;
    order.steps.insert(order.steps.begin(), pair);
    best = std::move(order);
  }
  return best;
}

Contraction Greediest(const Contractions& contractions, const std::vector<Labels>& operands) {
  auto badness = [&](const Contraction& pair) {
    const double product = contractions.SizeOf(contractions.After(operands, pair).back());
    const double replaced = contractions.SizeOf(operands[pair[0]]) + contractions.SizeOf(operands[pair[1]]);
    return std::pair(product - replaced, contractions.CostOf(operands, pair));
  };
  const std::vector<Contraction> pairs = Pairs(operands.size());
  return *std::ranges::min_element(pairs, {}, badness);
}

std::vector<Labels> Sets(const std::vector<Ints>& operands) {
  std::vector<Labels> sets;
  for (const Ints& labels : operands) sets.emplace_back(labels.begin(), labels.end());
  return sets;
}

}  // namespace

std::vector<Contraction> ContractionOrder(const std::vector<Ints>& operands, const Ints& output,
                                          const std::map<int64_t, int64_t>& sizes) {
  const Contractions contractions(output, sizes);
  std::vector<Labels> left = Sets(operands);
  std::vector<Contraction> order;
  while (left.size() > kMostSearched) {
    order.push_back(Greediest(contractions, left));
    left = contractions.After(std::move(left), order.back());
  }
  const std::vector<Contraction> rest = Search(contractions, left).steps;
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

double ContractionCost(const std::vector<Ints>& operands, const Ints& output,
                       const std::map<int64_t, int64_t>& sizes, const std::vector<Contraction>& order) {
  const Contractions contractions(output, sizes);
  std::vector<Labels> left = Sets(operands);
  double cost = 0;
  for (const Contraction& pair : order) {
    cost += contractions.CostOf(left, pair);
    left = contractions.After(std::move(left), pair);
  }
  return cost;
}

}  // namespace headrace
