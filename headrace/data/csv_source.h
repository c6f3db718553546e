// CsvSource: examples in a table of numbers, one a row, as CSV or CSV.gz (told apart by content).
//
//   source: {format: csv, path: data/mnist_5k.csv.gz, label: 784, image: {shape: [28, 28, 1], scale: 255}}
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/data/example_options.h"

namespace headrace::data {

// A row's values as an image.
struct CsvImage {
  std::vector<int64_t> shape;  // [height, width, channels]
  double scale = 1;

  void Fields(config::Visitor& v) {
    v.Field("shape", shape, "Height, width and channels that a row's values fill", config::Positive());
    v.Field("scale", scale, "Values are divided by this: 255 makes 0 to 255 into 0 to 1", config::Positive());
  }
  Status Validate() const;
};

struct CsvSource {
  static constexpr std::string_view kKind = "csv";

  std::string path{};
  std::optional<std::string> label{};
  std::string header = "auto";
  std::string delimiter = ",";
  std::optional<CsvImage> image{};
  ExampleOptions examples{};

  void Fields(config::Visitor& v);
  Status Validate() const;
  // What values are divided by.
  double Scale() const { return image ? image->scale : 1; }

  // Reads the whole file. Fields: `image`, or without an image shape `features`; and `label` if there is one.
  // kNotFound if there is no file, kOutOfRange or kDataLoss for a broken .gz, kInvalidArgument for a broken
  // table.
  Result<std::shared_ptr<const Dataset>> Open() const;
};

}  // namespace headrace::data
