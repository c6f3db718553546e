#include "headrace/runtime/event.h"

#include <pjrt_c_api.h>

#include <utility>

#include "headrace/runtime/internal/client_state.h"

namespace headrace::runtime {

using internal::Args;

Event::Event(std::shared_ptr<const internal::ClientState> client, PJRT_Event* handle)
    : client_(std::move(client)), handle_(handle) {}

Event::~Event() {
  if (handle_ == nullptr) return;
  Args<PJRT_Event_Destroy_Args> args;
  args.event = handle_;
  client_->api.CallAndForget(&PJRT_Api::PJRT_Event_Destroy, args);
}

Event::Event(Event&& other) noexcept
    : client_(std::move(other.client_)), handle_(std::exchange(other.handle_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(client_, other.client_);
  std::swap(handle_, other.handle_);
  return *this;
}

bool Event::IsReady() const {
  if (handle_ == nullptr) return true;
  Args<PJRT_Event_IsReady_Args> args;
  args.event = handle_;
  // An event that cannot be asked is left to Wait, which says why.
  return !client_->api.Call(&PJRT_Api::PJRT_Event_IsReady, args).ok() || args.is_ready;
}

Status Event::Wait() const {
  if (handle_ == nullptr) return Ok();
  Args<PJRT_Event_Await_Args> args;
  args.event = handle_;
  return client_->api.Call(&PJRT_Api::PJRT_Event_Await, args);
}

}  // namespace headrace::runtime
