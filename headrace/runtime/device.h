// Device: one device of a Client. Owned by the Client's state, which every buffer and executable keeps alive,
// so a `const Device*` taken from any of them is good for as long as that thing lives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/runtime/named_value.h"

struct PJRT_Client;
struct PJRT_Device;

namespace headrace::runtime {

namespace internal {
class Api;
}

// Bytes; what the plugin does not say is absent.
struct MemoryStats {
  int64_t in_use = 0;
  std::optional<int64_t> peak_in_use;
  std::optional<int64_t> limit;
  std::optional<int64_t> largest_free_block;
};

class Device {
 public:
  int id() const { return id_; }                                   // unique over all processes
  int process_index() const { return process_index_; }             // the process that it belongs to
  bool addressable() const { return addressable_; }                // whether this process can use it
  const std::string& kind() const { return kind_; }                // "TPU v5e", "NVIDIA H200", "cpu"
  const std::string& description() const { return description_; }  // the plugin's own line about it
  const std::vector<NamedValue>& attributes() const { return attributes_; }

  // kUnimplemented where the plugin keeps no account (CPU).
  Result<MemoryStats> Memory() const;

  // For this module.
  static Result<Device> Describe(const internal::Api& api, PJRT_Device* handle);
  PJRT_Device* handle() const { return handle_; }

 private:
  const internal::Api* api_ = nullptr;
  PJRT_Device* handle_ = nullptr;
  int id_ = 0;
  int process_index_ = 0;
  bool addressable_ = false;
  std::string kind_;
  std::string description_;
  std::vector<NamedValue> attributes_;
};

}  // namespace headrace::runtime
