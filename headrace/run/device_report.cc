#include "headrace/run/device_report.h"

namespace headrace::run {
namespace {

std::string ApiName(const runtime::Plugin& plugin) {
  const auto [major, minor] = plugin.api_version();
  return fmt::format("{}.{}", major, minor);
}

#ifdef __clang__
constexpr std::string_view kCompiler = __VERSION__;
#else
constexpr std::string_view kCompiler = "GCC " __VERSION__;
#endif

}  // namespace

Result<DeviceReport> ReportDevices(const DeviceOptions& options) {
  HR_TRY(const std::unique_ptr<runtime::Client> client, OpenClient(options));
  DeviceReport report{.platform = client->platform_name(),
                      .plugin = client->plugin().path(),
                      .api = ApiName(client->plugin())};
  for (const runtime::Device& device : client->devices()) {
    DeviceReport::Line line{.id = device.id(), .kind = device.kind(), .description = device.description()};
    if (const Result<runtime::MemoryStats> memory = device.Memory(); memory.ok())
      line.memory_bytes = memory->limit;
    report.devices.push_back(std::move(line));
  }
  return report;
}

VersionReport ReportVersion(const DeviceOptions& options) {
  VersionReport report{.version = HEADRACE_VERSION, .compiler = std::string(kCompiler)};
  const Result<const runtime::Plugin*> plugin = LoadPlugin(options);
  if (plugin.ok()) {
    report.plugin = (*plugin)->path();
    report.api = ApiName(**plugin);
  } else {
    report.plugin_error = plugin.status().message();
  }
  return report;
}

}  // namespace headrace::run
