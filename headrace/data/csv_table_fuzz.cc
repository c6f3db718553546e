// Any bytes are a table or an error, with every layout.
#include <cstdint>
#include <string_view>

#include "headrace/core/check.h"
#include "headrace/data/csv_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using headrace::data::CsvHeader;
  using headrace::data::CsvLayout;
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  CsvLayout layout{.header = static_cast<CsvHeader>(data[0] % 3), .delimiter = data[0] & 64 ? ';' : ','};
  if (data[0] & 128) layout.label = "-1";
  const auto table = headrace::data::ParseCsvTable(text, "fuzz", layout);
  if (!table.ok()) return 0;
  HR_CHECK(table->features.shape()[0] == static_cast<int64_t>(table->lines.size()));
  HR_CHECK(table->labels.has_value() == layout.label.has_value());
  return 0;
}
