#include "headrace/graph/ops/combine.h"

#include "headrace/graph/ops.h"
#include "headrace/graph/vmap.h"

namespace headrace {
namespace {

Types ScalarsOf(TypeSpan values) {
  Types scalars;
  for (const TensorType& type : values) scalars.push_back({type.dtype, {}});
  return scalars;
}

Types Twice(Types types) {
  const Types once = types;
  types.insert(types.end(), once.begin(), once.end());
  return types;
}

std::string Listed(TypeSpan types) {
  std::string text;
  for (const TensorType& type : types) text += (text.empty() ? "" : ", ") + type.ToString();
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::shared_ptr<const Function> TraceCombine(std::span<const Value> values, const CombineFn& combine) {
  const Types scalars = Twice(ScalarsOf(TypesOf(values)));
  return std::make_shared<const Function>(Trace("combine", scalars, [&](std::span<const Value> x) {
    return combine(x.first(values.size()), x.subspan(values.size()));
  }));
}

void RequireCombine(const Function* combine, TypeSpan values) {
  Require(combine != nullptr, "has no function");
  const Types scalars = ScalarsOf(values);
  const Types takes = TypesOf(combine->parameters());
  Require(takes == Twice(scalars), "the function takes {}; it must take {}", Listed(takes),
          Listed(Twice(scalars)));
  const Types gives = TypesOf(combine->results);
  Require(gives == scalars, "the function gives {}; it must give {}", Listed(gives), Listed(scalars));
}

Values CombineElements(const Function& combine, const Values& earlier, const Values& later) {
  const Shape shape = earlier.at(0).shape();
  Values flat;
  for (const Values& side : {earlier, later}) {
    for (Value value : side) flat.push_back(Reshape(value, {shape.ElementCount()}));
  }
  const std::vector<std::optional<int>> in_axes(flat.size(), 0);
  const auto body = [&](std::span<const Value> x) { return Inline(combine, x, x[0].graph()); };
  Values results;
  for (Value result : Vmap(body, flat, in_axes)) results.push_back(Reshape(result, shape));
  return results;
}

Values CombineAlongLast(const Function& combine, Values values) {
  const auto part = [&](int64_t start, int64_t limit, int64_t stride) {
    Values parts;
    for (Value value : values) {
      Ints starts(static_cast<size_t>(value.rank()), 0), limits = value.shape().dims(),
                                                         strides(starts.size(), 1);
      starts.back() = start;
      limits.back() = limit;
      strides.back() = stride;
      parts.push_back(Slice(value, starts, limits, strides));
    }
    return parts;
  };
  for (int64_t n = values.at(0).dim(-1); n > 1; n = values[0].dim(-1)) {
    const int64_t even = n - n % 2;
    Values combined = CombineElements(combine, part(0, even, 2), part(1, even, 2));
    const Values last = part(even, n, 1);
    for (size_t i = 0; n % 2 != 0 && i < combined.size(); ++i)
      combined[i] = Concatenate({combined[i], last[i]}, -1);
    values = std::move(combined);
  }
  for (Value& value : values) {
    Ints dims = value.shape().dims();
    dims.pop_back();
    value = Reshape(value, dims);
  }
  return values;
}

}  // namespace headrace
