// The conformance suite: what every PJRT plugin must do the same way, run once per plugin.
//
// A new plugin is one line in PluginsUnderTest(). What it does not support is named there; the suite then
// expects a clean kUnimplemented instead, so that a plugin that learns something new fails the suite until
// its line says so.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "headrace/runtime/client.h"

namespace headrace::runtime {

// The value, or the end of this test with the error's text.
template <class T>
T Must(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

struct PluginUnderTest {
  std::string name;
  std::string path;  // from the source root
  std::set<std::string> lacks;

  friend void PrintTo(const PluginUnderTest& plugin, std::ostream* out) { *out << plugin.name; }
};

inline std::vector<PluginUnderTest> PluginsUnderTest() {
  return {
      {"cpu", ".deps/pjrt/cpu/pjrt_c_api_cpu_plugin.so", {"cost_analysis"}},
      {"cpu_0_81", ".deps/pjrt/cpu-0.81/xla_cpu_pjrt.so", {"custom_calls"}},
  };
}

inline std::string PluginName(const testing::TestParamInfo<PluginUnderTest>& info) { return info.param.name; }

class Conformance : public testing::TestWithParam<PluginUnderTest> {
 protected:
  static constexpr int64_t kDevices = 8;

  void SetUp() override {
    plugin_ = Must(Plugin::Load(GetParam().path));
    client_ = Must(Client::Create(*plugin_, {{{"cpu_device_count", kDevices}}}));
  }

  bool Lacks(const std::string& feature) const { return GetParam().lacks.contains(feature); }

  // A module whose function is `main` with this signature and body.
  static std::string Module(const std::string& signature, const std::string& body) {
    return "module @test {\n  func.func public @main" + signature + " {\n" + body + "\n  }\n}\n";
  }

  const Device& device(size_t index) const { return *client_->addressable_devices()[index]; }
  Executable Compile(const std::string& text, const CompileOptions& options = {}) const {
    return Must(client_->Compile(text, options));
  }
  Buffer Put(const HostTensor& tensor, size_t index = 0) const {
    return Must(client_->ToDevice(tensor, device(index)));
  }
  template <class T>
  static std::vector<T> Values(const Buffer& buffer) {
    HostTensor tensor = Must(buffer.ToHost());
    return {tensor.data<T>().begin(), tensor.data<T>().end()};
  }

  const Plugin* plugin_ = nullptr;
  std::unique_ptr<Client> client_;
};

}  // namespace headrace::runtime
