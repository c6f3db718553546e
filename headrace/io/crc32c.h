// CRC-32C (Castagnoli), the checksum of TFRecord, TensorBoard and object stores.
#pragma once

#include <cstdint>

#include "headrace/io/bytes.h"

namespace headrace::io {

// The CRC-32C of `bytes`, or of what `crc` is the checksum of followed by `bytes`.
uint32_t Crc32c(Bytes bytes, uint32_t crc = 0);

// A CRC as records store it, so that a CRC of data that holds CRCs stays a good one.
inline uint32_t MaskCrc32c(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

}  // namespace headrace::io
