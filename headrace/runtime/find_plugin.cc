#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "headrace/runtime/plugin.h"

namespace headrace::runtime {
namespace {

struct KnownPlugin {
  std::string_view name;
  std::vector<std::string_view> files;  // the names under which it is shipped
  std::string_view how_to_get;
};

const std::vector<KnownPlugin>& KnownPlugins() {
  static const std::vector<KnownPlugin> known = {
      {"cpu", {"pjrt_c_api_cpu_plugin.so"}, "tools/setup.sh fetches it"},
      {"cuda",
       {"xla_cuda_plugin.so", "pjrt_c_api_gpu_plugin.so"},
       "it ships in the Python packages jax-cuda13-pjrt and jax-cuda12-pjrt"},
      {"tpu", {"libtpu.so"}, "it ships in the Python package libtpu"},
  };
  return known;
}

bool IsPath(std::string_view name) { return name.contains('/') || name.ends_with(".so"); }

bool IsFile(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

}  // namespace

Result<std::string> FindPlugin(std::string_view name, std::span<const std::string> folders) {
  if (IsPath(name)) return std::string(name);
  const KnownPlugin* plugin = nullptr;
  for (const KnownPlugin& known : KnownPlugins()) {
    if (known.name == name) plugin = &known;
  }
  if (plugin == nullptr) {
    return InvalidArgument("'{}' is no device; use cpu, cuda, tpu, or the path of a PJRT plugin (.so)", name);
  }
  std::vector<std::string> looked_in;
  for (const std::filesystem::path folder : folders) {
    for (const std::filesystem::path& place : {folder, folder / name}) {
      for (std::string_view file : plugin->files) {
        if (IsFile(place / file)) return (place / file).string();
      }
      looked_in.push_back(place.string());
    }
  }
  return Error(
      Code::kNotFound,
      "found no plugin for '{}': looked for {} in {}; {}. Put it into one of these folders, or name its "
      "path in place of '{}'",
      name, fmt::join(plugin->files, " and "),
      looked_in.empty() ? "no folder (none was given)" : fmt::format("{}", fmt::join(looked_in, ", ")),
      plugin->how_to_get, name);
}

}  // namespace headrace::runtime
