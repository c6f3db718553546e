// ClientState: what a Client, its buffers, events and executables share, and keep alive together. Private to
// runtime.
#pragma once

#include <string>
#include <vector>

#include "headrace/runtime/device.h"
#include "headrace/runtime/internal/api.h"

namespace headrace::runtime::internal {

struct ClientState {
  explicit ClientState(const Api& api) : api(api) {}
  ~ClientState();
  ClientState(const ClientState&) = delete;
  ClientState& operator=(const ClientState&) = delete;

  // The Device of a handle that this client gave out.
  const Device* Find(PJRT_Device* handle) const;

  const Api& api;
  PJRT_Client* handle = nullptr;
  std::string platform_name;
  std::string platform_version;
  int process_index = 0;
  std::vector<Device> devices;             // in the plugin's order, all processes
  std::vector<const Device*> addressable;  // those of this process
};

}  // namespace headrace::runtime::internal
