#include "headrace/data/model_input.h"

#include <algorithm>

#include "headrace/core/check.h"
#include "headrace/data/image.h"

namespace headrace::data {

Result<ModelInput> ModelInput::Create(const DataConfig& config, NamedType example) {
  ModelInput input;
  input.example_ = std::move(example);
  std::visit(
      [&](const auto& source) {
        input.scale_ = source.Scale();
        if constexpr (requires { source.Fit(); }) input.fit_ = source.Fit();
      },
      config.source);
  if (config.normalize) {
    HR_TRY(input.normalizer_, Normalizer::Create(*config.normalize, input.example_.type));
  }
  return input;
}

bool ModelInput::is_picture() const {
  const Shape& shape = example_.type.shape;
  return shape.rank() == 3 && (shape[2] == 1 || shape[2] == 3);
}

Result<HostTensor> ModelInput::FromPicture(const HostTensor& picture) const {
  HostTensor image;
  if (fit_) {
    HR_CHECK(fit_->shape() == example_.type.shape);
    image = fit_->Middle(picture);
  } else {
    HR_TRY(image, FitImage(picture, example_.type.shape, scale_));
  }
  normalizer_.Apply(image.mutable_data<float>());
  return image;
}

HostTensor ModelInput::FromValues(const HostTensor& values) const {
  HR_CHECK(values.type() == example_.type);
  HostTensor input(example_.type);
  std::ranges::transform(values.data<float>(), input.mutable_data<float>().begin(),
                         [&](float value) { return static_cast<float>(value / scale_); });
  normalizer_.Apply(input.mutable_data<float>());
  return input;
}

HostTensor ModelInput::ToPicture(const HostTensor& input) const {
  HostTensor image = HostTensor::CopyOf(input.type(), input.bytes());
  normalizer_.Revert(image.mutable_data<float>());
  HostTensor picture({DType::kU8, image.shape()});
  for (int64_t i = 0; i < image.size(); ++i) {
    picture.Set(i, std::clamp(image.At(i) * scale_ * 255 / std::max(scale_, 1.0), 0.0, 255.0));
  }
  return picture;
}

}  // namespace headrace::data
