#include "headrace/data/normalize.h"

#include <array>
#include <string_view>

#include "headrace/data/internal/vector_clones.h"

namespace headrace::data {
namespace {

constexpr std::string_view kNoPreset = "none";

struct Preset {
  std::string_view name;
  std::array<double, 3> mean, std;
};

// What well-known weights were trained with.
constexpr std::array kPresets = {
    Preset{"imagenet", {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}},  // torchvision's
    Preset{"clip", {0.48145466, 0.4578275, 0.40821073}, {0.26862954, 0.26130258, 0.27577711}},
    Preset{"inception", {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}},  // also MobileNet and ViT: -1 to 1
    Preset{"efficientnet_lite",
           {127.0 / 255, 127.0 / 255, 127.0 / 255},
           {128.0 / 255, 128.0 / 255, 128.0 / 255}},
};

std::vector<std::string_view> PresetNames() {
  std::vector<std::string_view> names = {kNoPreset};
  for (const Preset& preset : kPresets) names.push_back(preset.name);
  return names;
}

class NormalizedDataset final : public Dataset {
 public:
  NormalizedDataset(std::shared_ptr<const Dataset> below, Normalizer normalizer)
      : below_(std::move(below)),
        normalizer_(std::move(normalizer)),
        image_(FindField(below_->fields(), kImage)) {}

  std::string Name() const override { return below_->Name(); }
  std::string Where(int64_t index) const override { return below_->Where(index); }
  std::string Sha256() const override { return below_->Sha256(); }
  int64_t size() const override { return below_->size(); }
  const std::vector<NamedType>& fields() const override { return below_->fields(); }
  Status Fill(int64_t index, Row row) const override {
    HR_TRY(below_->Fill(index, row));
    normalizer_.Apply(FloatsOf(row[image_]));
    return Ok();
  }
  std::optional<int32_t> KnownLabel(int64_t index) const override { return below_->KnownLabel(index); }
  std::vector<std::string> ClassNames() const override { return below_->ClassNames(); }
  std::shared_ptr<const SkippedExamples> Skipped() const override { return below_->Skipped(); }

 private:
  std::shared_ptr<const Dataset> below_;
  Normalizer normalizer_;
  int image_;
};

}  // namespace

void NormalizeConfig::Fields(config::Visitor& v) {
  v.OneOf("preset", preset, PresetNames(), "Mean and deviation that well-known weights were trained with");
  v.Field("mean", mean, "Mean of each channel, of values from 0 to 1; or one for all");
  v.Field("std", std, "Standard deviation of each channel, or one for all", config::Positive());
}

Status NormalizeConfig::Validate() const {
  if ((preset == kNoPreset) == mean.empty())
    return InvalidArgument("normalize needs either a preset, or mean and std");
  if (mean.size() != std.size()) {
    return InvalidArgument("mean has {} numbers and std {}; give as many of both", mean.size(), std.size());
  }
  return Ok();
}

Result<Normalizer> Normalizer::Create(const NormalizeConfig& config, const TensorType& image) {
  HR_TRY(config.Validate());
  if (image.dtype != DType::kF32 || image.shape.rank() != 3) {
    return InvalidArgument("normalize: images are {}, expected f32[height, width, channels]",
                           image.ToString());
  }
  std::vector<double> mean = config.mean, std = config.std;
  for (const Preset& preset : kPresets) {
    if (preset.name != config.preset) continue;
    mean.assign(preset.mean.begin(), preset.mean.end());
    std.assign(preset.std.begin(), preset.std.end());
  }
  const auto channels = static_cast<size_t>(image.shape[2]);
  if (mean.size() != 1 && mean.size() != channels) {
    return InvalidArgument(
        "normalize: {} for {} channels, but images have {}",
        config.preset == kNoPreset ? "mean and std are" : fmt::format("preset {} is", config.preset),
        mean.size(), channels);
  }
  Normalizer normalizer;
  for (size_t c = 0; c < channels; ++c) {
    const size_t from = mean.size() == 1 ? 0 : c;
    normalizer.scale_.push_back(static_cast<float>(1 / std[from]));
    normalizer.shift_.push_back(static_cast<float>(-mean[from] / std[from]));
  }
  return normalizer;
}

HR_VECTOR_CLONES
void Normalizer::Apply(std::span<float> pixels) const {
  const size_t channels = scale_.size();
  for (size_t c = 0; c < channels; ++c) {
    const float scale = scale_[c], shift = shift_[c];
    for (size_t i = c; i < pixels.size(); i += channels) pixels[i] = pixels[i] * scale + shift;
  }
}

void Normalizer::Revert(std::span<float> pixels) const {
  const size_t channels = scale_.size();
  for (size_t i = 0; channels > 0 && i < pixels.size(); ++i) {
    pixels[i] = (pixels[i] - shift_[i % channels]) / scale_[i % channels];
  }
}

std::shared_ptr<const Dataset> Normalized(std::shared_ptr<const Dataset> dataset, Normalizer normalizer) {
  return std::make_shared<NormalizedDataset>(std::move(dataset), std::move(normalizer));
}

}  // namespace headrace::data
