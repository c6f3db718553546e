#include "headrace/runtime/plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "headrace/runtime/client.h"

namespace headrace::runtime {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;

const std::string kCpu = ".deps/pjrt/cpu/pjrt_c_api_cpu_plugin.so";

std::string Fake(const std::string& name) {
  return std::string(HEADRACE_FAKE_PLUGINS) + "/fake_" + name + ".so";
}
std::string LoadError(const std::string& path) { return Plugin::Load(path).status().ToString(); }

TEST(Plugin, LoadsOnce) {
  auto plugin = Plugin::Load(kCpu);
  ASSERT_TRUE(plugin.ok()) << plugin.status().ToString();
  EXPECT_EQ((*plugin)->path(), kCpu);
  EXPECT_EQ((*plugin)->api_version().major, 0);
  EXPECT_GE((*plugin)->api_version().minor, 81);
  EXPECT_TRUE((*plugin)->Offers("PJRT_LoadedExecutable_Execute"));
  EXPECT_FALSE((*plugin)->Offers("PJRT_Make_Coffee"));
  EXPECT_THAT((*plugin)->extensions(), Contains(5));  // FFI
  EXPECT_THAT((*plugin)->attributes(),
              Contains(testing::Field(&NamedValue::name, "stablehlo_current_version")));

  auto again = Plugin::Load("./.deps/pjrt/../pjrt/cpu/pjrt_c_api_cpu_plugin.so");
  EXPECT_EQ(*plugin, *again);
}

TEST(Plugin, SaysWhatIsNotAPlugin) {
  EXPECT_EQ(LoadError("nowhere/plugin.so"), "NOT_FOUND: there is no plugin at nowhere/plugin.so");
  EXPECT_EQ(LoadError("headrace"),
            "INVALID_ARGUMENT: headrace is not a file; a plugin is a shared library (.so)");
  EXPECT_EQ(LoadError("DEPS"),
            "INVALID_ARGUMENT: DEPS is not a shared library (it has no ELF header); a plugin is a .so file");
  EXPECT_EQ(LoadError(Fake("no_entry")), "INVALID_ARGUMENT: " + Fake("no_entry") +
                                             " is a shared library but not a PJRT plugin: it has no function "
                                             "GetPjrtApi");
  EXPECT_EQ(LoadError(Fake("no_table")),
            "INVALID_ARGUMENT: " + Fake("no_table") + ": its GetPjrtApi returned nothing");
  EXPECT_EQ(LoadError(Fake("too_short")), "INVALID_ARGUMENT: " + Fake("too_short") +
                                              ": its function table is 8 bytes, too short to hold a version");
}

TEST(Plugin, ATruncatedLibraryIsNoLibrary) {
  const std::string path = testing::TempDir() + "/truncated.so";
  std::ofstream(path, std::ios::binary) << "\x7f" << "ELF and then nothing";
  EXPECT_THAT(LoadError(path), HasSubstr("INVALID_ARGUMENT: cannot load " + path + ": "));
  std::filesystem::remove(path);
}

TEST(Plugin, RefusesAnApiThatIsTooOld) {
  EXPECT_EQ(LoadError(Fake("too_old")),
            "UNIMPLEMENTED: " + Fake("too_old") +
                " offers PJRT API 0.30; this program needs 0.81 or newer within 0.x");
}

TEST(Plugin, KeepsTheWordsOfOneThatWillNotStart) {
  EXPECT_EQ(LoadError(Fake("refuses")),
            "FAILED_PRECONDITION: initializing the plugin " + Fake("refuses") + ": the driver is missing");
}

TEST(Plugin, AClientNeedsADevice) {
  auto plugin = Plugin::Load(Fake("no_devices"));
  ASSERT_TRUE(plugin.ok()) << plugin.status().ToString();
  EXPECT_THAT(Client::Create(**plugin).status().message(),
              EndsWith("runs but has no device for this process"));
}

TEST(FindPlugin, LooksInEveryFolder) {
  EXPECT_EQ(*FindPlugin("cpu", {{"nowhere", ".deps/pjrt"}}), kCpu);
  EXPECT_EQ(*FindPlugin("cpu", {{".deps/pjrt/cpu"}}), kCpu);
  EXPECT_EQ(*FindPlugin("./my_plugin.so", {}), "./my_plugin.so");
  EXPECT_EQ(*FindPlugin("my_plugin.so", {}), "my_plugin.so");
}

TEST(FindPlugin, SaysWhereItLookedAndWhatToDo) {
  EXPECT_EQ(FindPlugin("cuda", {{"a", "b"}}).status().ToString(),
            "NOT_FOUND: found no plugin for 'cuda': looked for xla_cuda_plugin.so and "
            "pjrt_c_api_gpu_plugin.so in a, "
            "a/cuda, b, b/cuda; it ships in the Python packages jax-cuda13-pjrt and jax-cuda12-pjrt. Put it "
            "into one "
            "of these folders, or name its path in place of 'cuda'");
  EXPECT_EQ(
      FindPlugin("abacus", {}).status().ToString(),
      "INVALID_ARGUMENT: 'abacus' is no device; use cpu, cuda, tpu, or the path of a PJRT plugin (.so)");
}

}  // namespace
}  // namespace headrace::runtime
