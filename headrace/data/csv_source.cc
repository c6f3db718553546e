#include "headrace/data/csv_source.h"

#include <fmt/ranges.h>

#include "headrace/data/array_dataset.h"
#include "headrace/data/csv_table.h"
#include "headrace/io/gzip.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"

namespace headrace::data {
namespace {

CsvHeader HeaderOf(std::string_view mode) {
  if (mode == "yes") return CsvHeader::kYes;
  return mode == "no" ? CsvHeader::kNo : CsvHeader::kAuto;
}

// The columns of a table as the fields of examples.
Result<std::vector<Column>> ColumnsOf(const CsvTable& table, const CsvSource& source) {
  std::vector<Column> columns;
  if (source.image) {
    const int64_t rows = table.features.shape()[0];
    const int64_t values = table.features.shape()[1];
    const Shape image(source.image->shape);
    if (image.ElementCount() != values) {
      return InvalidArgument("{}: an image of shape {} takes {} values, but a row holds {}{}", source.path,
                             image.ToString(), image.ElementCount(), values,
                             table.labels ? " beside the label" : "");
    }
    std::vector<int64_t> dims = {rows};
    dims.insert(dims.end(), image.begin(), image.end());
    columns.push_back(
        {std::string(kImage), table.features.Reshaped(Shape(std::move(dims))), source.image->scale});
  } else {
    columns.push_back({std::string(kFeatures), table.features});
  }
  if (table.labels) columns.push_back({std::string(kLabel), *table.labels});
  return columns;
}

}  // namespace

Status CsvImage::Validate() const {
  if (shape.size() == 3) return Ok();
  return InvalidArgument("shape: [{}] is not [height, width, channels]", fmt::join(shape, ", "));
}

void CsvSource::Fields(config::Visitor& v) {
  static constexpr std::string_view kHeaders[] = {"auto", "yes", "no"};
  v.Field("path", path, "The file, CSV or CSV.gz", config::Required());
  v.Field("label", label,
          "Column of the labels: a number from 0, from the end if negative, or a name in the header");
  v.OneOf("header", header, kHeaders,
          "Whether the first row names the columns; auto: if none of it is a number");
  v.Field("delimiter", delimiter, "The character between cells");
  v.Field("image", image, "Takes the values of a row as an image");
  examples.Fields(v);
}

Status CsvSource::Validate() const {
  if (delimiter.size() != 1 || std::string_view("\"\r\n+-.0123456789").contains(delimiter[0])) {
    return InvalidArgument("delimiter: '{}' is not one character that can stand between numbers", delimiter);
  }
  return Ok();
}

Result<std::shared_ptr<const Dataset>> CsvSource::Open() const {
  HR_TRY(Validate());
  HR_TRY(const io::Blob file, io::ReadFile(path));
  std::string unpacked;
  if (io::IsGzip(file.bytes)) {
    HR_TRY(unpacked, io::Gunzip(file.bytes, path));
  }
  HR_TRY(CsvTable table, ParseCsvTable(io::IsGzip(file.bytes) ? unpacked : file.text(), path,
                                       {label, HeaderOf(header), delimiter[0]}));
  HR_TRY(std::vector<Column> columns, ColumnsOf(table, *this));
  Origin origin{.name = path, .sha256 = io::Sha256Hex(file.bytes)};
  origin.where = [path = path, lines = std::move(table.lines)](int64_t index) {
    return fmt::format("{}, row {}", path, lines[index]);
  };
  HR_TRY(auto dataset, ArrayDataset::Create(std::move(origin), std::move(columns)));
  return examples.Apply(std::move(dataset));
}

}  // namespace headrace::data
