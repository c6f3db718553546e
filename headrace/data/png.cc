// The one unit that sees libpng. Its simplified interface reports errors by return value, so that nothing
// jumps past our destructors.
#include <png.h>

#include <cstring>
#include <memory>

#include "headrace/data/image.h"
#include "headrace/data/internal/image_formats.h"

namespace headrace::data {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1A\n";

struct FreePng {
  void operator()(png_image* image) const {
    png_image_free(image);
    delete image;
  }
};
using PngPointer = std::unique_ptr<png_image, FreePng>;

PngPointer NewPng() {
  PngPointer png(new png_image{});
  png->version = PNG_IMAGE_VERSION;
  return png;
}

Status Damaged(std::string_view name, const png_image& png) {
  return Error(Code::kDataLoss, "{} is a damaged or incomplete PNG image: {}", name, png.message);
}

}  // namespace

bool IsPng(io::Bytes bytes) { return io::AsText(bytes).starts_with(kSignature); }

Result<HostTensor> DecodePng(io::Bytes bytes, std::string_view name) {
  const PngPointer png = NewPng();
  if (!png_image_begin_read_from_memory(png.get(), bytes.data(), bytes.size())) return Damaged(name, *png);
  const int64_t height = png->height;
  const int64_t width = png->width;
  if (height * width > kMostPixels) {
    return InvalidArgument("{} has {} x {} pixels; at most {} in all are read", name, width, height,
                           kMostPixels);
  }
  const bool colour = (png->format & PNG_FORMAT_FLAG_COLOR) != 0;
  png->format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  HostTensor picture({DType::kU8, {height, width, colour ? 3 : 1}});
  const png_color white = {255, 255, 255};
  if (!png_image_finish_read(png.get(), &white, picture.mutable_bytes().data(), 0, nullptr)) {
    return Damaged(name, *png);
  }
  return picture;
}

Result<std::string> EncodePng(const HostTensor& picture) {
  HR_TRY(CheckPicture(picture, "a PNG image"));
  const PngPointer png = NewPng();
  png->height = static_cast<uint32_t>(picture.shape()[0]);
  png->width = static_cast<uint32_t>(picture.shape()[1]);
  png->format = picture.shape()[2] == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(*png), '\0');
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(png.get(), bytes.data(), &size, 0, picture.bytes().data(), 0, nullptr)) {
    return Error(Code::kInternal, "writing a PNG image: {}", png->message);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace headrace::data
