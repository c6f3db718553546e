#include "headrace/runtime/client.h"

#include <pjrt_c_api.h>

#include <tuple>

#include "headrace/runtime/internal/client_state.h"
#include "headrace/runtime/internal/element_type.h"
#include "headrace/runtime/internal/named_values.h"

namespace headrace::runtime {

using internal::Api;
using internal::Args;
using internal::ClientState;

namespace internal {

ClientState::~ClientState() {
  if (handle == nullptr) return;
  Args<PJRT_Client_Destroy_Args> args;
  args.client = handle;
  api.CallAndForget(&PJRT_Api::PJRT_Client_Destroy, args);
}

const Device* ClientState::Find(PJRT_Device* device) const {
  for (const Device& known : devices) {
    if (known.handle() == device) return &known;
  }
  return nullptr;
}

}  // namespace internal

namespace {

Status Describe(ClientState& client) {
  const Api& api = client.api;
  Args<PJRT_Client_PlatformName_Args> name;
  name.client = client.handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Client_PlatformName, name));
  client.platform_name.assign(name.platform_name, name.platform_name_size);

  Args<PJRT_Client_PlatformVersion_Args> version;
  version.client = client.handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Client_PlatformVersion, version));
  client.platform_version.assign(version.platform_version, version.platform_version_size);

  Args<PJRT_Client_ProcessIndex_Args> process;
  process.client = client.handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Client_ProcessIndex, process));
  client.process_index = process.process_index;

  Args<PJRT_Client_Devices_Args> devices;
  devices.client = client.handle;
  HR_TRY(api.Call(&PJRT_Api::PJRT_Client_Devices, devices));
  client.devices.reserve(devices.num_devices);
  for (PJRT_Device* handle : std::span(devices.devices, devices.num_devices)) {
    HR_TRY(Device device, Device::Describe(api, handle));
    client.devices.push_back(std::move(device));
  }
  for (const Device& device : client.devices) {
    if (device.addressable()) client.addressable.push_back(&device);
  }
  if (client.addressable.empty()) {
    return Error(Code::kFailedPrecondition, "the plugin {} runs but has no device for this process",
                 api.plugin());
  }
  return Ok();
}

// Keeps a tensor's bytes alive until the device lets go of them.
struct Lent {
  const Api& api;
  HostTensor tensor;
};

void Release(PJRT_Error* error, void* user_arg) {
  std::unique_ptr<Lent> lent(static_cast<Lent*>(user_arg));
  // An error of the transfer also reaches whoever waits for the buffer, so it is dropped here.
  if (error != nullptr) (void)lent->api.TakeError(error);
}

}  // namespace

Client::Client(const Plugin& plugin, std::shared_ptr<const ClientState> state)
    : plugin_(plugin), state_(std::move(state)) {}

Result<std::unique_ptr<Client>> Client::Create(const Plugin& plugin, std::span<const NamedValue> options) {
  auto state = std::make_shared<ClientState>(plugin.api());
  const std::vector<PJRT_NamedValue> borrowed = internal::Borrow(options);
  Args<PJRT_Client_Create_Args> args;
  args.create_options = borrowed.data();
  args.num_options = borrowed.size();
  HR_TRY(plugin.api()
             .Call(&PJRT_Api::PJRT_Client_Create, args)
             .Context("starting a client of the plugin {}", plugin.path()));
  state->handle = args.client;
  HR_TRY(Describe(*state).Context("asking the plugin {} for its devices", plugin.path()));
  return std::unique_ptr<Client>(new Client(plugin, std::move(state)));
}

const std::string& Client::platform_name() const { return state_->platform_name; }
const std::string& Client::platform_version() const { return state_->platform_version; }
int Client::process_index() const { return state_->process_index; }
std::span<const Device> Client::devices() const { return state_->devices; }
std::span<const Device* const> Client::addressable_devices() const { return state_->addressable; }

Result<Buffer> Client::ToDevice(const HostTensor& tensor) const {
  return ToDevice(tensor, *state_->addressable.front());
}

Result<Buffer> Client::ToDevice(const HostTensor& tensor, const Device& device) const {
  constexpr uintptr_t kAlignment = 64;
  const bool aligned = reinterpret_cast<uintptr_t>(tensor.bytes().data()) % kAlignment == 0;
  Args<PJRT_Client_BufferFromHostBuffer_Args> args;
  args.client = state_->handle;
  args.data = tensor.bytes().data();
  args.type = static_cast<PJRT_Buffer_Type>(internal::ToPjrt(tensor.dtype()));
  args.dims = tensor.shape().dims().data();
  args.num_dims = tensor.shape().dims().size();
  args.host_buffer_semantics = aligned ? PJRT_HostBufferSemantics_kImmutableZeroCopy
                                       : PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes;
  args.device = device.handle();
  HR_TRY(state_->api.Call(&PJRT_Api::PJRT_Client_BufferFromHostBuffer, args)
             .Context("moving {} to {}", tensor.type().ToString(), device.description()));
  Buffer buffer(state_, args.buffer, state_->Find(device.handle()),
                std::make_shared<const TensorType>(tensor.type()));

  Event released(state_, args.done_with_host_buffer);
  auto lent = std::make_unique<Lent>(state_->api, tensor);
  Args<PJRT_Event_OnReady_Args> on_ready;
  on_ready.event = args.done_with_host_buffer;
  on_ready.callback = Release;
  on_ready.user_arg = lent.get();
  if (Status status = state_->api.Call(&PJRT_Api::PJRT_Event_OnReady, on_ready); !status.ok()) {
    buffer.Delete();
    (void)released.Wait();  // nobody will tell us when the bytes are free, so wait for it
    return std::move(status).Context("moving {} to {}", tensor.type().ToString(), device.description());
  }
  std::ignore = lent.release();  // Release owns it now
  return buffer;
}

}  // namespace headrace::runtime
