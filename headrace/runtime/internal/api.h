// Api: the function table of one plugin, called with Status at the edge. Private to runtime.
//
// pjrt_c_api.h is included only by .cc files; this header makes do with forward declarations, and its
// templates are instantiated where the real types are known.
//
//   Args<PJRT_Buffer_Delete_Args> args;      // zeroed, struct_size filled in
//   args.buffer = buffer;
//   HR_TRY(api.Call(&PJRT_Api::PJRT_Buffer_Delete, args));
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "headrace/core/status.h"

struct PJRT_Api;
struct PJRT_Error;

namespace headrace::runtime::internal {

// The argument struct of a PJRT function, as the C API wants it: all zero but its own size.
template <class T>
struct Args : T {
  Args() : T{} { this->struct_size = sizeof(T); }
};

// The number in an enum that a plugin filled in. A newer plugin may answer what this header does not list,
// which must not be read as the enum.
template <class Enum>
int NumberOf(const Enum& answer) {
  static_assert(sizeof(Enum) == sizeof(int));
  int number = 0;
  std::memcpy(&number, &answer, sizeof(number));
  return number;
}

class Api {
 public:
  // `table` lives as long as the process. `plugin` is what messages call it by.
  Api(const PJRT_Api* table, std::string plugin);
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  const PJRT_Api* table() const { return table_; }
  const std::string& plugin() const { return plugin_; }

  // Calls one function; an error keeps the plugin's code and text. A function that this plugin does not have
  // is kUnimplemented, by name.
  template <class A>
  Status Call(PJRT_Error* (*PJRT_Api::*function)(A*), std::type_identity_t<A>& args) const {
    const size_t offset = OffsetOf(&(table_->*function));
    if (!Has(offset)) return NotOffered(offset);
    try {
      PJRT_Error* error = (table_->*function)(&args);
      return error == nullptr ? Ok() : TakeError(error);
    } catch (const std::exception& thrown) {  // the C API forbids it, and plugins do it
      return Threw(offset, thrown.what());
    }
  }

  // Calls a function whose only error would be a bug of ours or of the plugin, such as destroying a handle:
  // drops the error.
  template <class A>
  void CallAndForget(PJRT_Error* (*PJRT_Api::*function)(A*), std::type_identity_t<A>& args) const {
    (void)Call(function, args);
  }

  // Whether the table holds the function at this offset.
  bool Has(size_t offset) const;
  // Whether it holds the function of this name ("PJRT_Compile").
  bool Has(std::string_view function) const;

  // The PJRT_Extension_Type of each extension, in the order of the plugin's list.
  std::vector<int> ExtensionTypes() const;
  // The extension of this PJRT_Extension_Type, or null.
  const void* FindExtension(int type) const;

  // Turns an error into a Status and frees it.
  Status TakeError(PJRT_Error* error) const;

 private:
  size_t OffsetOf(const void* member) const {
    return static_cast<size_t>(static_cast<const char*>(member) - reinterpret_cast<const char*>(table_));
  }
  Status NotOffered(size_t offset) const;
  Status Threw(size_t offset, const char* what) const;

  const PJRT_Api* table_;
  std::string plugin_;
};

}  // namespace headrace::runtime::internal
