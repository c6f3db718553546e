// HostTensor::ConvertTo, apart because every pair of element types makes a loop of its own.
#include <cstring>

#include "headrace/tensor/host_tensor.h"
#include "headrace/tensor/internal/element.h"

namespace headrace {
namespace {

// Converts `count` elements that lie `in_step` and `out_step` elements apart.
template <class In, class Out>
void ConvertElements(const std::byte* in, std::byte* out, int64_t count, int64_t in_step, int64_t out_step) {
  for (int64_t i = 0; i < count; ++i) {
    typename In::Stored from;
    std::memcpy(&from, in + i * in_step * static_cast<int64_t>(sizeof(from)), sizeof(from));
    const typename Out::Stored to = Out::Narrow(In::Widen(from));
    std::memcpy(out + i * out_step * static_cast<int64_t>(sizeof(to)), &to, sizeof(to));
  }
}

}  // namespace

HostTensor HostTensor::ConvertTo(DType dtype) const {
  if (dtype == this->dtype()) return *this;
  HostTensor converted({dtype, shape()});
  const std::byte* in = bytes().data();
  std::byte* out = converted.mutable_bytes().data();
  // A complex number is two parts; between complex types both are converted, else the real one.
  const bool both = IsComplex(this->dtype()) && IsComplex(dtype);
  const int64_t count = both ? 2 * size() : size();
  const int64_t in_step = IsComplex(this->dtype()) && !both ? 2 : 1;
  const int64_t out_step = IsComplex(dtype) && !both ? 2 : 1;
  WithElement(PartOf(this->dtype()), [&]<class In>(In) {
    WithElement(PartOf(dtype), [&]<class Out>(Out) {
      if (in_step == 1 && out_step == 1) {
        ConvertElements<In, Out>(in, out, count, 1, 1);  // the constants let the compiler vectorize
      } else {
        ConvertElements<In, Out>(in, out, count, in_step, out_step);
      }
    });
  });
  return converted;
}

}  // namespace headrace
