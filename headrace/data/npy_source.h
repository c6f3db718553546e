// NpySource: examples in a pair of numpy's .npy files, one array of images or features and one of labels.
//
//   source: {format: npy, images: data/images.npy, labels: data/labels.npy, scale: 255}
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "headrace/core/config.h"
#include "headrace/data/example_options.h"

namespace headrace::data {

struct NpySource {
  static constexpr std::string_view kKind = "npy";

  std::optional<std::string> images{};  // the one or the other
  std::optional<std::string> features{};
  std::optional<std::string> labels{};
  double scale = 1;
  ExampleOptions examples{};

  void Fields(config::Visitor& v);
  Status Validate() const;
  // What values are divided by.
  double Scale() const { return scale; }

  // Fields: `image` f32 [height, width, channels] or `features` f32, each value divided by `scale`, whatever
  // real type the file holds; and `label` if there is a file of them. Images and features are not copied, but
  // stay mapped where the store can map. Sha256 is over the bytes of the first file, then those of the
  // labels. kNotFound if a file is missing, kInvalidArgument or kDataLoss if one is not what it should be.
  Result<std::shared_ptr<const Dataset>> Open() const;
};

}  // namespace headrace::data
