// TestClient: the CPU plugin that tests run on, loaded once a process. For tests only.
#pragma once

#include <cstdlib>

#include "headrace/runtime/client.h"

namespace headrace::jit {

// A client with 8 virtual devices, kept until the process ends.
inline runtime::Client& TestClient() {
  static runtime::Client& client = []() -> runtime::Client& {
    setenv("TF_CPP_MIN_LOG_LEVEL", "2", 0);  // the plugin is chatty
    const char* path = std::getenv("HEADRACE_TEST_PLUGIN");
    auto plugin = runtime::Plugin::Load(path ? path : ".deps/pjrt/cpu/pjrt_c_api_cpu_plugin.so");
    HR_CHECK(plugin.ok());
    const std::vector<runtime::NamedValue> options = {{"cpu_device_count", int64_t{8}}};
    auto created = runtime::Client::Create(**plugin, options);
    HR_CHECK(created.ok());
    return *created->release();
  }();
  return client;
}

}  // namespace headrace::jit
