#include "headrace/graph/ops/einsum_subscripts.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace headrace {
namespace {

constexpr std::string_view kEllipsis = "...";
constexpr std::string_view kArrow = "->";
constexpr int64_t kUnderEllipsis = 0;  // stands for the labels of "..." until their number is known

std::string NameOf(int64_t label) {
  return label < 0 ? fmt::format("dimension {} of '...'", label)
                   : fmt::format("'{}'", static_cast<char>(label));
}

// The labels of "i...j", with kUnderEllipsis for the dots.
Ints ParseTerm(std::string_view text) {
  Ints labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with(kEllipsis)) {
      Require(std::ranges::count(labels, kUnderEllipsis) == 0, "'{}' has '...' twice", text);
      labels.push_back(kUnderEllipsis);
      i += kEllipsis.size() - 1;
      continue;
    }
    Require(std::isalpha(static_cast<unsigned char>(text[i])) != 0,
            "'{}' is no label; labels are letters, and '...' is for dimensions without", text[i]);
    labels.push_back(text[i]);
  }
  return labels;
}

// The labels with `count` dimensions under the dots.
Ints Expanded(Ints labels, int64_t count) {
  const auto dots = std::ranges::find(labels, kUnderEllipsis);
  if (dots == labels.end()) return labels;
  Ints under;
  for (int64_t label = -count; label < 0; ++label) under.push_back(label);
  labels.insert(labels.erase(dots), under.begin(), under.end());
  return labels;
}

bool HasEllipsis(const Ints& labels) { return std::ranges::count(labels, kUnderEllipsis) > 0; }

std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

// Dimensions of operand `i` that are under its dots.
int64_t CountUnderEllipsis(size_t i, std::string_view term, const Ints& labels, const Shape& shape) {
  const bool dots = HasEllipsis(labels);
  const int64_t named = static_cast<int64_t>(labels.size()) - (dots ? 1 : 0);
  Require(dots ? named <= shape.rank() : named == shape.rank(), "'{}' names {} dimensions, operand {} has {}",
          term, named, i, shape.rank());
  return shape.rank() - named;
}

void TakeSizes(size_t i, const Shape& shape, EinsumSubscripts& subscripts) {
  const Ints& labels = subscripts.operands[i];
  std::map<int64_t, int64_t> here;
  for (size_t axis = 0; axis < labels.size(); ++axis) {
    const int64_t size = shape[static_cast<int>(axis)];
    const int64_t before = here.emplace(labels[axis], size).first->second;
    Require(before == size, "{} is both {} and {} in operand {}", NameOf(labels[axis]), before, size, i);
  }
  for (const auto& [label, size] : here) {
    int64_t& known = subscripts.sizes.emplace(label, size).first->second;
    Require(known == size || known == 1 || size == 1, "{} is {} in operand {} and {} before", NameOf(label),
            size, i, known);
    if (known == 1) known = size;
  }
}

// What stands once, in alphabetical order, behind what is under the dots.
Ints ImpliedOutput(const EinsumSubscripts& subscripts) {
  std::map<int64_t, int> counts;
  for (const Ints& labels : subscripts.operands) {
    for (int64_t label : labels) ++counts[label];
  }
  Ints output;
  for (const auto& [label, count] : counts) {
    if (label < 0 || count == 1) output.push_back(label);
  }
  return output;
}

void CheckOutput(const EinsumSubscripts& subscripts) {
  for (int64_t label : subscripts.output) {
    Require(std::ranges::count(subscripts.output, label) == 1, "the output has {} twice", NameOf(label));
    Require(subscripts.sizes.contains(label), "the output has {}, which no operand has", NameOf(label));
  }
}

}  // namespace

EinsumSubscripts ParseEinsum(std::string_view text, std::span<const Shape> shapes) {
  std::string spaceless(text);
  std::erase(spaceless, ' ');
  const std::string_view all = spaceless;
  const size_t arrow = all.find(kArrow);
  const std::vector<std::string_view> terms = Split(all.substr(0, arrow));
  Require(terms.size() == shapes.size(), "has subscripts for {} operands, and there are {}", terms.size(),
          shapes.size());

  EinsumSubscripts subscripts;
  int64_t under_ellipsis = 0;  // in the operand that has most
  for (size_t i = 0; i < terms.size(); ++i) {
    const Ints labels = ParseTerm(terms[i]);
    const int64_t count = CountUnderEllipsis(i, terms[i], labels, shapes[i]);
    under_ellipsis = std::max(under_ellipsis, count);
    subscripts.operands.push_back(Expanded(labels, count));
    TakeSizes(i, shapes[i], subscripts);
  }
  subscripts.output = arrow == std::string_view::npos
                          ? ImpliedOutput(subscripts)
                          : Expanded(ParseTerm(all.substr(arrow + kArrow.size())), under_ellipsis);
  CheckOutput(subscripts);
  return subscripts;
}

}  // namespace headrace
