// ReadMatchingFiles: the files that a path, a folder or a pattern names.
#pragma once

#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/io/bytes.h"

namespace headrace::data {

struct MatchingFile {
  std::string path;
  io::Blob blob;
};

// `path` is a file; or a folder, of which every file right below it is meant; or a pattern whose last part
// holds "*" or "?". Sorted by name, by bytes. kNotFound, saying what is there, if there is no such file.
Result<std::vector<MatchingFile>> ReadMatchingFiles(const std::string& path);

}  // namespace headrace::data
