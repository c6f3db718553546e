// Unet: from images to as many values a pixel (Ronneberger et al., "U-Net: convolutional networks for
// biomedical image segmentation", 2015), with padding, so that the result has the size of the image, and
// batch normalization. Parameters have the names and layouts that PyTorch versions share.
//
//   const Unet unet(UnetConfig{.classes = 2}, nn::Scope(frame), /*channels=*/3);
//   Value logits = unet(images);                                       // [N, H, W, 3] -> [N, H, W, 2]
//   Value loss = nn::CrossEntropy(logits, masks);                      // masks integer [N, H, W]
#pragma once

#include "headrace/models/model.h"

namespace headrace::models {

struct UnetConfig {
  static constexpr std::string_view kKind = "unet";
  static constexpr Purpose kPurpose = Purpose::kSegmentation;
  int64_t classes = 2;
  int64_t width = 64;  // channels at full size; doubled each time that the size is halved
  int64_t levels = 4;  // how often it is halved

  void Fields(config::Visitor& v);
  // `input` is [height, width, channels] of one example; height and width are multiples of 2^levels.
  std::unique_ptr<Model> Make(nn::Scope scope, const Shape& input) const;
};

class Unet final : public Model {
 public:
  // Names: inc.double_conv.0, down1.maxpool_conv.1.double_conv.0, …, up1.up, up1.conv.double_conv.0, …,
  // outc.conv.
  Unet(const UnetConfig& config, nn::Scope scope, int64_t channels);
  ~Unet() override;

  // [N, H, W, channels] -> [N, H, W, classes]; H and W are multiples of 2^levels.
  Value operator()(Value x) const override;

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace headrace::models
