#include "headrace/io/internal/key.h"

namespace headrace::io {
namespace {

Status CheckParts(std::string_view kind, std::string_view text, bool may_end_open) {
  if (text.find('\0') != std::string_view::npos) return InvalidArgument("the {} holds a NUL byte", kind);
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('/', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const bool open = may_end_open && end == text.size();  // a name of which only the front is given
    if (part.empty() && !open) {
      return InvalidArgument("the {} '{}' has an empty part; write it relative, as in 'folder/name'", kind,
                             text);
    }
    if ((part == "." && !open) || part == "..") {
      return InvalidArgument("the {} '{}' has the part '{}', which keys may not have", kind, text, part);
    }
    if (part.starts_with(kTemporaryPrefix)) {
      return InvalidArgument(
          "the {} '{}' has a part that begins with '{}', which is kept for temporary files", kind, text,
          kTemporaryPrefix);
    }
    begin = end + 1;
  }
  return Ok();
}

}  // namespace

Status CheckKey(std::string_view key) { return CheckParts("key", key, /*may_end_open=*/false); }
Status CheckPrefix(std::string_view prefix) { return CheckParts("prefix", prefix, /*may_end_open=*/true); }

Status CheckRange(std::string_view where, int64_t offset, int64_t size, int64_t total) {
  if (offset < 0 || size < 0) {
    return InvalidArgument("{}: cannot read {} bytes from offset {}; both must be 0 or more", where, size,
                           offset);
  }
  if (offset > total || size > total - offset) {
    return Error(Code::kOutOfRange, "{}: cannot read {} bytes from offset {}: it has only {} bytes", where,
                 size, offset, total);
  }
  return Ok();
}

}  // namespace headrace::io
