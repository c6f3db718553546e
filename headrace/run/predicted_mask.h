// PredictedMask: which class a model sees in each pixel of a picture, as a value and as a file. Everything
// here is a pure function.
//
//   PredictedMask found = MakePredictedMask(mask, {}, /*classes=*/2);
//   HR_TRY(std::string png, EncodeMask(found.mask, /*values=*/{0, 255}));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/run/segmentation.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::run {

struct PredictedMask {
  HostTensor mask;             // i32 [height, width]
  std::vector<double> shares;  // of the pixels, for each class
  std::optional<HostTensor> true_mask;
  std::optional<MaskAgreement> agreement;  // with that
};

// One of the masks that a model of so many classes gave, with the true one where it is known.
PredictedMask MakePredictedMask(HostTensor mask, std::optional<HostTensor> true_mask, int64_t classes);

// The mask as a gray PNG file: `values` stand for the classes.
Result<std::string> EncodeMask(const HostTensor& mask, const std::vector<int64_t>& values);

}  // namespace headrace::run
