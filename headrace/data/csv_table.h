// ParseCsvTable: a table of numbers from CSV text.
//
// A row is a line, its end LF or CR LF; blank lines are skipped, and a byte order mark at the start is too.
// Cells are finite numbers, with or without spaces or double quotes around them. Every row has the cells of
// the first. Errors name the row as an editor counts lines, from 1, and the column from 1. A pure function.
//
//   HR_TRY(CsvTable table, ParseCsvTable(text, "iris.csv", {.label = "-1"}));
//   std::span<const float> first = table.features.data<float>().first(table.features.shape()[1]);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::data {

enum class CsvHeader {
  kAuto,  // row 1 holds names if none of its cells is a number
  kYes,
  kNo,
};

struct CsvLayout {
  // The column of the labels: an index from 0, one from the end (-1 is the last), or a name in the header.
  std::optional<std::string> label{};
  CsvHeader header = CsvHeader::kAuto;
  char delimiter = ',';
};

struct CsvTable {
  std::vector<std::string> header;   // empty if there is none
  HostTensor features;               // f32 [rows, columns but the label]
  std::optional<HostTensor> labels;  // i32 [rows]
  std::vector<int64_t> lines;        // [rows], the line that each row stood in, from 1
};

// `name` is what errors call the text by. kInvalidArgument for whatever is wrong with the text.
Result<CsvTable> ParseCsvTable(std::string_view text, std::string_view name, const CsvLayout& layout);

}  // namespace headrace::data
