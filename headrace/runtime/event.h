// Event: work that a device has been asked to do and may not have done yet.
//
// Owns its handle and keeps the client alive. Dropping an Event does not cancel the work. Safe to wait on
// from any thread; moving it is not thread-safe.
#pragma once

#include <memory>

#include "headrace/core/status.h"

struct PJRT_Event;

namespace headrace::runtime {

namespace internal {
struct ClientState;
}

class Event {
 public:
  Event() = default;  // done, without error
  Event(std::shared_ptr<const internal::ClientState> client, PJRT_Event* handle);
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;

  // Whether the work is over, well or badly; never blocks.
  bool IsReady() const;
  // Blocks until the work is over, and says how it went, in the plugin's words. May be called again.
  Status Wait() const;

 private:
  std::shared_ptr<const internal::ClientState> client_;
  PJRT_Event* handle_ = nullptr;
};

}  // namespace headrace::runtime
