#include "headrace/data/source_file.h"

#include <memory>
#include <string>

#include "headrace/io/store.h"

namespace headrace::data {

Result<io::Blob> ReadSourceFile(std::string_view path) {
  const size_t slash = path.rfind('/');
  std::string folder = ".";
  if (slash == 0)
    folder = "/";
  else if (slash != std::string_view::npos)
    folder = path.substr(0, slash);
  const std::string_view key = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (key.empty()) return InvalidArgument("'{}' names no file", path);
  HR_TRY(std::unique_ptr<io::Store> store, io::OpenStore(folder));
  return store->Read(key);
}

}  // namespace headrace::data
