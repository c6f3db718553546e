#include "headrace/data/image_fit.h"

#include <algorithm>
#include <cmath>

#include "headrace/core/check.h"
#include "headrace/data/image.h"
#include "headrace/data/internal/vector_clones.h"

namespace headrace::data {
namespace {

HR_VECTOR_CLONES
void ToUnit(const uint8_t* in, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(in[i]) / 255.0f;
}

void WriteUnit(const HostTensor& image, std::span<float> pixels) {
  HR_CHECK(static_cast<int64_t>(pixels.size()) == image.size());
  ToUnit(image.data<uint8_t>().data(), image.size(), pixels.data());
}

}  // namespace

void ImageFit::Fields(config::Visitor& v) {
  v.Field("size", size, "Height and width of the images that are made of pictures",
          config::Between(1, 1 << 14));
  v.Field("channels", channels, "3 for colors, 1 for gray", config::Between(1, 3));
  v.Field("resize", resize,
          "To evaluate and predict: resize pictures to so many pixels along the shorter side, then cut out "
          "the middle; "
          "by default the least that covers the image",
          config::Between(1, 1 << 14));
  v.OneOf("interpolation", interpolation, kInterpolations, "How pictures are resized; both as Pillow does");
}

Status ImageFit::Validate() const {
  if (size.size() != 2) return InvalidArgument("size: must be height and width, such as [224, 224]");
  if (channels == 2) return InvalidArgument("channels: must be 3 or 1");
  if (resize && *resize < std::max(size[0], size[1])) {
    return InvalidArgument("resize: {} is too small to cut {} x {} out of it", *resize, size[0], size[1]);
  }
  return Ok();
}

HostTensor ImageFit::MiddleOf(const HostTensor& picture, Interpolation how) const {
  const int64_t height = picture.shape()[0], width = picture.shape()[1];
  const auto rows = static_cast<double>(height), columns = static_cast<double>(width);
  const double scale =
      resize ? static_cast<double>(*resize) / std::min(rows, columns)
             : std::max(static_cast<double>(size[0]) / rows, static_cast<double>(size[1]) / columns);
  // Rounding must not take the side that decides below what it is to be.
  constexpr double kTiny = 1e-9;
  const auto scaled = [&](double side, int64_t least) {
    return std::max(least, static_cast<int64_t>(side * scale + kTiny));
  };
  const HostTensor resized =
      Resize(picture, WholeOf(picture), scaled(rows, size[0]), scaled(columns, size[1]), how);
  // Halves go to the even number, as in Python.
  const auto begin = [](int64_t side, int64_t part) {
    return static_cast<int64_t>(std::nearbyint(static_cast<double>(side - part) / 2));
  };
  const Box middle = {.top = begin(resized.shape()[0], size[0]),
                      .left = begin(resized.shape()[1], size[1]),
                      .height = size[0],
                      .width = size[1]};
  return Resize(resized, middle, size[0], size[1], how);
}

void ImageFit::WriteMiddle(const HostTensor& picture, std::span<float> pixels) const {
  WriteUnit(MiddleOf(WithChannels(picture, channels), ParseInterpolation(interpolation)), pixels);
}

HostTensor ImageFit::Middle(const HostTensor& picture) const {
  HostTensor image({DType::kF32, shape()});
  WriteMiddle(picture, image.mutable_data<float>());
  return image;
}

void ImageFit::WritePart(const HostTensor& picture, const Box& part, std::span<float> pixels) const {
  const Interpolation how = ParseInterpolation(interpolation);
  WriteUnit(Resize(WithChannels(picture, channels), part, size[0], size[1], how), pixels);
}

HostTensor ImageFit::MiddleOfMask(const HostTensor& mask) const {
  return MiddleOf(mask, Interpolation::kNearest);
}

HostTensor ImageFit::PartOfMask(const HostTensor& mask, const Box& part) const {
  return Resize(mask, part, size[0], size[1], Interpolation::kNearest);
}

}  // namespace headrace::data
