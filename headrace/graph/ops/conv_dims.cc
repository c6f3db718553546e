#include "headrace/graph/ops/conv_dims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headrace {
namespace {

// "b01f" of batch 0, feature 3 and spatial {1, 2}, by the letters of the first two.
std::string Labels(std::string_view letters, int64_t first, int64_t second, const Ints& spatial) {
  std::string labels(spatial.size() + 2, '?');
  auto put = [&](int64_t dim, char label) {
    if (dim >= 0 && dim < static_cast<int64_t>(labels.size())) labels[static_cast<size_t>(dim)] = label;
  };
  put(first, letters[0]);
  put(second, letters[1]);
  for (size_t i = 0; i < spatial.size(); ++i) put(spatial[i], static_cast<char>('0' + i));
  return labels;
}

// Reads Labels back.
void ParseLabels(std::string_view labels, std::string_view letters, int64_t& first, int64_t& second,
                 Ints& spatial) {
  for (size_t dim = 0; dim < labels.size(); ++dim) {
    const char label = labels[dim];
    if (label == letters[0]) first = static_cast<int64_t>(dim);
    if (label == letters[1]) second = static_cast<int64_t>(dim);
  }
  for (char next = '0'; labels.contains(next); ++next) {
    spatial.push_back(static_cast<int64_t>(labels.find(next)));
  }
}

ConvDims Of(std::string_view lhs, std::string_view rhs, std::string_view out) {
  ConvDims dims;
  ParseLabels(lhs, "bf", dims.lhs_batch, dims.lhs_feature, dims.lhs_spatial);
  ParseLabels(rhs, "io", dims.rhs_input, dims.rhs_output, dims.rhs_spatial);
  ParseLabels(out, "bf", dims.out_batch, dims.out_feature, dims.out_spatial);
  return dims;
}

}  // namespace

ConvDims ConvDims::ChannelsLast(int spatial_rank) {
  const std::string spatial = std::string("0123456789").substr(0, static_cast<size_t>(spatial_rank));
  return Of("b" + spatial + "f", spatial + "io", "b" + spatial + "f");
}

ConvDims ConvDims::ChannelsFirst(int spatial_rank) {
  const std::string spatial = std::string("0123456789").substr(0, static_cast<size_t>(spatial_rank));
  return Of("bf" + spatial, "oi" + spatial, "bf" + spatial);
}

std::string ConvDims::ToString() const {
  return fmt::format("{}_{}->{}", Labels("bf", lhs_batch, lhs_feature, lhs_spatial),
                     Labels("io", rhs_input, rhs_output, rhs_spatial),
                     Labels("bf", out_batch, out_feature, out_spatial));
}

ConvDims ConvDims::Parse(std::string_view text) {
  const size_t bar = text.find('_');
  const size_t arrow = text.find("->");
  if (bar == std::string_view::npos || arrow == std::string_view::npos || arrow < bar) return {};
  return Of(text.substr(0, bar), text.substr(bar + 1, arrow - bar - 1), text.substr(arrow + 2));
}

void RequireConvDims(const ConvDims& dims, int lhs_rank, int rhs_rank) {
  const auto spatial = dims.lhs_spatial.size();
  const bool paired = dims.rhs_spatial.size() == spatial && dims.out_spatial.size() == spatial;
  const bool ranks = lhs_rank == dims.spatial_rank() + 2 && rhs_rank == lhs_rank;
  Require(paired && ranks && !dims.ToString().contains('?'),
          "dims {} do not name every dimension of operands of ranks {} and {} once", dims.ToString(),
          lhs_rank, rhs_rank);
}

std::string ToMlir(const ConvDims& dims) {
  const std::string text = dims.ToString();
  const size_t bar = text.find('_');
  const size_t arrow = text.find("->");
  return fmt::format("#stablehlo.conv<[{}]x[{}]->[{}]>", fmt::join(text.substr(0, bar), ", "),
                     fmt::join(text.substr(bar + 1, arrow - bar - 1), ", "),
                     fmt::join(text.substr(arrow + 2), ", "));
}

}  // namespace headrace
