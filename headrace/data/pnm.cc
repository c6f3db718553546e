#include <algorithm>
#include <charconv>

#include "headrace/data/internal/image_formats.h"

namespace headrace::data {
namespace {

// Reads the decimal numbers of the header; a '#' begins a comment that ends with its line.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  // The next number, or -1.
  int64_t Number() {
    SkipBlanks();
    int64_t value = -1;
    const auto [end, error] = std::from_chars(rest_.begin(), rest_.end(), value);
    if (error != std::errc()) return -1;
    rest_.remove_prefix(end - rest_.begin());
    return value;
  }
  // What follows the one blank after the header.
  std::string_view Rest() const { return rest_.substr(std::min<size_t>(1, rest_.size())); }

 private:
  void SkipBlanks() {
    while (!rest_.empty()) {
      if (rest_[0] == '#')
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else if (std::string_view(" \t\r\n").contains(rest_[0]))
        rest_.remove_prefix(1);
      else
        return;
    }
  }
  std::string_view rest_;
};

}  // namespace

bool IsPnm(io::Bytes bytes) {
  const std::string_view text = io::AsText(bytes);
  return text.size() > 2 && text[0] == 'P' && (text[1] == '5' || text[1] == '6') &&
         std::string_view(" \t\r\n#").contains(text[2]);
}

Result<HostTensor> DecodePnm(io::Bytes bytes, std::string_view name) {
  const std::string_view text = io::AsText(bytes);
  const int64_t channels = text[1] == '6' ? 3 : 1;
  HeaderReader header(text.substr(2));
  const int64_t width = header.Number();
  const int64_t height = header.Number();
  const int64_t most = header.Number();
  if (width < 1 || height < 1 || most < 1) {
    return Error(Code::kDataLoss,
                 "{} is a damaged PGM or PPM image: its header is not width, height and "
                 "largest value",
                 name);
  }
  if (most > 255) return InvalidArgument("{} holds values up to {}; only 8 bits are read", name, most);
  HR_TRY(CheckPixels(width, height, name));
  const std::string_view pixels = header.Rest();
  const auto size = static_cast<size_t>(height * width * channels);
  if (pixels.size() < size) {
    return Error(Code::kDataLoss, "{} is an incomplete PGM or PPM image: {} of {} bytes of pixels", name,
                 pixels.size(), size);
  }
  HostTensor picture({DType::kU8, {height, width, channels}});
  const auto to_byte = [most](char value) {
    return std::min<int64_t>(static_cast<uint8_t>(value), most) * 255 / most;
  };
  std::ranges::transform(pixels.substr(0, size), picture.mutable_data<uint8_t>().begin(), to_byte);
  return picture;
}

}  // namespace headrace::data
