// Plugin: a shared library that offers the PJRT C API, loaded and checked.
//
// A plugin stays loaded until the process ends, so `const Plugin*` never dangles; loading one path twice
// gives the same Plugin. Safe to use from any thread. Plugins read the environment when they load (XLA_FLAGS,
// TF_CPP_MIN_LOG_LEVEL), so set it before.
//
//   HR_TRY(std::string path, FindPlugin("cpu", {".deps/pjrt"}));
//   HR_TRY(const Plugin* plugin, Plugin::Load(path));
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/runtime/named_value.h"

struct PJRT_Api;

namespace headrace::runtime {

namespace internal {
class Api;
}

class Plugin {
 public:
  // Loads, checks and initializes the library at `path`. kNotFound: no such file. kInvalidArgument: not a
  // shared library, or one that is no PJRT plugin. kUnimplemented: its API is older than this module drives.
  static Result<const Plugin*> Load(const std::string& path);

  // A Plugin over a table of functions that is already there and outlives the process's use of it, such as
  // the fault shim's. `path` is what messages call it.
  static Result<const Plugin*> FromTable(const PJRT_Api* table, std::string path);

  ~Plugin();

  const std::string& path() const { return path_; }

  struct Version {
    int major = 0;
    int minor = 0;
  };
  Version api_version() const;

  // Whether its table holds a function ("PJRT_Executable_GetCostAnalysis"). One that is there may still
  // answer that it is unimplemented.
  bool Offers(std::string_view function) const;
  // The PJRT_Extension_Type numbers of its extensions, in the order of its list.
  std::vector<int> extensions() const;
  // What the plugin says of itself: xla_version, stablehlo_current_version and so on; empty where it says
  // nothing.
  const std::vector<NamedValue>& attributes() const { return attributes_; }

  const internal::Api& api() const { return *api_; }

 private:
  Plugin(const PJRT_Api* table, std::string path);
  Status Initialize();

  std::string path_;
  std::unique_ptr<internal::Api> api_;
  std::vector<NamedValue> attributes_;
};

// Where the plugin called `name` lies: "cpu", "cuda", "tpu", or itself a path (it has a '/' or ends in
// ".so"). Looks in each folder of `folders`, in order, for the file names under which that plugin is shipped,
// directly and in the folder's subfolder `name`. kNotFound lists what was looked for, where, and how to get
// it.
Result<std::string> FindPlugin(std::string_view name, std::span<const std::string> folders);

}  // namespace headrace::runtime
