#include "headrace/io/byte_source.h"

#include <algorithm>

namespace headrace::io {

Result<size_t> BlobSource::Read(std::span<std::byte> out) {
  const size_t count = std::min(out.size(), rest_.size());
  std::ranges::copy(rest_.first(count), out.begin());
  rest_ = rest_.subspan(count);
  return count;
}

Result<size_t> ReadFully(ByteSource& source, std::span<std::byte> out) {
  size_t filled = 0;
  while (filled < out.size()) {
    HR_TRY(const size_t count, source.Read(out.subspan(filled)));
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

}  // namespace headrace::io
