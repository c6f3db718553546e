// Reading files of the local file system, mapped where they are large.
#pragma once

#include <cstdint>
#include <string>

#include "headrace/core/status.h"
#include "headrace/io/bytes.h"

namespace headrace::io {

// Values from this size on are mapped; below, a copy is cheaper than the page faults.
inline constexpr int64_t kMapFrom = 1 << 20;

// All of the file; one that grows meanwhile (or that does not know its size, as in /proc) is read to its end.
Result<Blob> ReadLocalFile(const std::string& path);
// `size` bytes from `offset`; kOutOfRange if it has fewer.
Result<Blob> ReadLocalFileRange(const std::string& path, int64_t offset, int64_t size);
// Its size; an error unless it is a regular file.
Result<int64_t> LocalFileSize(const std::string& path);

}  // namespace headrace::io
