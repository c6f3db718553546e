// ImageFit: pictures of any size as images of one size.
//
//   image: {size: [224, 224], resize: 256, interpolation: bicubic}
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/data/resize.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::data {

struct ImageFit {
  std::vector<int64_t> size = {224, 224};
  int64_t channels = 3;
  std::optional<int64_t> resize{};
  std::string interpolation = "bilinear";

  void Fields(config::Visitor& v);
  Status Validate() const;

  // [height, width, channels]
  Shape shape() const { return {size[0], size[1], channels}; }

  // What evaluation and prediction see of a picture: it is resized so that its shorter side is `resize` (by
  // default, so that it just covers the image), and the middle is cut out, as by torchvision's Resize and
  // CenterCrop. Writes f32 of shape(), 0 to 1. REQUIRES, here and below: u8 [height, width, 1 or 3], not
  // empty
  void WriteMiddle(const HostTensor& picture, std::span<float> pixels) const;
  HostTensor Middle(const HostTensor& picture) const;

  // A part of the picture, resized to shape().
  void WritePart(const HostTensor& picture, const Box& part, std::span<float> pixels) const;

  // The same of the picture's mask, u8 [height, width, 1]: of each pixel the nearest, as u8 [size, size, 1].
  HostTensor MiddleOfMask(const HostTensor& mask) const;
  HostTensor PartOfMask(const HostTensor& mask, const Box& part) const;

 private:
  HostTensor MiddleOf(const HostTensor& picture, Interpolation how) const;
};

}  // namespace headrace::data
