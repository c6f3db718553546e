#include "headrace/graph/ops/window.h"

#include <algorithm>

#include "headrace/core/check.h"
#include "headrace/graph/emitter.h"
#include "headrace/graph/ops/slice.h"

namespace headrace {
namespace {

void RequireEntries(std::string_view what, const Ints& entries, size_t rank) {
  Require(entries.size() == rank && std::ranges::all_of(entries, [](int64_t n) { return n >= 1; }),
          "{} {} must be {} positive numbers, one a dimension that the window slides over", what,
          Bracketed(entries), rank);
}

}  // namespace

int64_t Dilated(int64_t size, int64_t dilation) { return size == 0 ? 0 : (size - 1) * dilation + 1; }

int64_t WindowDim::Positions(int64_t base) const {
  const int64_t free = Dilated(base, base_dilation) + low + high - Dilated(size, window_dilation);
  return free < 0 ? 0 : free / stride + 1;
}

WindowDim WindowDim::Transposed(int64_t base) const {
  const int64_t reach = Dilated(size, window_dilation);
  WindowDim transposed = {.size = size,
                          .stride = base_dilation,
                          .low = reach - 1 - low,
                          .base_dilation = stride,
                          .window_dilation = window_dilation};
  const int64_t needed = Dilated(base, base_dilation) + reach - 1;
  transposed.high = needed - transposed.low - Dilated(Positions(base), stride);
  return transposed;
}

WindowDim WindowDim::OfElements(int64_t base) const {
  const int64_t positions = Positions(base);
  WindowDim elements = {.size = positions,
                        .stride = window_dilation,
                        .low = low,
                        .base_dilation = base_dilation,
                        .window_dilation = stride};
  const int64_t needed = Dilated(size, window_dilation) - 1 + Dilated(positions, stride);
  elements.high = needed - low - Dilated(base, base_dilation);
  return elements;
}

Window Completed(Window window) {
  const size_t rank = window.size.size();
  if (window.padding.empty()) window.padding.resize(rank);
  for (Ints* ones : {&window.strides, &window.base_dilation, &window.window_dilation}) {
    if (ones->empty()) ones->assign(rank, 1);
  }
  return window;
}

Window BatchedWindow(const Window& window) {
  Window batched = Completed(window);
  batched.padding.insert(batched.padding.begin(), {0, 0});
  for (Ints* ones : {&batched.size, &batched.strides, &batched.base_dilation, &batched.window_dilation}) {
    ones->insert(ones->begin(), 1);
  }
  return batched;
}

WindowDim DimOf(const Window& window, int axis) {
  const auto i = static_cast<size_t>(axis);
  return {.size = window.size[i],
          .stride = window.strides[i],
          .low = window.padding[i][0],
          .high = window.padding[i][1],
          .base_dilation = window.base_dilation[i],
          .window_dilation = window.window_dilation[i]};
}

void RequireWindow(const Window& window, int rank) {
  const auto entries = static_cast<size_t>(rank);
  RequireEntries("window", window.size, entries);
  RequireEntries("strides", window.strides, entries);
  RequireEntries("base dilation", window.base_dilation, entries);
  RequireEntries("window dilation", window.window_dilation, entries);
  Require(window.padding.size() == entries,
          "padding has {} (low, high) entries; it needs {}, one a dimension that the window slides over",
          window.padding.size(), entries);
}

Ints WindowedSizes(std::span<const int64_t> base, const Window& window) {
  Ints sizes;
  for (size_t i = 0; i < base.size(); ++i) {
    const WindowDim dim = DimOf(window, static_cast<int>(i));
    Require(Dilated(base[i], dim.base_dilation) + dim.low + dim.high >= 0,
            "padding ({}, {}) removes more than the {} elements that there are", dim.low, dim.high,
            Dilated(base[i], dim.base_dilation));
    sizes.push_back(dim.Positions(base[i]));
  }
  return sizes;
}

Padding ResolvePadding(const WindowPadding& padding, std::span<const int64_t> base, const Window& window) {
  if (const auto* numbers = std::get_if<Padding>(&padding)) return *numbers;
  Padding resolved(base.size());
  if (std::get<PaddingMode>(padding) == PaddingMode::kValid) return resolved;
  const Window complete = Completed(window);
  HR_CHECK(complete.size.size() == base.size());
  for (size_t i = 0; i < base.size(); ++i) {
    const WindowDim dim = DimOf(complete, static_cast<int>(i));
    const int64_t size = Dilated(base[i], dim.base_dilation);
    const int64_t positions = (size + dim.stride - 1) / dim.stride;
    const int64_t covered = (positions - 1) * dim.stride + Dilated(dim.size, dim.window_dilation);
    const int64_t total = std::max<int64_t>(covered - size, 0);
    resolved[i] = {total / 2, total - total / 2};
  }
  return resolved;
}

Ints WindowOffset(const Window& window, int64_t k) {
  Ints offset(window.size.size());
  for (size_t i = offset.size(); i-- > 0; k /= window.size[i]) {
    offset[i] = k % window.size[i] * window.window_dilation[i];
  }
  return offset;
}

Value SeenBy(Value base, const Ints& offset, const Window& window, const Shape& positions) {
  Ints limits;
  for (size_t i = 0; i < offset.size(); ++i)
    limits.push_back(offset[i] + Dilated(positions[static_cast<int>(i)], window.strides[i]));
  return Slice(base, offset, limits, window.strides);
}

Value PaddedBase(Value x, Value fill, const Window& window) {
  Ints holes;
  for (int64_t distance : window.base_dilation) holes.push_back(distance - 1);
  return Pad(x, fill, window.padding, holes);
}

int64_t ElementCount(const Window& window) {
  int64_t count = 1;
  for (int64_t size : window.size) count *= size;
  return count;
}

}  // namespace headrace
