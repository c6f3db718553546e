#include "headrace/io/store.h"

#include <fmt/format.h>

#include <algorithm>

#include "headrace/io/file_store.h"
#include "headrace/io/memory_store.h"

namespace headrace::io {
namespace {

struct Scheme {
  std::string_view name;
  Result<std::unique_ptr<Store>> (*open)(std::string_view url);
};

// One line for each kind of store. The first one also takes what has no scheme.
constexpr Scheme kSchemes[] = {
    {"file", OpenFileStore},
    {"mem", OpenMemoryStore},
};

}  // namespace

Result<std::string> Store::ReadText(std::string_view key) {
  HR_TRY(const Blob blob, Read(key));
  return std::string(blob.text());
}

Result<std::unique_ptr<Store>> OpenStore(std::string_view url) {
  if (url.empty()) return InvalidArgument("the place to open is empty; give a path or a URL");
  const size_t colon = url.find("://");
  if (colon == std::string_view::npos) return kSchemes[0].open(url);
  const std::string_view name = url.substr(0, colon);
  for (const Scheme& scheme : kSchemes) {
    if (name == scheme.name) return scheme.open(url);
  }
  std::vector<std::string_view> known;
  for (const Scheme& scheme : kSchemes) known.push_back(scheme.name);
  return Error(Code::kUnimplemented,
               "'{}' has the scheme '{}', which is not supported; known are a path and {}://", url, name,
               fmt::join(known, "://, "));
}

Result<Blob> ReadFile(std::string_view url) {
  const size_t slash = url.rfind('/');
  std::string folder = ".";
  if (slash == 0)
    folder = "/";
  else if (slash != std::string_view::npos)
    folder = url.substr(0, slash);
  const std::string_view key = slash == std::string_view::npos ? url : url.substr(slash + 1);
  if (key.empty()) return InvalidArgument("'{}' names no file", url);
  HR_TRY(const std::unique_ptr<Store> store, OpenStore(folder));
  return store->Read(key);
}

}  // namespace headrace::io
