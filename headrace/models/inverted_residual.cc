#include "headrace/models/inverted_residual.h"

#include <algorithm>

#include "headrace/graph/ops.h"
#include "headrace/nn/activations.h"

namespace headrace::models {
namespace {

const nn::ConvShape kPointwise = {.kernel = {1, 1}};

}  // namespace

InvertedResidual::InvertedResidual(const InvertedResidualScopes& scopes, const InvertedResidualShape& shape,
                                   const NormOptions& norm)
    : residual_(shape.in == shape.out &&
                std::ranges::all_of(shape.depthwise.strides, [](int64_t stride) { return stride == 1; })) {
  const int64_t middle = shape.in * shape.expansion;
  nn::ConvShape depthwise = shape.depthwise;
  depthwise.groups = middle;
  if (shape.expansion != 1)
    expand_.emplace(scopes.expand, scopes.expand_norm, shape.in, middle, kPointwise, norm);
  depthwise_.emplace(scopes.depthwise, scopes.depthwise_norm, middle, middle, depthwise, norm);
  project_.emplace(scopes.project, scopes.project_norm, middle, shape.out, kPointwise, norm);
}

Value InvertedResidual::operator()(Value x) const {
  const Value wide = expand_ ? nn::Relu6((*expand_)(x)) : x;
  const Value y = (*project_)(nn::Relu6((*depthwise_)(wide)));
  return residual_ ? x + y : y;
}

}  // namespace headrace::models
