// Normalize: each channel of an image less its mean, divided by its standard deviation.
//
//   normalize: {preset: imagenet}
//   normalize: {mean: [0.5], std: [0.25]}
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

// Numbers are of values from 0 to 1: one for each channel, or one for all.
struct NormalizeConfig {
  std::string preset = "none";
  std::vector<double> mean{}, std{};  // in place of a preset

  void Fields(config::Visitor& v);
  Status Validate() const;
};

// A value; safe to use from any thread. The default changes nothing.
class Normalizer {
 public:
  Normalizer() = default;
  // For images of type `image`. kInvalidArgument unless they are f32 [height, width, channels], with as many
  // channels as there are numbers.
  static Result<Normalizer> Create(const NormalizeConfig& config, const TensorType& image);

  void Apply(std::span<float> pixels) const;   // [..., channels]
  void Revert(std::span<float> pixels) const;  // what Apply made, back to 0 … 1

 private:
  std::vector<float> scale_, shift_;  // of each channel: value · scale + shift
};

// The dataset with its images normalized.
std::shared_ptr<const Dataset> Normalized(std::shared_ptr<const Dataset> dataset, Normalizer normalizer);

}  // namespace headrace::data
