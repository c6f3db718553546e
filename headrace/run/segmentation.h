// SegmentationTask: a model family trained to tell the class of every pixel: softmax cross-entropy, the share
// of pixels that are right, and the mean over the classes of intersection over union.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headrace/run/objective.h"

namespace headrace::run {

// Measures `loss` and `accuracy` over the pixels that count (data::kIgnored); in evaluations also, for each
// class c, how many pixels are of it, are said to be of it, and both: `is/c`, `said/c`, `both/c`.
// `example_fields` are those of one example; it needs `image` and `mask`.
Result<train::Task> SegmentationTask(const std::string& name, const models::ModelConfig& model,
                                     const std::vector<NamedType>& example_fields);

extern const Objective kSegmentation;

// How well a mask agrees with the true one.
struct MaskAgreement {
  double accuracy = 0;  // share of the pixels that are right
  double mean_iou = 0;  // over the classes that either of them has

  std::string ToString() const;  // "98.1 % of the pixels are right, mean IoU 0.914"
};

// Of masks i32 [height, width], with one of `classes` a pixel. Pixels of which the true one says
// data::kIgnored are not counted; nothing where that is all of them.
std::optional<MaskAgreement> CompareMasks(const HostTensor& mask, const HostTensor& true_mask,
                                          int64_t classes);

}  // namespace headrace::run
