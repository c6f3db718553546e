// Templates: the example runs that come inside the program, for `headrace init`. Each is a file of examples/,
// embedded when Headrace is built; the comment that it begins with says what it is.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "headrace/core/log.h"
#include "headrace/core/status.h"

namespace headrace::run {

struct Template {
  std::string_view name;  // "mnist"
  std::string_view text;  // the YAML

  std::string_view Summary() const;  // the first line of its comment
};

// In alphabetical order.
std::span<const Template> Templates();

struct InitOptions {
  std::string name;          // of the template
  std::string folder = ".";  // where to write
  bool force = false;        // overwrite the file of an earlier time
};

// Writes NAME.yaml and fetches the data that it reads, where those come from a package. Tells `logger` what
// it does. kInvalidArgument: no such template; lists them. kAlreadyExists: there is a different NAME.yaml.
Status Init(const InitOptions& options, const Logger& logger);

}  // namespace headrace::run
