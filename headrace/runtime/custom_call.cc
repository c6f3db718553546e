#include "headrace/runtime/custom_call.h"

#include <pjrt_c_api.h>

#include <map>
#include <mutex>
#include <tuple>

#include "headrace/runtime/internal/api.h"

namespace headrace::runtime {
namespace {

// The FFI extension (PJRT_Extension_Type_FFI), laid out as plugins of API 0.81 to 0.117 have it; no header
// for it ships with them.
struct RegisterHandlerArgs {
  size_t struct_size;
  const char* target_name;
  size_t target_name_size;
  void* handler;
  const char* platform_name;
  size_t platform_name_size;
  uint32_t traits;
};

struct FfiExtension {
  PJRT_Extension_Base base;
  void* type_register;
  void* user_data_add;
  PJRT_Error* (*register_handler)(RegisterHandlerArgs*);
};

using Key = std::tuple<const Plugin*, std::string, std::string>;  // plugin, platform, target

struct Registry {
  std::mutex mutex;
  std::map<Key, decltype(CustomCall::handler)> handlers;
};

Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

Status RegisterCustomCall(const Plugin& plugin, const CustomCall& call) {
  const auto* extension =
      static_cast<const FfiExtension*>(plugin.api().FindExtension(PJRT_Extension_Type_FFI));
  if (extension == nullptr || extension->base.struct_size < sizeof(FfiExtension)) {
    return Error(Code::kUnimplemented, "the plugin {} takes no custom calls, so '{}' cannot run on it",
                 plugin.path(), call.target);
  }
  Registry& registry = TheRegistry();
  std::lock_guard lock(registry.mutex);
  auto& registered = registry.handlers[Key{&plugin, call.platform, call.target}];
  if (registered == call.handler && registered != nullptr) return Ok();
  if (registered != nullptr) {
    return Error(Code::kAlreadyExists, "the custom call '{}' has another handler on {} already", call.target,
                 call.platform);
  }
  RegisterHandlerArgs args{
      .struct_size = sizeof(RegisterHandlerArgs),
      .target_name = call.target.data(),
      .target_name_size = call.target.size(),
      .handler = reinterpret_cast<void*>(call.handler),
      .platform_name = call.platform.data(),
      .platform_name_size = call.platform.size(),
      .traits = call.traits,
  };
  if (PJRT_Error* error = extension->register_handler(&args); error != nullptr) {
    return plugin.api().TakeError(error).Context("registering the custom call '{}' with the plugin {}",
                                                 call.target, plugin.path());
  }
  registered = call.handler;
  return Ok();
}

}  // namespace headrace::runtime
