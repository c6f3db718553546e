// Buffer: an array in the memory of one device. HostCopy: one on its way back to the host.
//
// A Buffer owns its device memory, is move-only, and keeps the client alive. Everything about it is
// asynchronous: it may exist before the work that fills it is done, and an error of that work comes out of
// Wait, ToHost or HostCopy::Wait. A Buffer that was donated to an execution still exists but holds nothing.
// Reading one Buffer from several threads is safe; deleting, donating or moving it meanwhile is not.
//
//   HR_TRY(Buffer x, client->ToDevice(HostTensor::Of<float>({2}, {1, 2})));
//   HR_TRY(HostTensor back, x.ToHost());
#pragma once

#include <memory>
#include <string_view>

#include "headrace/core/status.h"
#include "headrace/runtime/device.h"
#include "headrace/runtime/event.h"
#include "headrace/tensor/host_tensor.h"

struct PJRT_Buffer;

namespace headrace::runtime {

// A copy from a device to the host that has been started. Its destructor waits for a copy that nobody waited
// for, because the device is still writing to its memory.
class HostCopy {
 public:
  HostCopy(HostTensor tensor, Event copied) : tensor_(std::move(tensor)), copied_(std::move(copied)) {}
  ~HostCopy();
  HostCopy(HostCopy&&) noexcept = default;
  HostCopy& operator=(HostCopy&& other) noexcept;

  bool IsReady() const { return copied_.IsReady(); }
  // The tensor, or the error of the copy or of what should have filled the buffer. Call once.
  Result<HostTensor> Wait() &&;

 private:
  HostTensor tensor_;
  Event copied_;
};

class Buffer {
 public:
  // For this module: takes over `handle`.
  Buffer(std::shared_ptr<const internal::ClientState> client, PJRT_Buffer* handle, const Device* device,
         std::shared_ptr<const TensorType> type);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  const TensorType& type() const { return *type_; }
  const Device& device() const { return *device_; }

  // Blocks for the data.
  Result<HostTensor> ToHost() const;
  // Starts the copy; the buffer may be deleted or donated once this returns.
  Result<HostCopy> ToHostAsync() const;
  // A copy on another device of the same client.
  Result<Buffer> ToDevice(const Device& device) const;

  // Ready once the data is there.
  Result<Event> Ready() const;
  Status Wait() const;

  // Frees the device memory as soon as work that is under way lets go of it. Twice is fine.
  void Delete();
  // Whether it holds nothing: deleted, or donated to an execution.
  bool IsDeleted() const;

  // For this module.
  PJRT_Buffer* handle() const { return handle_; }

 private:
  void Destroy();
  Status RequireData(std::string_view wish) const;

  std::shared_ptr<const internal::ClientState> client_;
  PJRT_Buffer* handle_ = nullptr;
  const Device* device_ = nullptr;
  std::shared_ptr<const TensorType> type_;
};

}  // namespace headrace::runtime
