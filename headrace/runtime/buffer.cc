#include "headrace/runtime/buffer.h"

#include <pjrt_c_api.h>

#include <numeric>
#include <utility>
#include <vector>

#include "headrace/runtime/internal/client_state.h"

namespace headrace::runtime {

using internal::Args;

HostCopy::~HostCopy() { (void)copied_.Wait(); }

HostCopy& HostCopy::operator=(HostCopy&& other) noexcept {
  std::swap(tensor_, other.tensor_);
  std::swap(copied_, other.copied_);
  return *this;
}

Result<HostTensor> HostCopy::Wait() && {
  HR_TRY(copied_.Wait().Context("copying {} to the host", tensor_.type().ToString()));
  return std::move(tensor_);
}

Buffer::Buffer(std::shared_ptr<const internal::ClientState> client, PJRT_Buffer* handle, const Device* device,
               std::shared_ptr<const TensorType> type)
    : client_(std::move(client)), handle_(handle), device_(device), type_(std::move(type)) {}

Buffer::~Buffer() { Destroy(); }

Buffer::Buffer(Buffer&& other) noexcept
    : client_(std::move(other.client_)),
      handle_(std::exchange(other.handle_, nullptr)),
      device_(other.device_),
      type_(std::move(other.type_)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this == &other) return *this;
  Destroy();  // at once: the old value's memory may be what the next step needs
  client_ = std::move(other.client_);
  handle_ = std::exchange(other.handle_, nullptr);
  device_ = other.device_;
  type_ = std::move(other.type_);
  return *this;
}

void Buffer::Destroy() {
  if (handle_ == nullptr) return;
  Args<PJRT_Buffer_Destroy_Args> args;
  args.buffer = std::exchange(handle_, nullptr);
  client_->api.CallAndForget(&PJRT_Api::PJRT_Buffer_Destroy, args);
}

Status Buffer::RequireData(std::string_view wish) const {
  if (!IsDeleted()) return Ok();
  return InvalidArgument("a buffer of {} on {} cannot be {}: it was deleted, or donated to an execution",
                         type_->ToString(), device_->description(), wish);
}

Result<HostTensor> Buffer::ToHost() const {
  HR_TRY(HostCopy copy, ToHostAsync());
  return std::move(copy).Wait();
}

Result<HostCopy> Buffer::ToHostAsync() const {
  HR_TRY(RequireData("copied to the host"));
  // Row-major, whatever layout the device chose.
  std::vector<int64_t> minor_to_major(type_->shape.dims().size());
  std::iota(minor_to_major.rbegin(), minor_to_major.rend(), 0);
  Args<PJRT_Buffer_MemoryLayout> layout;
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled = Args<PJRT_Buffer_MemoryLayout_Tiled>();
  layout.tiled.minor_to_major = minor_to_major.data();
  layout.tiled.minor_to_major_size = minor_to_major.size();

  HostTensor tensor = HostTensor::Uninitialized(*type_);
  Args<PJRT_Buffer_ToHostBuffer_Args> args;
  args.src = handle_;
  args.host_layout = &layout;
  args.dst = tensor.mutable_bytes().data();
  args.dst_size = tensor.bytes().size();
  HR_TRY(client_->api.Call(&PJRT_Api::PJRT_Buffer_ToHostBuffer, args)
             .Context("copying {} from {}", type_->ToString(), device_->description()));
  return HostCopy(std::move(tensor), Event(client_, args.event));
}

Result<Buffer> Buffer::ToDevice(const Device& device) const {
  HR_TRY(RequireData("copied to another device"));
  Args<PJRT_Buffer_CopyToDevice_Args> args;
  args.buffer = handle_;
  args.dst_device = device.handle();
  HR_TRY(client_->api.Call(&PJRT_Api::PJRT_Buffer_CopyToDevice, args)
             .Context("copying {} from {} to {}", type_->ToString(), device_->description(),
                      device.description()));
  return Buffer(client_, args.dst_buffer, client_->Find(device.handle()), type_);
}

Result<Event> Buffer::Ready() const {
  Args<PJRT_Buffer_ReadyEvent_Args> args;
  args.buffer = handle_;
  HR_TRY(client_->api.Call(&PJRT_Api::PJRT_Buffer_ReadyEvent, args));
  return Event(client_, args.event);
}

Status Buffer::Wait() const {
  HR_TRY(Event ready, Ready());
  return ready.Wait();
}

void Buffer::Delete() {
  Args<PJRT_Buffer_Delete_Args> args;
  args.buffer = handle_;
  client_->api.CallAndForget(&PJRT_Api::PJRT_Buffer_Delete, args);
}

bool Buffer::IsDeleted() const {
  if (handle_ == nullptr) return true;
  Args<PJRT_Buffer_IsDeleted_Args> args;
  args.buffer = handle_;
  return client_->api.Call(&PJRT_Api::PJRT_Buffer_IsDeleted, args).ok() && args.is_deleted;
}

}  // namespace headrace::runtime
