// Which files of a folder are pictures, told by their names.
#pragma once

#include <string>
#include <string_view>

namespace headrace::data {

enum class FileKind {
  kPicture,
  kOtherPicture,  // of a kind that is not read
  kOther,         // anything else; what is hidden too
};
FileKind KindOfFile(std::string_view key);

// Whether the file, or a folder above it, is hidden.
bool IsHidden(std::string_view key);

// The end of a file name from its last dot, in lower case.
std::string EndingOf(std::string_view key);

// The key without that.
std::string_view WithoutEnding(std::string_view key);

// What to do about a picture that is not read.
inline constexpr std::string_view kNotReadAdvice =
    "pictures of this kind are not read; convert it to JPEG or PNG, or move it away";

}  // namespace headrace::data
