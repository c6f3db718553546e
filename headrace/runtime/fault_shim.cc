#include "headrace/runtime/fault_shim.h"

#include <fmt/format.h>
#include <pjrt_c_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "headrace/runtime/internal/api.h"
#include "headrace/runtime/internal/element_type.h"
#include "headrace/runtime/internal/functions.h"

namespace headrace::runtime {
namespace {

using internal::IndexOf;

constexpr size_t kCount = std::size(internal::kFunctions);

// An error of the shim's own, handed out as a PJRT_Error.
struct ShimError {
  Code code;
  std::string message;
};

struct Rule {
  int64_t calls = 0;
  std::map<int64_t, ShimError> failures;  // by the number of the call
  std::chrono::microseconds delay{0};
};

// Everything is here and never destroyed: the hooks have no other way to it, and late calls still need it.
struct State {
  const PJRT_Api* inner = nullptr;
  std::mutex mutex;
  std::array<Rule, kCount> rules;
  std::unordered_set<const void*> errors;  // ShimErrors that are out
  int64_t limit = -1;
  int64_t host_bytes = 0;
  std::map<PJRT_Buffer*, int64_t> host_buffers;
  std::vector<std::string> compile_options;

  Rule& RuleOf(std::string_view function) {
    const size_t index = IndexOf(function);
    HR_CHECK(index < kCount);
    return rules[index];
  }
};

State& TheState() {
  static auto* state = new State;
  return *state;
}

// REQUIRES: the mutex is held
PJRT_Error* MakeError(ShimError error) {
  auto* made = new ShimError(std::move(error));
  TheState().errors.insert(made);
  return reinterpret_cast<PJRT_Error*>(made);
}

// Counts the call, waits, and says whether it fails.
PJRT_Error* Before(size_t function) {
  State& state = TheState();
  std::chrono::microseconds delay;
  PJRT_Error* error = nullptr;
  {
    std::lock_guard lock(state.mutex);
    Rule& rule = state.rules[function];
    delay = rule.delay;
    ++rule.calls;
    if (auto failure = rule.failures.extract(rule.calls); !failure.empty()) {
      error = MakeError(std::move(failure.mapped()));
    }
  }
  if (delay.count() > 0) std::this_thread::sleep_for(delay);
  return error;
}

// What the shim keeps account of, beside counting. Around: before the call, may fail it. Then: after it went
// well.
template <class Args>
PJRT_Error* Around(Args&) {
  return nullptr;
}
template <class Args>
void Then(Args&) {}

int64_t HostBytes(const PJRT_Client_BufferFromHostBuffer_Args& args) {
  const std::optional<DType> dtype = internal::FromPjrt(args.type);
  int64_t bytes = dtype ? ByteSize(*dtype) : 0;  // tensors are made of nothing else
  for (size_t i = 0; i < args.num_dims; ++i) bytes *= args.dims[i];
  return bytes;
}

template <>
PJRT_Error* Around(PJRT_Client_BufferFromHostBuffer_Args& args) {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  const int64_t bytes = HostBytes(args);
  if (state.limit < 0 || state.host_bytes + bytes <= state.limit) return nullptr;
  return MakeError({Code::kResourceExhausted, fmt::format("out of memory: {} bytes asked, {} of {} in use",
                                                          bytes, state.host_bytes, state.limit)});
}

template <>
void Then(PJRT_Client_BufferFromHostBuffer_Args& args) {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  state.host_buffers[args.buffer] = HostBytes(args);
  state.host_bytes += HostBytes(args);
}

void Forget(PJRT_Buffer* buffer) {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  if (auto found = state.host_buffers.extract(buffer); !found.empty()) state.host_bytes -= found.mapped();
}

template <>
PJRT_Error* Around(PJRT_Buffer_Destroy_Args& args) {
  Forget(args.buffer);
  return nullptr;
}

template <>
PJRT_Error* Around(PJRT_Buffer_Delete_Args& args) {
  Forget(args.buffer);
  return nullptr;
}

template <>
PJRT_Error* Around(PJRT_Client_Compile_Args& args) {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  state.compile_options.emplace_back(args.compile_options, args.compile_options_size);
  return nullptr;
}

// One hook for each function of the table.
template <auto Member, size_t Index>
struct Hook;

template <class Args, PJRT_Error* (*PJRT_Api::*Member)(Args*), size_t Index>
struct Hook<Member, Index> {
  static PJRT_Error* Call(Args* args) {
    if (PJRT_Error* error = Before(Index)) return error;
    if (PJRT_Error* error = Around(*args)) return error;
    PJRT_Error* error = (TheState().inner->*Member)(args);
    if (error == nullptr) Then(*args);
    return error;
  }
};

const ShimError* OurOwn(const PJRT_Error* error) {
  State& state = TheState();
  std::lock_guard lock(state.mutex);
  return state.errors.contains(error) ? reinterpret_cast<const ShimError*>(error) : nullptr;
}

void DestroyError(PJRT_Error_Destroy_Args* args) {
  const ShimError* ours = OurOwn(args->error);
  if (ours == nullptr) return TheState().inner->PJRT_Error_Destroy(args);
  std::lock_guard lock(TheState().mutex);
  TheState().errors.erase(ours);
  delete ours;
}

void ErrorMessage(PJRT_Error_Message_Args* args) {
  const ShimError* ours = OurOwn(args->error);
  if (ours == nullptr) return TheState().inner->PJRT_Error_Message(args);
  args->message = ours->message.data();
  args->message_size = ours->message.size();
}

PJRT_Error* ErrorCode(PJRT_Error_GetCode_Args* args) {
  const ShimError* ours = OurOwn(args->error);
  if (ours == nullptr) return TheState().inner->PJRT_Error_GetCode(args);
  args->code = static_cast<PJRT_Error_Code>(ours->code);
  return nullptr;
}

// The inner plugin's table with every function that it has replaced by its hook.
PJRT_Api MakeTable(const internal::Api& inner) {
  PJRT_Api table = {};
  table.struct_size = std::min(inner.table()->struct_size, sizeof(PJRT_Api));
  table.extension_start = inner.table()->extension_start;
  table.pjrt_api_version = inner.table()->pjrt_api_version;
#define HR_HOOK_(function)                                                \
  if (inner.Has(#function)) {                                             \
    table.function = Hook<&PJRT_Api::function, IndexOf(#function)>::Call; \
  }
  HR_PJRT_FUNCTIONS(HR_HOOK_)
#undef HR_HOOK_
  table.PJRT_Error_Destroy = DestroyError;
  table.PJRT_Error_Message = ErrorMessage;
  table.PJRT_Error_GetCode = ErrorCode;
  return table;
}

// The shimmed plugin of each real one that was ever wrapped.
const Plugin& Wrap(const Plugin& inner) {
  static auto* wrapped = new std::map<const Plugin*, const Plugin*>;
  const Plugin*& plugin = (*wrapped)[&inner];
  if (plugin == nullptr) {
    Result<const Plugin*> made =
        Plugin::FromTable(new PJRT_Api(MakeTable(inner.api())), inner.path() + " (fault shim)");
    HR_CHECK(made.ok());  // it has been initialized before
    plugin = *made;
  }
  return *plugin;
}

const Plugin* current = nullptr;

}  // namespace

FaultShim::FaultShim(const Plugin& inner) {
  HR_CHECK(current == nullptr);
  TheState().inner = inner.api().table();
  current = &Wrap(inner);
  std::lock_guard lock(TheState().mutex);
  TheState().rules = {};
  TheState().compile_options.clear();
}

FaultShim::~FaultShim() {
  current = nullptr;
  std::lock_guard lock(TheState().mutex);
  TheState().rules = {};
  TheState().limit = -1;
}

const Plugin& FaultShim::plugin() const { return *current; }

void FaultShim::FailCall(std::string_view function, int64_t call, Code code, std::string message) {
  HR_CHECK(call >= 1 && code != Code::kOk);
  std::lock_guard lock(TheState().mutex);
  Rule& rule = TheState().RuleOf(function);
  rule.failures[rule.calls + call] = {code, std::move(message)};
}

void FaultShim::Delay(std::string_view function, std::chrono::microseconds delay) {
  std::lock_guard lock(TheState().mutex);
  TheState().RuleOf(function).delay = delay;
}

void FaultShim::LimitHostBuffers(int64_t bytes) {
  std::lock_guard lock(TheState().mutex);
  TheState().limit = bytes;
}

int64_t FaultShim::Calls(std::string_view function) const {
  std::lock_guard lock(TheState().mutex);
  return TheState().RuleOf(function).calls;
}

int64_t FaultShim::host_buffer_bytes() const {
  std::lock_guard lock(TheState().mutex);
  return TheState().host_bytes;
}

std::vector<std::string> FaultShim::compile_options() const {
  std::lock_guard lock(TheState().mutex);
  return TheState().compile_options;
}

}  // namespace headrace::runtime
