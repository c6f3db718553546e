#include "headrace/runtime/plugin.h"

#include <dlfcn.h>
#include <pjrt_c_api.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "headrace/runtime/internal/api.h"
#include "headrace/runtime/internal/named_values.h"

namespace headrace::runtime {
namespace {

// The oldest API that the conformance suite covers. Newer ones only append, and are detected function by
// function.
constexpr int kMajor = 0;
constexpr int kOldestMinor = 81;

bool StartsLikeSharedLibrary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[4] = {};
  file.read(magic, sizeof(magic));
  return file.gcount() == 4 && std::string_view(magic, 4) ==
                                   "\x7f"
                                   "ELF";
}

Result<const PJRT_Api*> OpenTable(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Error(Code::kNotFound, "there is no plugin at {}", path);
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return InvalidArgument("{} is not a file; a plugin is a shared library (.so)", path);
  }
  if (!StartsLikeSharedLibrary(path)) {
    return InvalidArgument("{} is not a shared library (it has no ELF header); a plugin is a .so file", path);
  }
  // Bound at once, so that a missing symbol is an error here and not a crash later; local, so that two
  // plugins do not see each other's symbols. dlopen searches the system's folders for a name without a slash.
  const std::string file = std::filesystem::absolute(path, error).string();
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return InvalidArgument("cannot load {}: {}", path, dlerror());
  auto* get_api = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"));
  if (get_api == nullptr) {
    return InvalidArgument("{} is a shared library but not a PJRT plugin: it has no function GetPjrtApi",
                           path);
  }
  const PJRT_Api* table = get_api();
  if (table == nullptr) return InvalidArgument("{}: its GetPjrtApi returned nothing", path);
  return table;
}

Status CheckTable(const PJRT_Api& table, const std::string& path) {
  const PJRT_Api_Version& version = table.pjrt_api_version;
  if (table.struct_size < offsetof(PJRT_Api, PJRT_Error_Destroy)) {
    return InvalidArgument("{}: its function table is {} bytes, too short to hold a version", path,
                           table.struct_size);
  }
  if (version.major_version != kMajor || version.minor_version < kOldestMinor) {
    return Error(Code::kUnimplemented,
                 "{} offers PJRT API {}.{}; this program needs {}.{} or newer within {}.x", path,
                 version.major_version, version.minor_version, kMajor, kOldestMinor, kMajor);
  }
  return Ok();
}

// The plugins of this process, by path as it was resolved. Never destroyed: a plugin cannot be unloaded
// safely.
struct Registry {
  std::mutex mutex;
  std::map<std::string, const Plugin*, std::less<>> plugins;
};

Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

Plugin::Plugin(const PJRT_Api* table, std::string path)
    : path_(std::move(path)), api_(std::make_unique<internal::Api>(table, path_)) {}

Plugin::~Plugin() = default;

Result<const Plugin*> Plugin::Load(const std::string& path) {
  std::error_code error;
  std::filesystem::path resolved = std::filesystem::canonical(path, error);
  if (error) resolved = path;
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  const Plugin*& slot = registry.plugins[resolved.string()];
  if (slot != nullptr) return slot;
  HR_TRY(const PJRT_Api* table, OpenTable(path));
  HR_TRY(slot, FromTable(table, path));
  return slot;
}

Result<const Plugin*> Plugin::FromTable(const PJRT_Api* table, std::string path) {
  HR_TRY(CheckTable(*table, path));
  std::unique_ptr<Plugin> plugin(new Plugin(table, std::move(path)));
  HR_TRY(plugin->Initialize().Context("initializing the plugin {}", plugin->path_));
  return static_cast<const Plugin*>(plugin.release());
}

Status Plugin::Initialize() {
  internal::Args<PJRT_Plugin_Initialize_Args> initialize;
  HR_TRY(api_->Call(&PJRT_Api::PJRT_Plugin_Initialize, initialize));
  internal::Args<PJRT_Plugin_Attributes_Args> args;
  Status status = api_->Call(&PJRT_Api::PJRT_Plugin_Attributes, args);
  if (status.code() == Code::kUnimplemented) return Ok();
  HR_TRY(std::move(status));
  attributes_ = internal::Copy(args.attributes, args.num_attributes);
  return Ok();
}

Plugin::Version Plugin::api_version() const {
  const PJRT_Api_Version& version = api_->table()->pjrt_api_version;
  return {version.major_version, version.minor_version};
}

bool Plugin::Offers(std::string_view function) const { return api_->Has(function); }

std::vector<int> Plugin::extensions() const { return api_->ExtensionTypes(); }

}  // namespace headrace::runtime
