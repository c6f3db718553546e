// The one unit that sees libpng. Reading reports errors by longjmp, so each step that may fail is a method
// that calls setjmp itself and has nothing to destroy between there and the jump. (libpng's simplified
// interface would do without, but mixes up the rows of interlaced files of 16 bits: 1.6.39.)
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "headrace/data/image.h"
#include "headrace/data/internal/exif.h"
#include "headrace/data/internal/image_formats.h"

namespace headrace::data {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1A\n";

class PngReader {
 public:
  explicit PngReader(io::Bytes bytes)
      : rest_(bytes), png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, this, Fail, Ignore)) {
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  // How samples are given.
  enum class Samples {
    kAsShown,   // 8 bits of gray or of three colours, and of alpha
    kAsStored,  // a byte each: gray levels of few bits, and places in a palette, as they are; without alpha
  };

  // Each is false after an error; Failure() says which.
  bool ReadHeader(Samples samples) {
    if (info_ == nullptr) return false;
    if (setjmp(jump_) != 0) return false;
    png_set_read_fn(png_, this, Read);
    png_read_info(png_, info_);
    if (samples == Samples::kAsShown) {
      png_set_expand(png_);  // palettes to colours, few bits to 8, a transparent colour to alpha
      png_set_scale_16(png_);
    } else {
      png_set_packing(png_);
      png_set_strip_alpha(png_);
    }
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }
  bool ReadPixels(std::span<uint8_t*> rows) {
    if (setjmp(jump_) != 0) return false;
    png_read_image(png_, rows.data());
    png_read_end(png_, nullptr);
    return true;
  }

  int64_t height() const { return png_get_image_height(png_, info_); }
  int64_t width() const { return png_get_image_width(png_, info_); }
  int64_t channels() const { return png_get_channels(png_, info_); }  // 1 or 3, and one for alpha
  int bits() const { return png_get_bit_depth(png_, info_); }
  int Orientation() const {
    png_uint_32 size = 0;
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(png_, info_, &size, &exif) == 0) return 1;
    return ExifOrientation(std::as_bytes(std::span(exif, size)));
  }
  Status Failure(std::string_view name) const {
    return Error(Code::kDataLoss, "{} is a damaged or incomplete PNG image: {}", name, message_);
  }

  // What follows the header, as u8 [height, width, channels].
  Result<HostTensor> ReadPicture(std::string_view name) {
    HR_TRY(CheckPixels(width(), height(), name));
    HostTensor picture({DType::kU8, {height(), width(), channels()}});
    std::vector<uint8_t*> rows;
    for (int64_t y = 0; y < height(); ++y) {
      rows.push_back(picture.mutable_data<uint8_t>().data() + y * width() * channels());
    }
    if (!ReadPixels(rows)) return Failure(name);
    return picture;
  }

 private:
  [[noreturn]] static void Fail(png_structp png, png_const_charp message) {
    auto& self = *static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(self.message_, message, sizeof self.message_ - 1);
    std::longjmp(self.jump_, 1);
  }
  static void Ignore(png_structp, png_const_charp) {}
  static void Read(png_structp png, png_bytep into, size_t count) {
    auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > self.rest_.size()) png_error(png, "its end is missing");
    std::memcpy(into, self.rest_.data(), count);
    self.rest_ = self.rest_.subspan(count);
  }

  io::Bytes rest_;
  std::jmp_buf jump_{};
  char message_[128] = "out of memory";
  png_structp png_;
  png_infop info_ = nullptr;
};

struct FreePng {
  void operator()(png_image* image) const {
    png_image_free(image);
    delete image;
  }
};

// [height, width, colours and alpha] -> [height, width, colours], each pixel laid on white.
HostTensor OnWhite(const HostTensor& picture) {
  const int64_t colours = picture.shape()[2] - 1;
  HostTensor opaque({DType::kU8, {picture.shape()[0], picture.shape()[1], colours}});
  const uint8_t* in = picture.data<uint8_t>().data();
  uint8_t* out = opaque.mutable_data<uint8_t>().data();
  for (const uint8_t* end = in + picture.size(); in < end; in += colours + 1) {
    const int alpha = in[colours];
    for (int64_t c = 0; c < colours; ++c)
      *out++ = static_cast<uint8_t>((in[c] * alpha + 255 * (255 - alpha) + 127) / 255);
  }
  return opaque;
}

}  // namespace

bool IsPng(io::Bytes bytes) { return io::AsText(bytes).starts_with(kSignature); }

Result<HostTensor> DecodePng(io::Bytes bytes, std::string_view name) {
  PngReader png(bytes);
  if (!png.ReadHeader(PngReader::Samples::kAsShown)) return png.Failure(name);
  HR_TRY(HostTensor picture, png.ReadPicture(name));
  const bool has_alpha = png.channels() % 2 == 0;
  return Oriented(has_alpha ? OnWhite(picture) : std::move(picture), png.Orientation());
}

Result<HostTensor> DecodeMask(io::Bytes bytes, std::string_view name) {
  if (!IsPng(bytes)) return InvalidArgument("{} is no PNG file, as masks are", name);
  PngReader png(bytes);
  if (!png.ReadHeader(PngReader::Samples::kAsStored)) return png.Failure(name);
  if (png.bits() > 8) {
    return InvalidArgument("{} has values of {} bits; masks have at most 8", name, png.bits());
  }
  HR_TRY(const HostTensor picture, png.ReadPicture(name));
  HostTensor mask({DType::kU8, {png.height(), png.width(), 1}});
  const int64_t channels = png.channels();
  const std::span<const uint8_t> in = picture.data<uint8_t>();
  const std::span<uint8_t> out = mask.mutable_data<uint8_t>();
  for (size_t i = 0; i < out.size(); ++i) {
    const auto pixel = in.subspan(i * channels, channels);
    out[i] = pixel[0];
    if (std::ranges::all_of(pixel, [&](uint8_t value) { return value == pixel[0]; })) continue;
    return InvalidArgument("{} has colours; a mask has one value a pixel, gray or a place in a palette",
                           name);
  }
  return Oriented(std::move(mask), png.Orientation());
}

Result<std::string> EncodePng(const HostTensor& picture) {
  HR_TRY(CheckPicture(picture, "a PNG image"));
  const std::unique_ptr<png_image, FreePng> png(new png_image{});
  png->version = PNG_IMAGE_VERSION;
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
