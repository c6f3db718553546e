#include "headrace/runtime/internal/api.h"

#include <pjrt_c_api.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "headrace/runtime/internal/functions.h"

namespace headrace::runtime::internal {
namespace {

#define HR_PJRT_OFFSET_(function) offsetof(PJRT_Api, function),
constexpr size_t kOffsets[] = {HR_PJRT_FUNCTIONS(HR_PJRT_OFFSET_)};
#undef HR_PJRT_OFFSET_

std::string_view NameOf(size_t offset) {
  const auto* found = std::ranges::find(kOffsets, offset);
  return found == std::end(kOffsets) ? "a function" : kFunctions[found - std::begin(kOffsets)];
}

}  // namespace

Api::Api(const PJRT_Api* table, std::string plugin) : table_(table), plugin_(std::move(plugin)) {}

bool Api::Has(size_t offset) const {
  if (offset + sizeof(void*) > table_->struct_size) return false;
  void* function = nullptr;
  std::memcpy(&function, reinterpret_cast<const char*>(table_) + offset, sizeof(function));
  return function != nullptr;
}

bool Api::Has(std::string_view function) const {
  const size_t index = IndexOf(function);
  return index < std::size(kOffsets) && Has(kOffsets[index]);
}

std::vector<int> Api::ExtensionTypes() const {
  std::vector<int> types;
  for (auto* extension = table_->extension_start; extension != nullptr; extension = extension->next) {
    types.push_back(NumberOf(extension->type));
  }
  return types;
}

const void* Api::FindExtension(int type) const {
  for (auto* extension = table_->extension_start; extension != nullptr; extension = extension->next) {
    if (NumberOf(extension->type) == type) return extension;
  }
  return nullptr;
}

Status Api::TakeError(PJRT_Error* error) const {
  Args<PJRT_Error_GetCode_Args> code;
  code.error = error;
  if (PJRT_Error* second = table_->PJRT_Error_GetCode(&code); second != nullptr) {
    Args<PJRT_Error_Destroy_Args> destroy;
    destroy.error = second;
    table_->PJRT_Error_Destroy(&destroy);
    code.code = PJRT_Error_Code_UNKNOWN;
  }
  Args<PJRT_Error_Message_Args> message;
  message.error = error;
  table_->PJRT_Error_Message(&message);
  std::string text(message.message, message.message_size);
  Args<PJRT_Error_Destroy_Args> destroy;
  destroy.error = error;
  table_->PJRT_Error_Destroy(&destroy);
  const int number = NumberOf(code.code);
  const bool known = number > PJRT_Error_Code_OK && number <= PJRT_Error_Code_UNAUTHENTICATED;
  return Status(known ? static_cast<Code>(number) : Code::kUnknown, std::move(text));
}

Status Api::NotOffered(size_t offset) const {
  return Error(Code::kUnimplemented, "the plugin {} (PJRT API {}.{}) does not offer {}", plugin_,
               table_->pjrt_api_version.major_version, table_->pjrt_api_version.minor_version,
               NameOf(offset));
}

Status Api::Threw(size_t offset, const char* what) const {
  return Error(Code::kInternal, "the plugin {} threw an exception out of {}: {}", plugin_, NameOf(offset),
               what);
}

}  // namespace headrace::runtime::internal
