#include "headrace/graph/ops/pooling.h"

#include <algorithm>

#include "headrace/graph/ops.h"
#include "headrace/graph/ops/reduce_window.h"

namespace headrace {
namespace {

// The window over all dimensions of x, of which the first and the last are not pooled.
Window SpatialWindow(std::string_view function, Value x, const Pooling& pooling) {
  const size_t spatial = pooling.window.size();
  Require(x.rank() == static_cast<int>(spatial) + 2,
          "{}: a window of {} dimensions is for [N, spatial…, C] with as many spatial dimensions, not {}",
          function, spatial, x.type().ToString());
  Window window = Completed({.size = pooling.window, .strides = pooling.strides});
  RequireWindow(window, static_cast<int>(spatial));
  const std::span sizes(x.shape().dims().data() + 1, spatial);
  window.padding = ResolvePadding(pooling.padding, sizes, window);
  Require(window.padding.size() == spatial,
          "{}: padding has {} (low, high) entries for {} spatial dimensions", function, window.padding.size(),
          spatial);
  for (Ints* ones : {&window.size, &window.strides, &window.base_dilation, &window.window_dilation}) {
    ones->insert(ones->begin(), 1);
    ones->push_back(1);
  }
  window.padding.insert(window.padding.begin(), {0, 0});
  window.padding.push_back({0, 0});
  return window;
}

// How many elements that are no padding the window sees at each of its positions along one dimension; 1 where
// there are none, since this is to divide by.
HostTensor CountsAlong(int64_t base, const WindowDim& window) {
  HostTensor counts({DType::kF64, {window.Positions(base)}});
  for (int64_t p = 0; p < counts.size(); ++p) {
    const int64_t start = p * window.stride - window.low;
    const int64_t seen = std::min(start + window.size, base) - std::max<int64_t>(start, 0);
    counts.Set(p, static_cast<double>(std::max<int64_t>(seen, 1)));
  }
  return counts;
}

}  // namespace

Value MaxPool(Value x, const Pooling& pooling) {
  return ReduceWindow(x, Reduction::kMax, SpatialWindow("max_pool", x, pooling));
}

Value AvgPool(Value x, const Pooling& pooling, bool count_padding) {
  Require(IsFloat(x.dtype()), "avg_pool: takes floating-point, not {}", x.type().ToString());
  const Window window = SpatialWindow("avg_pool", x, pooling);
  const Value sum = ReduceWindow(x, Reduction::kAdd, window);
  if (count_padding) {
    double count = 1;
    for (int64_t size : window.size) count *= static_cast<double>(size);
    return sum / count;
  }
  Value mean = sum;
  for (int axis = 1; axis + 1 < x.rank(); ++axis) {
    const HostTensor counts = CountsAlong(x.dim(axis), DimOf(window, axis));
    mean = mean / BroadcastInDim(Constant(x.graph(), counts.ConvertTo(x.dtype())), mean.shape(), {axis});
  }
  return mean;
}

Value GlobalAvgPool(Value x) {
  Require(x.rank() >= 2, "global_avg_pool: takes [N, spatial…, C], not {}", x.type().ToString());
  Ints spatial;
  for (int axis = 1; axis + 1 < x.rank(); ++axis) spatial.push_back(axis);
  return Mean(x, spatial);
}

}  // namespace headrace
