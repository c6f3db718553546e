#include "headrace/runtime/device.h"

#include <pjrt_c_api.h>

#include "headrace/runtime/internal/api.h"
#include "headrace/runtime/internal/named_values.h"

namespace headrace::runtime {

using internal::Api;
using internal::Args;

Result<Device> Device::Describe(const Api& api, PJRT_Device* handle) {
  Device device;
  device.api_ = &api;
  device.handle_ = handle;

  Args<PJRT_Device_IsAddressable_Args> addressable;
  addressable.device = handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Device_IsAddressable, addressable));
  device.addressable_ = addressable.is_addressable;

  Args<PJRT_Device_GetDescription_Args> get;
  get.device = handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Device_GetDescription, get));
  PJRT_DeviceDescription* description = get.device_description;

  Args<PJRT_DeviceDescription_Id_Args> id;
  id.device_description = description;
  HR_TRY(api.Call(&PJRT_Api::PJRT_DeviceDescription_Id, id));
  device.id_ = id.id;

  Args<PJRT_DeviceDescription_ProcessIndex_Args> process;
  process.device_description = description;
  HR_TRY(api.Call(&PJRT_Api::PJRT_DeviceDescription_ProcessIndex, process));
  device.process_index_ = process.process_index;

  Args<PJRT_DeviceDescription_Kind_Args> kind;
  kind.device_description = description;
  HR_TRY(api.Call(&PJRT_Api::PJRT_DeviceDescription_Kind, kind));
  device.kind_.assign(kind.device_kind, kind.device_kind_size);

  Args<PJRT_DeviceDescription_ToString_Args> text;
  text.device_description = description;
  HR_TRY(api.Call(&PJRT_Api::PJRT_DeviceDescription_ToString, text));
  device.description_.assign(text.to_string, text.to_string_size);

  Args<PJRT_DeviceDescription_Attributes_Args> attributes;
  attributes.device_description = description;
  HR_TRY(api.Call(&PJRT_Api::PJRT_DeviceDescription_Attributes, attributes));
  device.attributes_ = internal::Copy(attributes.attributes, attributes.num_attributes);
  return device;
}

Result<MemoryStats> Device::Memory() const {
  Args<PJRT_Device_MemoryStats_Args> args;
  args.device = handle_;
  HR_TRY(api_->Call(&PJRT_Api::PJRT_Device_MemoryStats, args).Context("memory of {}", description_));
  auto known = [](bool is_set, int64_t value) { return is_set ? std::optional(value) : std::nullopt; };
  return MemoryStats{
      .in_use = args.bytes_in_use,
      .peak_in_use = known(args.peak_bytes_in_use_is_set, args.peak_bytes_in_use),
      .limit = known(args.bytes_limit_is_set, args.bytes_limit),
      .largest_free_block = known(args.largest_free_block_bytes_is_set, args.largest_free_block_bytes),
  };
}

}  // namespace headrace::runtime
