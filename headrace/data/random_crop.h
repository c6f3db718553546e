// RandomResizedCrop: a random part of each picture that is trained on, each time another, which is then
// brought to the size that the model takes (Szegedy et al., "Going deeper with convolutions", 2014). As
// torchvision's.
#pragma once

#include <vector>

#include "headrace/core/config.h"
#include "headrace/data/counter_random.h"
#include "headrace/data/resize.h"

namespace headrace::data {

struct RandomResizedCrop {
  std::vector<double> scale = {0.08, 1};        // share of the area, from … to
  std::vector<double> ratio = {0.75, 4.0 / 3};  // width to height, from … to

  void Fields(config::Visitor& v);
  Status Validate() const;
  // The part of a picture of so many rows and columns.
  Box Draw(int64_t height, int64_t width, CounterRandom random) const;
};

}  // namespace headrace::data
