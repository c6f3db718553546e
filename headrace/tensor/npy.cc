#include "headrace/tensor/npy.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "headrace/tensor/internal/npy_header.h"
#include "headrace/tensor/internal/view_or_copy.h"

namespace headrace {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kPreamble = 8;  // the magic and two bytes of version
constexpr size_t kAlignment = 64;

// Copies an array in Fortran order into ours.
HostTensor Transposed(const TensorType& type, std::span<const std::byte> bytes) {
  HostTensor out = HostTensor::Uninitialized(type);
  std::byte* to = out.mutable_bytes().data();
  const auto width = static_cast<size_t>(ByteSize(type.dtype));
  const auto rank = static_cast<size_t>(type.shape.rank());
  std::vector<int64_t> steps(rank);  // between neighbours of each dimension in `bytes`, in elements
  int64_t step = 1;
  for (size_t axis = 0; axis < rank; ++axis) {
    steps[axis] = step;
    step *= type.shape.dims()[axis];
  }
  std::vector<int64_t> index(rank);
  int64_t from = 0;
  for (int64_t i = 0; i < out.size(); ++i, to += width) {
    std::memcpy(to, bytes.data() + static_cast<size_t>(from) * width, width);
    for (size_t axis = rank; axis-- > 0;) {
      from += steps[axis];
      if (++index[axis] < type.shape.dims()[axis]) break;
      from -= steps[axis] * index[axis];
      index[axis] = 0;
    }
  }
  return out;
}

// Splits the bytes into the header's text and the data.
Status Split(std::span<const std::byte> bytes, std::string_view& header, std::span<const std::byte>& data) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) return InvalidArgument("not a .npy file: it does not begin as numpy's do");
  const int version = text.size() > kMagic.size() ? static_cast<unsigned char>(text[kMagic.size()]) : 1;
  if (version < 1 || version > 3) {
    return Error(Code::kUnimplemented, "a .npy file of format version {}; known are 1 to 3", version);
  }
  const size_t length_bytes = version == 1 ? 2 : 4;
  uint32_t length = 0;
  if (text.size() < kPreamble + length_bytes)
    return Error(Code::kDataLoss, "the .npy file is cut short in its header");
  std::memcpy(&length, text.data() + kPreamble, length_bytes);
  const std::string_view rest = text.substr(kPreamble + length_bytes);
  if (rest.size() < length) return Error(Code::kDataLoss, "the .npy file is cut short in its header");
  header = rest.substr(0, length);
  data = bytes.last(rest.size() - length);
  return Ok();
}

}  // namespace

Result<HostTensor> DecodeNpy(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner) {
  std::string_view text;
  std::span<const std::byte> data;
  HR_TRY(Split(bytes, text, data));
  HR_TRY(const NpyHeader header, ParseNpyHeader(text));
  const std::optional<int64_t> size = CheckedByteCount(header.type);
  if (!size.has_value()) return Error(Code::kDataLoss, "{} is too large to be true", header.type.ToString());
  if (*size != static_cast<int64_t>(data.size())) {
    return Error(Code::kDataLoss, "{} needs {} bytes, but the .npy file holds {}; it is cut short or damaged",
                 header.type.ToString(), *size, data.size());
  }
  HR_TRY(HostTensor tensor, ViewOrCopy(header.type, data, owner));
  const auto longer = [](int64_t dim) { return dim > 1; };
  const bool same_order = std::ranges::count_if(header.type.shape, longer) <= 1;
  if (header.fortran_order && !same_order) return Transposed(header.type, data);
  return tensor;
}

Result<std::string> EncodeNpy(const HostTensor& tensor) {
  HR_TRY(std::string header, FormatNpyHeader(tensor.type()));
  const size_t unpadded = kPreamble + sizeof(uint16_t) + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';
  const auto length = static_cast<uint16_t>(header.size());  // 64 dimensions at most: it fits
  std::string out(kMagic);
  out += std::string_view("\1\0", 2);
  out.append(reinterpret_cast<const char*>(&length), sizeof(length));
  out += header;
  out.append(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  return out;
}

}  // namespace headrace
