#include "headrace/data/example_options.h"

#include "headrace/data/view.h"

namespace headrace::data {

Result<std::shared_ptr<const Dataset>> ExampleOptions::Apply(std::shared_ptr<const Dataset> dataset) const {
  if (classes) HR_TRY(CheckLabels(*dataset, *classes));
  if (shuffle_seed) return Shuffled(std::move(dataset), static_cast<uint64_t>(*shuffle_seed));
  return dataset;
}

}  // namespace headrace::data
