// The decoders behind DecodeImage, one for each format. Each takes bytes that begin as its format does.
#pragma once

#include <cstdint>
#include <string_view>

#include "headrace/core/status.h"
#include "headrace/io/bytes.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::data {

// Larger pictures are refused, so that a few damaged bytes cannot ask for all memory.
inline constexpr int64_t kMostPixels = int64_t{1} << 26;

// kInvalidArgument for a picture larger than that.
Status CheckPixels(int64_t width, int64_t height, std::string_view name);

bool IsJpeg(io::Bytes bytes);
Result<HostTensor> DecodeJpeg(io::Bytes bytes, std::string_view name);

bool IsPng(io::Bytes bytes);
Result<HostTensor> DecodePng(io::Bytes bytes, std::string_view name);

// Netpbm's binary gray (P5, .pgm) and colour (P6, .ppm) maps of 8 bits.
bool IsPnm(io::Bytes bytes);
Result<HostTensor> DecodePnm(io::Bytes bytes, std::string_view name);

}  // namespace headrace::data
