// Augment: random changes of the images that are trained on, each time anew.
//
//   HR_TRY(Augment augment, Augment::Create({.affine = {.shift = 2, .rotate = 10}}, *dataset, seed));
//   HR_TRY(auto batches, TrainBatches::Create(dataset, {.batch_size = 100, .augment = augment}));
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/data/color_jitter.h"
#include "headrace/data/dataset.h"
#include "headrace/data/mix.h"
#include "headrace/data/normalize.h"
#include "headrace/data/rand_augment.h"
#include "headrace/data/random_affine.h"
#include "headrace/data/random_crop.h"

namespace headrace::data {

// In the order in which they are done.
struct AugmentConfig {
  std::optional<RandomResizedCrop> random_resized_crop{};
  double flip = 0;
  RandomAffine affine{};
  std::optional<ColorJitter> color_jitter{};
  std::optional<RandAugment> randaugment{};
  MixConfig mix{};

  void Fields(config::Visitor& v);
};

// What is done to the examples of one dataset. A value; what it draws is a pure function of the seed and of
// an example's position in the training sequence, or of a batch's index. Each kind of change draws numbers of
// its own, so that adding one leaves the others as they were.
struct Augment {
  // kInvalidArgument unless examples have a field `image`, f32 [height, width, channels]; for crops, one that
  // is cut out of pictures; for mixing, a `label` too.
  static Result<Augment> Create(const AugmentConfig& config, const Dataset& dataset, uint64_t seed);

  std::function<Box(int64_t position, int64_t height, int64_t width)> cut;  // empty: the dataset's own
  std::vector<Transform> transforms;
  std::optional<Mixer> mixer;
};

}  // namespace headrace::data
