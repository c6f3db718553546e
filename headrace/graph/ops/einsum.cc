#include "headrace/graph/ops/einsum.h"

#include <algorithm>
#include <utility>

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/contraction_order.h"
#include "headrace/graph/ops/einsum_subscripts.h"

namespace headrace {
namespace {

// A value whose dimensions have labels.
struct Term {
  Value value;
  Ints labels;
};

int64_t Position(const Ints& labels, int64_t label) {
  return std::ranges::find(labels, label) - labels.begin();
}
bool Has(const Ints& labels, int64_t label) { return std::ranges::find(labels, label) != labels.end(); }

class EinsumBuilder {
 public:
  EinsumBuilder(EinsumSubscripts subscripts, Precision precision, std::optional<DType> dtype)
      : subscripts_(std::move(subscripts)), precision_(precision), dtype_(dtype) {}

  Value Build(const Values& operands) {
    for (size_t i = 0; i < operands.size(); ++i)
      terms_.push_back(WithoutStretched(Diagonals({operands[i], subscripts_.operands[i]})));
    for (size_t i = 0; i < terms_.size(); ++i) terms_[i] = SumUnused(terms_[i], KeptBeside({i, i}));
    for (const Contraction& pair : Order()) {
      Term product = Multiply(terms_[pair[0]], terms_[pair[1]], KeptBeside(pair));
      terms_.erase(terms_.begin() + static_cast<long>(pair[1]));
      terms_.erase(terms_.begin() + static_cast<long>(pair[0]));
      terms_.push_back(std::move(product));
    }
    return InOrder(terms_[0]);
  }

 private:
  // The labels of the output and of every operand but the two.
  Ints KeptBeside(const Contraction& pair) const {
    Ints kept = subscripts_.output;
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (i != pair[0] && i != pair[1])
        kept.insert(kept.end(), terms_[i].labels.begin(), terms_[i].labels.end());
    }
    return kept;
  }

  std::vector<Contraction> Order() const {
    std::vector<Ints> labels;
    for (const Term& term : terms_) labels.push_back(term.labels);
    return ContractionOrder(labels, subscripts_.output, subscripts_.sizes);
  }

  // "iij" becomes "ji".
  static Term Diagonals(Term term) {
    for (size_t i = 0; i < term.labels.size();) {
      const int64_t label = term.labels[i];
      const auto again = std::find(term.labels.begin() + static_cast<long>(i) + 1, term.labels.end(), label);
      if (again == term.labels.end()) {
        ++i;
        continue;
      }
      term.value =
          Diagonal(term.value, 0, static_cast<int>(i), static_cast<int>(again - term.labels.begin()));
      term.labels.erase(again);
      term.labels.erase(term.labels.begin() + static_cast<long>(i));
      term.labels.push_back(label);
    }
    return term;
  }

  // Without the dimensions of size 1 that are larger in another operand.
  Term WithoutStretched(const Term& term) const {
    Term whole;
    Ints dims;
    for (size_t axis = 0; axis < term.labels.size(); ++axis) {
      const int64_t size = term.value.dim(static_cast<int>(axis));
      if (size != subscripts_.sizes.at(term.labels[axis])) continue;
      dims.push_back(size);
      whole.labels.push_back(term.labels[axis]);
    }
    whole.value = Reshape(term.value, Shape(std::move(dims)));
    return whole;
  }

  Term SumUnused(const Term& term, const Ints& kept) const {
    Term summed;
    Ints axes;
    for (size_t axis = 0; axis < term.labels.size(); ++axis) {
      if (Has(kept, term.labels[axis])) {
        summed.labels.push_back(term.labels[axis]);
      } else {
        axes.push_back(static_cast<int64_t>(axis));
      }
    }
    summed.value = axes.empty() ? term.value : Sum(Preferred(term.value), axes);
    return summed;
  }

  // Over the labels of both that are not kept, which each has if the other has not.
  Term Multiply(Term a, Term b, const Ints& kept) const {
    if (ComesFirst(b, a)) std::swap(a, b);
    Term product;
    DotDims dims;
    Ints shared;
    for (int64_t label : a.labels) {
      if (!Has(b.labels, label)) continue;
      if (Has(kept, label)) {
        shared.push_back(label);
      } else {
        dims.lhs_contract.push_back(Position(a.labels, label));
        dims.rhs_contract.push_back(Position(b.labels, label));
      }
    }
    std::ranges::stable_sort(shared, {}, [&](int64_t label) { return Position(subscripts_.output, label); });
    for (int64_t label : shared) {
      dims.lhs_batch.push_back(Position(a.labels, label));
      dims.rhs_batch.push_back(Position(b.labels, label));
    }
    product.labels = shared;
    for (const auto& [from, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      for (int64_t label : from->labels) {
        if (!Has(other->labels, label)) product.labels.push_back(label);
      }
    }
    if (a.value.dtype() != b.value.dtype()) {
      a.value = Preferred(a.value);
      b.value = Preferred(b.value);
    }
    product.value = DotGeneral(a.value, b.value, dims, precision_, dtype_);
    return product;
  }

  // Whether the labels that only `a` has stand before those that only `b` has in the output, so that the
  // product need not be transposed.
  bool ComesFirst(const Term& a, const Term& b) const {
    for (int64_t label : subscripts_.output) {
      if (Has(a.labels, label) != Has(b.labels, label)) return Has(a.labels, label);
    }
    return false;
  }

  Value InOrder(const Term& term) const {
    Ints permutation;
    for (int64_t label : subscripts_.output) permutation.push_back(Position(term.labels, label));
    return Transpose(Preferred(term.value), permutation);
  }

  Value Preferred(Value x) const { return Convert(x, dtype_.value_or(x.dtype())); }

  EinsumSubscripts subscripts_;
  Precision precision_;
  std::optional<DType> dtype_;
  std::vector<Term> terms_;
};

EinsumSubscripts Checked(std::string_view text, const Values& operands) {
  Require(!operands.empty(), "einsum: has no operands");
  std::string described;
  try {
    std::vector<Shape> shapes;
    for (Value operand : operands) {
      Require(static_cast<bool>(operand), "an operand is empty");
      described += fmt::format(", {}", operand.type().ToString());
      shapes.push_back(operand.shape());
    }
    for (Value operand : operands) {
      Require(operand.dtype() != DType::kPred, "multiplies numbers, not pred");
      Require(operand.dtype() == operands[0].dtype(), "element types differ; convert one of them");
    }
    return ParseEinsum(text, shapes);
  } catch (const GraphError& error) {
    throw GraphError(operands[0] ? operands[0].graph().scope() : "",
                     fmt::format("einsum(\"{}\"{}): {}", text, described, error.message()));
  }
}

}  // namespace

Value Einsum(std::string_view subscripts, Values operands, Precision precision,
             std::optional<DType> preferred_element_type) {
  return EinsumBuilder(Checked(subscripts, operands), precision, preferred_element_type).Build(operands);
}

}  // namespace headrace
