#include "headrace/io/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace headrace::io {

uint32_t Crc32c(Bytes bytes, uint32_t crc) {
  // ISA-L's register is the CRC before the final inversion, and it takes lengths of type int.
  constexpr size_t kMost = size_t{1} << 30;
  uint32_t state = ~crc;
  while (!bytes.empty()) {
    const Bytes part = bytes.first(std::min(bytes.size(), kMost));
    auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(part.data()));
    state = crc32_iscsi(data, static_cast<int>(part.size()), state);
    bytes = bytes.subspan(part.size());
  }
  return ~state;
}

}  // namespace headrace::io
