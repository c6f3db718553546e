#include "headrace/run/device_options.h"

#include <numeric>

#include "headrace/io/input_error.h"

namespace headrace::run {
namespace {

using runtime::Client;
using runtime::NamedValue;

constexpr int64_t kCpuDevices = 1;  // XLA spreads one CPU device over every core

// The client options by which a platform shows `devices` devices; none where all of them are wanted.
Result<std::vector<NamedValue>> ClientOptions(const std::string& platform, std::optional<int64_t> devices) {
  std::vector<NamedValue> options;
  if (platform == "cpu") {
    options.push_back({"cpu_device_count", devices.value_or(kCpuDevices)});
  } else if (devices && platform == "cuda") {
    std::vector<int64_t> visible(static_cast<size_t>(*devices));
    std::iota(visible.begin(), visible.end(), 0);
    options.push_back({"visible_devices", std::move(visible)});
  } else if (devices) {
    return Error(Code::kUnimplemented, "{} has no way to show only some of its devices; leave --devices out",
                 platform);
  }
  return options;
}

bool IsPlatformName(const std::string& device) {
  return device == "cpu" || device == "cuda" || device == "tpu";
}

}  // namespace

Result<const runtime::Plugin*> LoadPlugin(const DeviceOptions& options) {
  HR_TRY(const std::string path, runtime::FindPlugin(options.device, options.plugin_folders));
  Result<const runtime::Plugin*> plugin = runtime::Plugin::Load(path);
  return IsPlatformName(options.device) ? plugin : io::AsInput(std::move(plugin));
}

Result<std::unique_ptr<Client>> OpenClient(const DeviceOptions& options) {
  constexpr int64_t kMostDevices = 4096;  // beyond any machine; a CPU would try to make them
  if (options.devices && (*options.devices < 1 || *options.devices > kMostDevices)) {
    return InvalidArgument("--devices must be between 1 and {}, got {}", kMostDevices, *options.devices);
  }
  HR_TRY(const runtime::Plugin* plugin, LoadPlugin(options));
  std::string platform = options.device;
  if (!IsPlatformName(platform)) {  // only a client of an unknown plugin says what it drives
    HR_TRY(const std::unique_ptr<Client> probe, Client::Create(*plugin));
    platform = probe->platform_name();
  }
  HR_TRY(const std::vector<NamedValue> client_options, ClientOptions(platform, options.devices));
  HR_TRY(std::unique_ptr<Client> client,
         Client::Create(*plugin, client_options).Context("starting {}", plugin->path()));
  const auto count = static_cast<int64_t>(client->devices().size());
  if (options.devices && *options.devices > count) {
    return InvalidArgument("--devices {}: {} has {}", *options.devices, platform, count);
  }
  return client;
}

}  // namespace headrace::run
