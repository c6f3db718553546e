#include "headrace/io/internal/file_error.h"

#include <cerrno>
#include <system_error>

namespace headrace::io {
namespace {

struct Row {
  int error;
  Code code;
  std::string_view meaning;
};

constexpr Row kRows[] = {
    {ENOENT, Code::kNotFound, "no such file or folder; check the path"},
    {EEXIST, Code::kAlreadyExists, "it exists already"},
    {EACCES, Code::kPermissionDenied,
     "permission denied; give this user access to it and to the folders above it, or choose another place"},
    {EPERM, Code::kPermissionDenied,
     "the system does not permit that here; check attributes and mount, or choose another place"},
    {EROFS, Code::kPermissionDenied, "the file system is mounted read-only; choose a place that is writable"},
    {ENOSPC, Code::kResourceExhausted, "no space left on the device; free some and run again"},
    {EDQUOT, Code::kResourceExhausted, "the disk quota is used up; free some space and run again"},
    {EFBIG, Code::kResourceExhausted,
     "larger than files may be here; raise the limit (ulimit -f) or choose another file system"},
    {EMFILE, Code::kResourceExhausted, "too many open files; raise the limit (ulimit -n)"},
    {ENFILE, Code::kResourceExhausted, "too many open files on this machine; close some programs"},
    {ENOMEM, Code::kResourceExhausted, "out of memory"},
    {ENOTDIR, Code::kFailedPrecondition,
     "a part of the path is a file where a folder is needed; move it away or choose another place"},
    {EISDIR, Code::kFailedPrecondition, "it is a folder where a file is needed; choose another path"},
    {ENOTEMPTY, Code::kFailedPrecondition, "the folder is not empty"},
    {ELOOP, Code::kFailedPrecondition, "its symbolic links run in a circle; remove one of them"},
    {ENAMETOOLONG, Code::kInvalidArgument, "the name is too long for this file system; choose a shorter one"},
    {EIO, Code::kDataLoss,
     "the device failed (input/output error); check the disk (dmesg) or the network mount"},
    {ESTALE, Code::kUnavailable, "the network mount lost the file; mount it again"},
};

}  // namespace

Status FileError(int error, std::string_view doing, std::string_view path) {
  for (const Row& row : kRows) {
    if (row.error == error) return Error(row.code, "{} {}: {}", doing, path, row.meaning);
  }
  return Error(Code::kUnknown, "{} {}: {}", doing, path, std::generic_category().message(error));
}

}  // namespace headrace::io
