// FaultShim: a plugin with faults at will. It wraps the function table of a real one; what is not asked to
// fail passes through.
//
// For tests of this and other modules. One FaultShim lives at a time, since the C API's functions carry no
// context of their own; everything made through it must be gone before the next one is made. Safe to use from
// any thread. It is part of this library because the linker takes it in only where it is used.
//
//   FaultShim shim(*plugin);
//   HR_TRY(auto client, Client::Create(shim.plugin()));
//   shim.FailCall("PJRT_Client_Compile", 2, Code::kResourceExhausted, "out of patience");    // the second
//   from now on
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/runtime/plugin.h"

namespace headrace::runtime {

class FaultShim {
 public:
  explicit FaultShim(const Plugin& inner);
  ~FaultShim();  // passes everything through from now on
  FaultShim(const FaultShim&) = delete;
  FaultShim& operator=(const FaultShim&) = delete;

  // The plugin to make clients of. Good for the life of the process.
  const Plugin& plugin() const;

  // Functions are named as in the C API; one that it does not have is a bug of the test.
  //
  // The `call`-th call from now (1 is the next) returns this error instead of reaching the plugin. To fail
  // the work and not the call, fail PJRT_Event_Await.
  void FailCall(std::string_view function, int64_t call, Code code, std::string message);
  // Every call waits first.
  void Delay(std::string_view function, std::chrono::microseconds delay);
  // Buffers made from host memory may take this much together; the one that would exceed it is
  // kResourceExhausted.
  void LimitHostBuffers(int64_t bytes);
  // How often it was called since the shim was made, calls that failed included.
  int64_t Calls(std::string_view function) const;
  // The bytes of live buffers made from host memory.
  int64_t host_buffer_bytes() const;
  // The serialized options of every compilation, in order.
  std::vector<std::string> compile_options() const;
};

}  // namespace headrace::runtime
