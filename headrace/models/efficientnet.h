// EfficientNet-Lite 0 to 4: EfficientNet (Tan and Le, 2019) without squeeze-and-excitation, with ReLU6 and a
// stem and head of fixed width, for phones (Google, 2020). Parameters have the names and layouts of the
// PyTorch port whose weights are about; padding is TensorFlow's "SAME", and BatchNorm's epsilon 1e-3.
#pragma once

#include <optional>

#include "headrace/models/model.h"

namespace headrace::models {

struct EfficientnetLiteConfig {
  static constexpr std::string_view kKind = "efficientnet_lite";
  int64_t classes = 1000;
  int64_t variant = 0;              // 0 to 4; made for images of 224, 240, 260, 280 and 300 pixels
  std::optional<double> dropout{};  // before the logits; by default the variant's

  void Fields(config::Visitor& v);
  // `input` is [height, width, channels] of one example.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

}  // namespace headrace::models
