// NamedValue: an option or attribute of a plugin, as PJRT passes them around.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace headrace::runtime {

struct NamedValue {
  std::string name;
  std::variant<std::string, int64_t, std::vector<int64_t>, float, bool> value;

  // "cpu_device_count=4"
  std::string ToString() const;
  bool operator==(const NamedValue&) const = default;
};

}  // namespace headrace::runtime
