// Mix: examples of a batch blended with their neighbors, pictures and labels alike. Mixup (Zhang et al.,
// 2017) adds pictures, CutMix (Yun et al., 2019) pastes a rectangle of the one into the other.
//
// Each example is mixed with the one before it in the batch, the first with the last; as training goes
// through the data in random order, that is a random one. The share of its own is drawn once a batch. What is
// drawn is a pure function of the seed and the batch's index.
//
//   const Mixer mixer({.mixup = 0.2, .cutmix = 1}, seed);
//   mixer(batch);     // field `image` changed; fields `mix_label`, `mix_share` filled
#pragma once

#include <string_view>
#include <vector>

#include "headrace/data/counter_random.h"
#include "headrace/data/resize.h"
#include "headrace/tensor/named_tensor.h"

namespace headrace::data {

// Fields that a mixed batch has more.
inline constexpr std::string_view kMixLabel = "mix_label";  // i32 [batch], the class of what was mixed in
inline constexpr std::string_view kMixShare =
    "mix_share";  // f32 [batch], the share of the example's own class

struct MixConfig {
  double mixup = 0;   // alpha of the Beta distribution that shares are drawn from; 0 for none
  double cutmix = 0;  // likewise; with both, each batch is mixed in one way or the other
};

// A number from Beta(alpha, alpha).
double DrawBeta(double alpha, CounterRandom& random);

// The rectangle that is pasted, of about 1 - share of the area, cut where it leaves the picture.
Box DrawPatch(double share, int64_t height, int64_t width, CounterRandom& random);

class Mixer {
 public:
  Mixer(MixConfig config, uint64_t seed) : config_(config), seed_(seed) {}

  // The types of the fields that are added.
  static std::vector<NamedType> MoreFields(int64_t batch_size);

  // Mixes batch `index` in place. `fields` hold `image` f32 [batch, height, width, channels], `label` i32
  // [batch], those of MoreFields, and perhaps `weight`: what has weight 0 is not mixed into others.
  void operator()(int64_t index, std::vector<NamedTensor>& fields) const;

 private:
  MixConfig config_;
  uint64_t seed_;
};

}  // namespace headrace::data
