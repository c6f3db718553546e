#include "headrace/data/random_crop.h"

#include <algorithm>
#include <cmath>

namespace headrace::data {
namespace {

Status CheckRange(std::string_view name, const std::vector<double>& range) {
  if (range.size() == 2 && range[0] > 0 && range[0] <= range[1]) return Ok();
  return InvalidArgument("{}: must be two positive numbers, the smaller one first", name);
}

// Whole numbers from 0 to `most`, all as likely.
int64_t DrawUpTo(int64_t most, CounterRandom& random) {
  return std::min(most, static_cast<int64_t>(random.Uniform(0, static_cast<double>(most + 1))));
}

}  // namespace

void RandomResizedCrop::Fields(config::Visitor& v) {
  v.Field("scale", scale, "Area of the part as a share of the picture: least and most",
          config::Between(0, 1));
  v.Field("ratio", ratio, "Width of the part to its height: least and most", config::Positive());
}

Status RandomResizedCrop::Validate() const {
  HR_TRY(CheckRange("scale", scale));
  return CheckRange("ratio", ratio);
}

Box RandomResizedCrop::Draw(int64_t height, int64_t width, CounterRandom random) const {
  constexpr int kAttempts = 10;
  const auto rows = static_cast<double>(height), columns = static_cast<double>(width);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const double area = rows * columns * random.Uniform(scale[0], scale[1]);
    const double shape = std::exp(random.Uniform(std::log(ratio[0]), std::log(ratio[1])));
    Box box{.height = std::lround(std::sqrt(area / shape)), .width = std::lround(std::sqrt(area * shape))};
    if (box.height < 1 || box.width < 1 || box.height > height || box.width > width) continue;
    box.top = DrawUpTo(height - box.height, random);
    box.left = DrawUpTo(width - box.width, random);
    return box;
  }
  // A picture too long for any of them: its middle, as long as the ratio allows.
  Box box{.height = height, .width = width};
  if (columns / rows < ratio[0]) box.height = std::max(1L, std::lround(columns / ratio[0]));
  if (columns / rows > ratio[1]) box.width = std::max(1L, std::lround(rows * ratio[1]));
  box.height = std::min(box.height, height);
  box.width = std::min(box.width, width);
  box.top = (height - box.height) / 2;
  box.left = (width - box.width) / 2;
  return box;
}

}  // namespace headrace::data
