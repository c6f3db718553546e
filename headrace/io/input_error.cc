#include "headrace/io/input_error.h"

namespace headrace::io {

Status AsInput(Status status) {
  switch (status.code()) {
    case Code::kNotFound:
    case Code::kFailedPrecondition:  // a folder, a pipe
    case Code::kOutOfRange:
    case Code::kDataLoss:
    case Code::kUnimplemented:
      return Status(Code::kInvalidArgument, status.message());
    default:
      return status;
  }
}

}  // namespace headrace::io
