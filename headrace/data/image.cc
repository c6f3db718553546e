#include "headrace/data/image.h"

#include <algorithm>

#include "headrace/data/internal/image_formats.h"
#include "headrace/data/resize.h"

namespace headrace::data {
HostTensor WithChannels(HostTensor picture, int64_t channels) {
  const Shape& shape = picture.shape();
  if (channels == shape[2]) return picture;
  HostTensor result({DType::kU8, {shape[0], shape[1], channels}});
  const std::span<const uint8_t> in = picture.data<uint8_t>();
  const std::span<uint8_t> out = result.mutable_data<uint8_t>();
  if (channels == 1) {  // the luma of ITU-R BT.601, in 16-bit weights as Pillow has them
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<uint8_t>(
          (19595 * in[3 * i] + 38470 * in[3 * i + 1] + 7471 * in[3 * i + 2] + 0x8000) >> 16);
    }
  } else {
    for (size_t i = 0; i < out.size(); ++i) out[i] = in[i / 3];
  }
  return result;
}

Result<HostTensor> DecodeImage(io::Bytes bytes, std::string_view name) {
  if (bytes.empty()) return InvalidArgument("{} is empty", name);
  if (IsJpeg(bytes)) return DecodeJpeg(bytes, name);
  if (IsPng(bytes)) return DecodePng(bytes, name);
  if (IsPnm(bytes)) return DecodePnm(bytes, name);
  return InvalidArgument("{} is not an image that can be read: JPEG, PNG, PGM (P5) or PPM (P6)", name);
}

Status CheckPixels(int64_t width, int64_t height, std::string_view name) {
  if (width <= kMostPixels && height <= kMostPixels / width) return Ok();
  return InvalidArgument("{} has {} x {} pixels; at most {} in all are read", name, width, height,
                         kMostPixels);
}

Result<HostTensor> FitImage(const HostTensor& picture, const Shape& shape, double scale) {
  HR_TRY(CheckPicture(picture, "an image to fit"));
  if (shape.rank() != 3 || (shape[2] != 1 && shape[2] != 3) || shape.ElementCount() < 1) {
    return InvalidArgument("an image cannot be fitted to shape {}; it must be [height, width, 1 or 3]",
                           shape.ToString());
  }
  const HostTensor fitted =
      Resize(WithChannels(picture, shape[2]), WholeOf(picture), shape[0], shape[1], Interpolation::kBilinear);
  HostTensor image({DType::kF32, shape});
  std::ranges::transform(fitted.data<uint8_t>(), image.mutable_data<float>().begin(), [scale](uint8_t value) {
    return static_cast<float>(value) / static_cast<float>(scale);
  });
  return image;
}

HostTensor Inverted(const HostTensor& picture) {
  HostTensor result(picture.type());
  std::ranges::transform(picture.data<uint8_t>(), result.mutable_data<uint8_t>().begin(),
                         [](uint8_t value) { return 255 - value; });
  return result;
}

Status CheckPicture(const HostTensor& picture, std::string_view what) {
  const Shape& shape = picture.shape();
  if (picture.dtype() == DType::kU8 && shape.rank() == 3 && picture.size() > 0 &&
      (shape[2] == 1 || shape[2] == 3)) {
    return Ok();
  }
  return InvalidArgument("{} is u8[height, width, 1 or 3], not {}", what, picture.type().ToString());
}

}  // namespace headrace::data
