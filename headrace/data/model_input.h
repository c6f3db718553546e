// ModelInput: single pictures and arrays as what a model takes, made in the way in which the data of its run
// is made, and shown again. Needs no data, only the config.
//
//   HR_TRY(ModelInput input, ModelInput::Create(config.data, {"image", {DType::kF32, {224, 224, 3}}}));
//   HR_TRY(HostTensor x, input.FromPicture(picture));
//   HostTensor seen = input.ToPicture(x);
#pragma once

#include <optional>

#include "headrace/data/pipeline.h"

namespace headrace::data {

// A value; safe to use from any thread.
class ModelInput {
 public:
  // For a model that takes `example`, without the batch. kInvalidArgument if the config does not fit it.
  static Result<ModelInput> Create(const DataConfig& config, NamedType example);

  const NamedType& example() const { return example_; }
  // Whether it is an image, gray or in color.
  bool is_picture() const;
  // Whether pictures are fitted as the data source fits its own; others are squeezed to the image's size.
  bool fits_pictures() const { return fit_.has_value(); }

  // REQUIRES: is_picture(); `picture` is u8 [height, width, 1 or 3], not empty
  Result<HostTensor> FromPicture(const HostTensor& picture) const;
  // Of values as they stand in the source's files. REQUIRES: f32 of the example's shape
  HostTensor FromValues(const HostTensor& values) const;
  // What the model sees, as u8. REQUIRES: is_picture()
  HostTensor ToPicture(const HostTensor& input) const;

 private:
  NamedType example_;
  double scale_ = 1;
  Normalizer normalizer_;
  std::optional<ImageFit> fit_;
};

}  // namespace headrace::data
