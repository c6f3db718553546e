// Custom calls: native functions that a program calls by name (stablehlo.custom_call, api_version 4), through
// XLA's typed FFI.
//
// Handlers belong to a plugin, not to a client, stay registered for the life of the process, and must be
// there before a program that calls them is compiled. A handler runs on the plugin's threads and must not
// throw. It is made with the macros of xla/ffi/api/ffi.h, which also answer the plugin's question for its
// version:
//
//   XLA_FFI_DEFINE_HANDLER(scale, Scale, xla::ffi::Ffi::Bind().Arg<...>().Ret<...>());
//   HR_TRY(RegisterCustomCall(*plugin, {.target = "scale", .handler = scale}));
#pragma once

#include <cstdint>
#include <string>

#include "headrace/core/status.h"
#include "headrace/runtime/plugin.h"

struct XLA_FFI_CallFrame;
struct XLA_FFI_Error;

namespace headrace::runtime {

struct CustomCall {
  std::string target;  // the name in the program
  std::string platform = "Host";
  XLA_FFI_Error* (*handler)(XLA_FFI_CallFrame*) = nullptr;
  uint32_t traits = 0;  // XLA_FFI_Handler_TraitsBits
};

// Registering the same handler again is fine. kAlreadyExists: the name has another handler. kUnimplemented:
// the plugin takes no custom calls. A plugin that is older than the handler's headers may take it and
// silently drop it; compiling a program that calls it is then kNotFound, with its name.
Status RegisterCustomCall(const Plugin& plugin, const CustomCall& call);

}  // namespace headrace::runtime
