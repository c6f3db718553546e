#include "headrace/run/output_file.h"

#include <filesystem>

#include "headrace/io/store.h"

namespace headrace::run {

Status WriteOutputFile(const std::string& path, std::string_view bytes) {
  const std::filesystem::path file(path);
  const std::filesystem::path folder =
      file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder.string()));
  return store->Write(file.filename().string(), io::AsBytes(bytes));
}

}  // namespace headrace::run
