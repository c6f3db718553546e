#include "headrace/data/augment.h"

#include <algorithm>

#include "headrace/data/counter_random.h"

namespace headrace::data {
namespace {

// Mirrors values [height, width, channels] left to right.
template <class T>
void Mirror(std::span<T> values, int64_t width, int64_t channels) {
  for (auto line = values.begin(); line != values.end(); line += width * channels) {
    std::reverse(line, line + width * channels);
    for (auto pixel = line; pixel != line + width * channels; pixel += channels)
      std::reverse(pixel, pixel + channels);
  }
}

// Mirrors images left to right, and their masks (none: -1), each with this probability.
Transform Flip(double probability, int image, int mask, const Shape& shape, uint64_t seed) {
  return [=](int64_t position, Row row) {
    CounterRandom random(seed, RandomStream::kFlip, static_cast<uint64_t>(position));
    if (random.Uniform(0, 1) >= probability) return;
    Mirror(FloatsOf(row[image]), shape[1], shape[2]);
    if (mask >= 0) Mirror(IntsOf(row[mask]), shape[1], 1);
  };
}

}  // namespace

void AugmentConfig::Fields(config::Visitor& v) {
  v.Field("random_resized_crop", random_resized_crop, "Train on a random part of each picture, resized");
  v.Field("flip", flip, "Mirror images left to right, with this probability", config::Between(0, 1));
  affine.Fields(v);
  v.Field("color_jitter", color_jitter, "Change brightness, contrast, saturation and hue");
  v.Field("randaugment", randaugment, "A few random changes out of fourteen kinds (RandAugment)");
  v.Field("mixup", mix.mixup,
          "Blend pairs of images and labels; alpha of the shares' Beta distribution (mixup)",
          config::AtLeast(0));
  v.Field("cutmix", mix.cutmix,
          "Paste a part of one image into another; alpha of the areas' distribution (CutMix)",
          config::AtLeast(0));
}

Result<Augment> Augment::Create(const AugmentConfig& config, const Dataset& dataset, uint64_t seed) {
  const int image = FindField(dataset.fields(), kImage);
  if (image < 0) {
    return InvalidArgument(
        "augment: examples have no field '{}'; give the data source an image shape, or leave augment out",
        kImage);
  }
  const TensorType& type = dataset.fields()[image].type;
  if (type.dtype != DType::kF32 || type.shape.rank() != 3) {
    return InvalidArgument("augment: images are {}, expected f32[height, width, channels]", type.ToString());
  }
  const int mask = FindField(dataset.fields(), kMask);
  const bool mixes = config.mix.mixup > 0 || config.mix.cutmix > 0;
  if (mask >= 0 && (config.randaugment || mixes)) {
    return InvalidArgument(
        "{} their masks as they are; use flip, shift, rotate, zoom, random_resized_crop and color_jitter",
        mixes ? "augment.mixup, augment.cutmix: change images and leave"
              : "augment.randaugment: changes images and leaves");
  }
  Augment augment;
  if (config.random_resized_crop) {
    if (!dataset.can_cut()) {
      return InvalidArgument(
          "augment.random_resized_crop: {} has no pictures of their own sizes to cut from; use shift and "
          "zoom",
          dataset.Name());
    }
    augment.cut = [crop = *config.random_resized_crop, seed](int64_t position, int64_t height,
                                                             int64_t width) {
      return crop.Draw(height, width,
                       CounterRandom(seed, RandomStream::kCrop, static_cast<uint64_t>(position)));
    };
  }
  const Shape& shape = type.shape;
  if (config.flip > 0) augment.transforms.push_back(Flip(config.flip, image, mask, shape, seed));
  if (!config.affine.DoesNothing()) {
    augment.transforms.push_back(config.affine.Make(image, shape, seed));
    if (mask >= 0) {
      augment.transforms.push_back(config.affine.MakeForMasks(mask, dataset.fields()[mask].type.shape, seed));
    }
  }
  if (config.color_jitter) augment.transforms.push_back(config.color_jitter->Make(image, shape, seed));
  if (config.randaugment) augment.transforms.push_back(config.randaugment->Make(image, shape, seed));
  if (mixes) {
    if (FindField(dataset.fields(), kLabel) < 0) {
      return InvalidArgument("augment: mixup and cutmix need examples with a field '{}'", kLabel);
    }
    augment.mixer.emplace(config.mix, seed);
  }
  return augment;
}

}  // namespace headrace::data
