// ExampleOptions: what every source can do with its examples once it has read them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

inline void ShuffleSeedField(config::Visitor& v, std::optional<int64_t>& seed) {
  v.Field("shuffle_seed", seed,
          "Put the examples into a random order before they are split; the same for the same seed",
          config::AtLeast(0));
}

// The dataset in that order; as it is without a seed.
std::shared_ptr<const Dataset> ShuffledBy(std::optional<int64_t> seed,
                                          std::shared_ptr<const Dataset> dataset);

struct ExampleOptions {
  std::optional<int64_t> classes{};
  std::optional<int64_t> shuffle_seed{};

  void Fields(config::Visitor& v) {
    v.Field("classes", classes, "Check that every label is a class from 0 to classes - 1",
            config::AtLeast(1));
    ShuffleSeedField(v, shuffle_seed);
  }

  // The dataset, its labels checked and its order changed as the options say.
  Result<std::shared_ptr<const Dataset>> Apply(std::shared_ptr<const Dataset> dataset) const;
};

}  // namespace headrace::data
