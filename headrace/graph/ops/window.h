// Windows that slide over the dimensions of a value: what reduce_window and convolution have in common.
#pragma once

#include <variant>

#include "headrace/graph/graph.h"

namespace headrace {

// One entry a dimension in each; left empty, strides and dilations are 1 and padding is none.
struct Window {
  Ints size;
  Ints strides = {};
  Padding padding = {};       // around the dilated base; negative removes elements
  Ints base_dilation = {};    // distance of neighbouring elements of the base, with nothing between
  Ints window_dilation = {};  // distance of neighbouring elements of the window
};

// Around spatial dimensions: none; as much as makes ceil(size / stride) windows, what is odd of it behind; or
// so much.
enum class PaddingMode { kValid, kSame };
using WindowPadding = std::variant<PaddingMode, Padding>;

// The padding in numbers, for a base of these sizes. REQUIRES: as many sizes as the window has
Padding ResolvePadding(const WindowPadding& padding, std::span<const int64_t> base, const Window& window);

// ---- for ops/ only ----

// `size` elements at distance `dilation`: (size - 1) · dilation + 1.
int64_t Dilated(int64_t size, int64_t dilation);

// A Window in one dimension. At position p its element k lies on place p · stride + k · window_dilation of
// the padded base, whose element i lies on place i · base_dilation + low.
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t low = 0;
  int64_t high = 0;
  int64_t base_dilation = 1;
  int64_t window_dilation = 1;

  // How many positions it has on `base` elements. REQUIRES: the padding leaves something
  int64_t Positions(int64_t base) const;

  // Base and positions exchanged: the window that visits, from each element of a base of `base` elements, the
  // positions that see it; the elements of the window come in reverse order.
  WindowDim Transposed(int64_t base) const;

  // Window and positions exchanged: the window of `positions` elements whose position k visits what element k
  // of this one sees.
  WindowDim OfElements(int64_t base) const;

  bool operator==(const WindowDim&) const = default;
};

// Puts in what was left empty. REQUIRES: rank of the window is that of `size`
Window Completed(Window window);

// Seen from under a batch dimension, along which it does not slide.
Window BatchedWindow(const Window& window);

WindowDim DimOf(const Window& window, int axis);

// Fails unless every attribute has `rank` entries, and sizes, strides and dilations are positive.
void RequireWindow(const Window& window, int rank);

// The sizes of what a window gives on a base of these sizes. Fails where padding removes more than there is.
Ints WindowedSizes(std::span<const int64_t> base, const Window& window);

// Element k of the window, counted in row-major order: where it lies, from the window's start, and what it
// sees of a padded and dilated base at each of `positions`. REQUIRES: the window is Completed
Ints WindowOffset(const Window& window, int64_t k);
Value SeenBy(Value base, const Ints& offset, const Window& window, const Shape& positions);

// The base with its padding and the holes of its dilation filled. REQUIRES: the window is Completed
Value PaddedBase(Value x, Value fill, const Window& window);

int64_t ElementCount(const Window& window);

}  // namespace headrace
