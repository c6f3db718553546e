#include "headrace/checkpoint/box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "headrace/core/check.h"

namespace headrace::checkpoint {
namespace {

// Of the first element of `part` in the row-major buffer of `box`.
int64_t LinearOffset(const Box& box, const Box& part, const std::vector<int64_t>& strides) {
  int64_t offset = 0;
  for (size_t i = 0; i < strides.size(); ++i) offset += (part.start[i] - box.start[i]) * strides[i];
  return offset;
}

// Steps `index` through an array of `size`, last dimension fastest; false when it has been through.
bool Next(std::vector<int64_t>& index, std::span<const int64_t> size) {
  for (size_t i = size.size(); i-- > 0;) {
    if (++index[i] < size[i]) return true;
    index[i] = 0;
  }
  return false;
}

struct Copier {
  const Box& part;
  const std::vector<int64_t> from_strides, to_strides;
  const int64_t item;
  size_t dense_axis;  // from here on the elements of the part follow one another in both buffers

  void Copy(size_t axis, const std::byte* source, std::byte* target) const {
    if (axis >= dense_axis) {
      int64_t count = std::accumulate(part.size.begin() + static_cast<std::ptrdiff_t>(axis), part.size.end(),
                                      item, std::multiplies<>());
      std::memcpy(target, source, static_cast<size_t>(count));
      return;
    }
    for (int64_t i = 0; i < part.size[axis]; ++i) {
      Copy(axis + 1, source + i * from_strides[axis] * item, target + i * to_strides[axis] * item);
    }
  }
};

}  // namespace

Box Box::Whole(const Shape& shape) {
  return {.start = std::vector<int64_t>(shape.dims().size(), 0), .size = shape.dims()};
}

int64_t Box::ElementCount() const {
  return std::accumulate(size.begin(), size.end(), int64_t{1}, std::multiplies<>());
}

bool Box::Contains(const Box& inner) const {
  HR_CHECK(rank() == inner.rank());
  for (size_t i = 0; i < start.size(); ++i) {
    if (inner.start[i] < start[i] || inner.start[i] + inner.size[i] > start[i] + size[i]) return false;
  }
  return true;
}

std::string Box::ToString() const {
  std::string text;
  for (size_t i = 0; i < start.size(); ++i) {
    text += fmt::format("{}{}:{}", i > 0 ? ", " : "", start[i], start[i] + size[i]);
  }
  return "[" + text + "]";
}

std::optional<Box> Intersect(const Box& a, const Box& b) {
  HR_CHECK(a.rank() == b.rank());
  Box shared = a;
  for (size_t i = 0; i < a.start.size(); ++i) {
    shared.start[i] = std::max(a.start[i], b.start[i]);
    shared.size[i] = std::min(a.start[i] + a.size[i], b.start[i] + b.size[i]) - shared.start[i];
    if (shared.size[i] <= 0) return std::nullopt;
  }
  return shared;
}

std::vector<Span> SpansOf(const Box& outer, const Box& inner, int64_t free_gap) {
  HR_CHECK(outer.Contains(inner));
  if (inner.ElementCount() == 0) return {};
  const std::vector<int64_t> strides = Shape(outer.size).Strides();

  // The dimensions from `axis` on are read in one span of `length`, gaps included.
  size_t axis = strides.size();
  int64_t length = 1;
  while (axis > 0) {
    size_t next = axis - 1;
    if (inner.size[next] > 1 && strides[next] - length > free_gap) break;
    length += (inner.size[next] - 1) * strides[next];
    axis = next;
  }

  std::vector<Span> spans;
  std::span<const int64_t> outer_sizes = std::span(inner.size).first(axis);
  std::vector<int64_t> index(axis, 0);
  do {
    Box part = inner;
    for (size_t i = 0; i < axis; ++i) {
      part.start[i] += index[i];
      part.size[i] = 1;
    }
    int64_t begin = LinearOffset(outer, part, strides);
    spans.push_back({.begin = begin, .end = begin + length, .part = std::move(part)});
  } while (Next(index, outer_sizes));
  return spans;
}

void CopyBox(const Box& part, const Box& from, int64_t from_begin, std::span<const std::byte> source,
             const Box& to, std::span<std::byte> target, int64_t item) {
  HR_CHECK(from.Contains(part) && to.Contains(part));
  if (part.ElementCount() == 0) return;
  Copier copier{.part = part,
                .from_strides = Shape(from.size).Strides(),
                .to_strides = Shape(to.size).Strides(),
                .item = item,
                .dense_axis = part.size.size()};
  while (copier.dense_axis > 0) {
    size_t axis = copier.dense_axis;
    bool follows =
        axis == part.size.size() || (part.size[axis] == from.size[axis] && part.size[axis] == to.size[axis]);
    if (!follows) break;
    copier.dense_axis = axis - 1;
  }
  int64_t source_offset = LinearOffset(from, part, copier.from_strides) - from_begin;
  int64_t target_offset = LinearOffset(to, part, copier.to_strides);
  HR_CHECK(source_offset >= 0);
  copier.Copy(0, source.data() + source_offset * item, target.data() + target_offset * item);
}

}  // namespace headrace::checkpoint
