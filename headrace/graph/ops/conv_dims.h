// ConvDims: which dimension of a convolution's operands and result is what.
#pragma once

#include <string>
#include <string_view>

#include "headrace/graph/op.h"

namespace headrace {

// Spatial dimensions pair up by their order: lhs_spatial[i], rhs_spatial[i] and out_spatial[i] are one.
struct ConvDims {
  int64_t lhs_batch = 0, lhs_feature = 0;
  Ints lhs_spatial;
  int64_t rhs_input = 0, rhs_output = 0;  // the features that the filter takes and makes
  Ints rhs_spatial;
  int64_t out_batch = 0, out_feature = 0;
  Ints out_spatial;

  // [N, spatial…, C] * [spatial…, C, F] -> [N, spatial…, F]: NHWC and HWIO.
  static ConvDims ChannelsLast(int spatial_rank);
  // [N, C, spatial…] * [F, C, spatial…] -> [N, F, spatial…]: NCHW and OIHW.
  static ConvDims ChannelsFirst(int spatial_rank);

  // "b01f_01io->b01f": for each dimension its part; '?' for one that has none.
  std::string ToString() const;
  // Reads that back; nothing good for text that is not of this form.
  static ConvDims Parse(std::string_view text);

  int spatial_rank() const { return static_cast<int>(lhs_spatial.size()); }
  bool operator==(const ConvDims&) const = default;
};

// Fails unless every dimension of operands of these ranks, and of the result, has one part.
void RequireConvDims(const ConvDims& dims, int lhs_rank, int rhs_rank);

// As StableHLO's attribute: "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>".
std::string ToMlir(const ConvDims& dims);

}  // namespace headrace
