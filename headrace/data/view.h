// Views of a dataset: some of its examples, or all of them in another order. They hold no examples
// themselves; Where and Sha256 are those of what lies below.
//
//   auto mixed = Shuffled(digits, 7);        // the same order for the same seed, for ever
//   auto first_hundred = Slice(mixed, 0, 100);
#pragma once

#include <cstdint>
#include <memory>

#include "headrace/data/dataset.h"

namespace headrace::data {

// Examples begin … begin + count - 1. REQUIRES: they exist
std::shared_ptr<const Dataset> Slice(std::shared_ptr<const Dataset> dataset, int64_t begin, int64_t count);

// Every example once, in the order IndexShuffle(size, seed, 0).
std::shared_ptr<const Dataset> Shuffled(std::shared_ptr<const Dataset> dataset, uint64_t seed);

}  // namespace headrace::data
