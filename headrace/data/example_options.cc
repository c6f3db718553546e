#include "headrace/data/example_options.h"

#include "headrace/data/view.h"

namespace headrace::data {

std::shared_ptr<const Dataset> ShuffledBy(std::optional<int64_t> seed,
                                          std::shared_ptr<const Dataset> dataset) {
  return seed ? Shuffled(std::move(dataset), static_cast<uint64_t>(*seed)) : dataset;
}

Result<std::shared_ptr<const Dataset>> ExampleOptions::Apply(std::shared_ptr<const Dataset> dataset) const {
  if (classes) HR_TRY(CheckLabels(*dataset, *classes));
  return ShuffledBy(shuffle_seed, std::move(dataset));
}

}  // namespace headrace::data
