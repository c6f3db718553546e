#include "headrace/data/internal/picture_files.h"

#include <algorithm>
#include <array>

namespace headrace::data {
namespace {

constexpr std::array<std::string_view, 5> kRead = {".jpg", ".jpeg", ".png", ".pgm", ".ppm"};
constexpr std::array<std::string_view, 8> kNotRead = {".webp", ".bmp",  ".gif",  ".tif",
                                                      ".tiff", ".avif", ".heic", ".jp2"};

}  // namespace

bool IsHidden(std::string_view key) { return key.starts_with('.') || key.contains("/."); }

std::string_view WithoutEnding(std::string_view key) {
  const size_t file = key.rfind('/') + 1;  // 0 where there is no folder
  const size_t dot = key.rfind('.');
  return dot == std::string_view::npos || dot <= file ? key : key.substr(0, dot);
}

std::string EndingOf(std::string_view key) {
  std::string ending(key.substr(WithoutEnding(key).size()));
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

FileKind KindOfFile(std::string_view key) {
  if (IsHidden(key)) return FileKind::kOther;
  const std::string ending = EndingOf(key);
  if (std::ranges::find(kRead, ending) != kRead.end()) return FileKind::kPicture;
  return std::ranges::find(kNotRead, ending) != kNotRead.end() ? FileKind::kOtherPicture : FileKind::kOther;
}

}  // namespace headrace::data
