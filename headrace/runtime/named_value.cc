#include "headrace/runtime/named_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pjrt_c_api.h>

#include <type_traits>

#include "headrace/runtime/internal/named_values.h"

namespace headrace::runtime {

std::string NamedValue::ToString() const {
  return std::visit([this](const auto& v) { return fmt::format("{}={}", name, v); }, value);
}

namespace internal {
namespace {

PJRT_NamedValue Borrow(const NamedValue& from) {
  Args<PJRT_NamedValue> to;
  to.name = from.name.data();
  to.name_size = from.name.size();
  to.value_size = 1;
  std::visit(
      [&to]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, std::string>) {
          to.type = PJRT_NamedValue_kString;
          to.string_value = value.data();
          to.value_size = value.size();
        } else if constexpr (std::is_same_v<T, int64_t>) {
          to.type = PJRT_NamedValue_kInt64;
          to.int64_value = value;
        } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
          to.type = PJRT_NamedValue_kInt64List;
          to.int64_array_value = value.data();
          to.value_size = value.size();
        } else if constexpr (std::is_same_v<T, float>) {
          to.type = PJRT_NamedValue_kFloat;
          to.float_value = value;
        } else {
          to.type = PJRT_NamedValue_kBool;
          to.bool_value = value;
        }
      },
      from.value);
  return to;
}

}  // namespace

std::vector<PJRT_NamedValue> Borrow(std::span<const NamedValue> values) {
  std::vector<PJRT_NamedValue> borrowed;
  borrowed.reserve(values.size());
  for (const NamedValue& value : values) borrowed.push_back(Borrow(value));
  return borrowed;
}

std::vector<NamedValue> Copy(const PJRT_NamedValue* values, size_t count) {
  std::vector<NamedValue> copies;
  copies.reserve(count);
  for (const PJRT_NamedValue& from : std::span(values, count)) {
    NamedValue& to = copies.emplace_back();
    to.name.assign(from.name, from.name_size);
    switch (NumberOf(from.type)) {
      case PJRT_NamedValue_kString:
        to.value = std::string(from.string_value, from.value_size);
        break;
      case PJRT_NamedValue_kInt64:
        to.value = from.int64_value;
        break;
      case PJRT_NamedValue_kInt64List:
        to.value = std::vector<int64_t>(from.int64_array_value, from.int64_array_value + from.value_size);
        break;
      case PJRT_NamedValue_kFloat:
        to.value = from.float_value;
        break;
      case PJRT_NamedValue_kBool:
        to.value = from.bool_value;
        break;
      default:  // a kind from a newer API
        copies.pop_back();
    }
  }
  return copies;
}

}  // namespace internal
}  // namespace headrace::runtime
