#include "headrace/data/internal/exif.h"

#include <cstdint>

namespace headrace::data {
namespace {

constexpr uint32_t kOrientationTag = 0x0112;
constexpr uint32_t kShortType = 3;

// Unsigned numbers of either byte order; 0 beyond the end.
class TiffReader {
 public:
  explicit TiffReader(io::Bytes bytes) : bytes_(bytes), little_(io::AsText(bytes).starts_with("II")) {}

  bool is_tiff() const {
    return (little_ || io::AsText(bytes_).starts_with("MM")) && Number(2, 2) == kTiffMagic;
  }
  uint32_t Number(size_t offset, size_t size) const {
    if (offset + size > bytes_.size()) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < size; ++i) {
      value = value << 8 | static_cast<uint32_t>(bytes_[offset + (little_ ? size - 1 - i : i)]);
    }
    return value;
  }

 private:
  static constexpr uint32_t kTiffMagic = 42;
  io::Bytes bytes_;
  bool little_;
};

}  // namespace

int ExifOrientation(io::Bytes tiff) {
  constexpr size_t kEntrySize = 12;
  const TiffReader reader(tiff);
  if (!reader.is_tiff()) return 1;
  const size_t directory = reader.Number(4, 4);
  const size_t entries = reader.Number(directory, 2);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + i * kEntrySize;
    if (reader.Number(entry, 2) != kOrientationTag) continue;
    const uint32_t value = reader.Number(entry + 8, 2);
    const bool known = reader.Number(entry + 2, 2) == kShortType && value >= 1 && value <= 8;
    return known ? static_cast<int>(value) : 1;
  }
  return 1;
}

HostTensor Oriented(HostTensor picture, int orientation) {
  if (orientation == 1) return picture;
  // Orientations 5 to 8 swap the axes; where the first stored row and column are seen decides the rest.
  const bool swapped = orientation >= 5;
  const bool rows_reversed = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  const bool columns_reversed = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const int64_t stored_height = picture.shape()[0], stored_width = picture.shape()[1];
  const int64_t channels = picture.shape()[2];
  const int64_t height = swapped ? stored_width : stored_height;
  const int64_t width = swapped ? stored_height : stored_width;
  HostTensor turned({DType::kU8, {height, width, channels}});
  const std::span<const uint8_t> in = picture.data<uint8_t>();
  uint8_t* out = turned.mutable_data<uint8_t>().data();
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      const int64_t from_y = rows_reversed ? height - 1 - y : y;
      const int64_t from_x = columns_reversed ? width - 1 - x : x;
      const int64_t pixel = swapped ? from_x * stored_width + from_y : from_y * stored_width + from_x;
      for (int64_t c = 0; c < channels; ++c) *out++ = in[pixel * channels + c];
    }
  }
  return turned;
}

}  // namespace headrace::data
