#include "headrace/data/split.h"

#include <algorithm>
#include <cmath>

#include "headrace/data/view.h"

namespace headrace::data {
namespace {

bool IsShares(const SplitConfig& config) { return config.train <= 1 && config.eval <= 1; }

}  // namespace

Status SplitConfig::Validate() const {
  if (IsShares(*this)) {
    constexpr double kRounding = 1e-9;
    if (train + eval > 1 + kRounding)
      return InvalidArgument("shares train {} and eval {} exceed the whole", train, eval);
    return Ok();
  }
  for (double count : {train, eval}) {
    if (count != std::floor(count)) {
      return InvalidArgument(
          "{} is no number of examples; for shares of the data, train and eval must both "
          "be at most 1",
          count);
    }
  }
  return Ok();
}

Result<Splits> Split(const std::shared_ptr<const Dataset>& dataset, const SplitConfig& config) {
  HR_TRY(config.Validate());
  const auto size = static_cast<double>(dataset->size());
  double train = config.train;
  double eval = config.eval;
  if (IsShares(config)) {
    train = std::round(train * size);
    eval = std::min(std::round(eval * size), size - train);
  } else if (train + eval > size) {
    return InvalidArgument("{} holds {} examples, but the split asks for {} to train and {} to evaluate",
                           dataset->Name(), size, train, eval);
  }
  const auto train_count = static_cast<int64_t>(train);
  return Splits{Slice(dataset, 0, train_count), Slice(dataset, train_count, static_cast<int64_t>(eval))};
}

}  // namespace headrace::data
