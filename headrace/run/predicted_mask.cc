#include "headrace/run/predicted_mask.h"

#include <algorithm>

#include "headrace/data/image.h"

namespace headrace::run {

PredictedMask MakePredictedMask(HostTensor mask, std::optional<HostTensor> true_mask, int64_t classes) {
  PredictedMask made;
  made.shares.resize(static_cast<size_t>(classes));
  for (const int32_t number : mask.data<int32_t>()) ++made.shares[static_cast<size_t>(number)];
  for (double& share : made.shares) share /= static_cast<double>(mask.size());
  if (true_mask) made.agreement = CompareMasks(mask, *true_mask, classes);
  made.mask = std::move(mask);
  made.true_mask = std::move(true_mask);
  return made;
}

Result<std::string> EncodeMask(const HostTensor& mask, const std::vector<int64_t>& values) {
  HostTensor picture({DType::kU8, {mask.shape()[0], mask.shape()[1], 1}});
  std::ranges::transform(mask.data<int32_t>(), picture.mutable_data<uint8_t>().begin(), [&](int32_t number) {
    return static_cast<uint8_t>(values[static_cast<size_t>(number)]);
  });
  return data::EncodePng(picture);
}

}  // namespace headrace::run
