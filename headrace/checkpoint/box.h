// Box: a rectangular part of an array, and copying such parts between row-major buffers.
//
// A piece of a tensor in a file is a box, and so is the slice that a device asks for: what both share is a
// box again. Values; the functions are safe to use from any thread.
//
//   Box rows = {.start = {128, 0}, .size = {64, 512}};
//   if (auto shared = Intersect(piece, rows)) CopyBox(...);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/tensor/shape.h"

namespace headrace::checkpoint {

struct Box {
  std::vector<int64_t> start;
  std::vector<int64_t> size;

  // The whole of an array.
  static Box Whole(const Shape& shape);

  int rank() const { return static_cast<int>(start.size()); }
  int64_t ElementCount() const;
  // True if `inner` lies inside this box. REQUIRES: equal ranks
  bool Contains(const Box& inner) const;
  std::string ToString() const;  // "[128:192, 0:512]"
  bool operator==(const Box&) const = default;
};

// What both have in common; nothing if that is empty. REQUIRES: equal ranks
std::optional<Box> Intersect(const Box& a, const Box& b);

// A stretch of a row-major buffer that holds the box `part`, whole or in steps.
struct Span {
  int64_t begin = 0;  // in elements of the buffer
  int64_t end = 0;
  Box part;
};

// The spans of the buffer of box `outer` that must be read to get `inner` out of it: few, without reading
// much that is not wanted. A span costs about as much as `free_gap` elements more in another. REQUIRES:
// outer.Contains(inner)
std::vector<Span> SpansOf(const Box& outer, const Box& inner, int64_t free_gap);

// Copies the elements of `part`, `item` bytes each, from a span of the buffer of box `from` (its first
// element being element `from_begin` of that buffer) to the buffer of box `to`. REQUIRES: both contain `part`
void CopyBox(const Box& part, const Box& from, int64_t from_begin, std::span<const std::byte> source,
             const Box& to, std::span<std::byte> target, int64_t item);

}  // namespace headrace::checkpoint
