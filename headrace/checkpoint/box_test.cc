#include "headrace/checkpoint/box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace headrace::checkpoint {
namespace {

TEST(Box, IntersectsWhereBothAre) {
  Box a = {.start = {0, 2}, .size = {4, 4}};
  Box b = {.start = {3, 0}, .size = {4, 3}};
  EXPECT_EQ(Intersect(a, b), (Box{.start = {3, 2}, .size = {1, 1}}));
  EXPECT_EQ(Intersect(a, {.start = {4, 2}, .size = {1, 1}}), std::nullopt);
  EXPECT_EQ(Intersect(Box{}, Box{}), Box{});  // scalars
  EXPECT_EQ(a.ToString(), "[0:4, 2:6]");
  EXPECT_EQ(Box{}.ToString(), "[]");
}

std::vector<std::pair<int64_t, int64_t>> Ranges(const std::vector<Span>& spans) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const Span& span : spans) ranges.emplace_back(span.begin, span.end);
  return ranges;
}

TEST(SpansOf, ReadsWholeRowsAtOnce) {
  Box outer = {.start = {0, 0}, .size = {8, 10}};
  EXPECT_EQ(Ranges(SpansOf(outer, {.start = {2, 0}, .size = {3, 10}}, 0)),
            (std::vector<std::pair<int64_t, int64_t>>{{20, 50}}));
}

TEST(SpansOf, ReadsColumnsRowByRowOrWithTheGaps) {
  Box outer = {.start = {0, 0}, .size = {3, 10}};
  Box columns = {.start = {0, 4}, .size = {3, 2}};
  EXPECT_EQ(Ranges(SpansOf(outer, columns, 7)),
            (std::vector<std::pair<int64_t, int64_t>>{{4, 6}, {14, 16}, {24, 26}}));
  EXPECT_EQ(Ranges(SpansOf(outer, columns, 8)), (std::vector<std::pair<int64_t, int64_t>>{{4, 26}}));
}

TEST(SpansOf, HandlesScalarsAndEmptyBoxes) {
  EXPECT_EQ(Ranges(SpansOf(Box{}, Box{}, 0)), (std::vector<std::pair<int64_t, int64_t>>{{0, 1}}));
  EXPECT_TRUE(SpansOf({.start = {0}, .size = {4}}, {.start = {2}, .size = {0}}, 0).empty());
}

// Any slice that is put together from spans of any pieces equals the slice of the whole.
TEST(CopyBox, PutsAnySliceTogether) {
  std::mt19937 random(1);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int round = 0; round < 300; ++round) {
    size_t rank = static_cast<size_t>(below(4));
    Box whole, slice;
    for (size_t i = 0; i < rank; ++i) {
      int64_t size = 1 + below(6), start = below(size);
      whole.start.push_back(0);
      whole.size.push_back(size);
      slice.start.push_back(start);
      slice.size.push_back(1 + below(size - start));
    }
    // Cut the whole in two along one dimension.
    std::vector<Box> pieces = {whole};
    if (rank > 0) {
      size_t axis = static_cast<size_t>(below(static_cast<int64_t>(rank)));
      int64_t cut = below(whole.size[axis] + 1);
      pieces.push_back(whole);
      pieces[0].size[axis] = cut;
      pieces[1].start[axis] = cut;
      pieces[1].size[axis] -= cut;
    }
    std::vector<int32_t> source(static_cast<size_t>(whole.ElementCount()));
    std::iota(source.begin(), source.end(), 0);
    std::vector<int32_t> expected(static_cast<size_t>(slice.ElementCount())), actual(expected.size(), -1);
    CopyBox(slice, whole, 0, std::as_bytes(std::span(source)), slice,
            std::as_writable_bytes(std::span(expected)), 4);

    for (const Box& piece : pieces) {
      std::vector<int32_t> buffer(static_cast<size_t>(piece.ElementCount()));
      CopyBox(piece, whole, 0, std::as_bytes(std::span(source)), piece,
              std::as_writable_bytes(std::span(buffer)), 4);
      std::optional<Box> shared = Intersect(piece, slice);
      if (!shared) continue;
      for (const Span& span : SpansOf(piece, *shared, below(8))) {
        auto part = std::span(buffer).subspan(static_cast<size_t>(span.begin),
                                              static_cast<size_t>(span.end - span.begin));
        CopyBox(span.part, piece, span.begin, std::as_bytes(part), slice,
                std::as_writable_bytes(std::span(actual)), 4);
      }
    }
    EXPECT_EQ(actual, expected) << slice.ToString() << " of " << whole.ToString();
    int64_t first = 0;
    for (size_t i = 0; i < rank; ++i) first += slice.start[i] * Shape(whole.size).Strides()[i];
    EXPECT_EQ(expected.front(), first);
  }
}

}  // namespace
}  // namespace headrace::checkpoint
