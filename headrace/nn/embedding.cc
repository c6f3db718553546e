#include "headrace/nn/embedding.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

Embedding::Embedding(Scope scope, Dim count, Dim features, Initializer weight)
    : scope_(scope),
      weight_(scope.Param("weight", {std::move(count), std::move(features)}, std::move(weight))) {}

Value Embedding::operator()(Value numbers) const {
  auto entered = scope_.Enter();
  return TakeRows(weight_, numbers);
}

Value Embedding::Attend(Value x) const {
  auto entered = scope_.Enter();
  return DotGeneral(x, weight_, {{}, {}, {x.rank() - 1}, {1}});
}

}  // namespace headrace::nn
