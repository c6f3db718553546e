// Split: which examples are trained on, and which are held out.
//
//   HR_TRY(Splits splits, Split(digits, {.train = 4000, .eval = 1000}));   // counts
//   HR_TRY(Splits splits, Split(digits, {.train = 0.8, .eval = 0.2}));     // or shares of what there is
#pragma once

#include <memory>

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

// Whole numbers of examples; or shares of all of them, where neither is above 1. The examples for training
// come first, those held out right behind them. By default everything is trained on.
struct SplitConfig {
  double train = 1;
  double eval = 0;

  void Fields(config::Visitor& v) {
    v.Field("train", train, "Examples to train on: a number, or a share of all if train and eval are <= 1",
            config::AtLeast(0));
    v.Field("eval", eval, "Examples held out to evaluate on, next after those", config::AtLeast(0));
  }
  Status Validate() const;
};

struct Splits {
  std::shared_ptr<const Dataset> train;
  std::shared_ptr<const Dataset> eval;
};

// kInvalidArgument if the data holds fewer examples than are asked for; says how many it holds.
Result<Splits> Split(const std::shared_ptr<const Dataset>& dataset, const SplitConfig& config);

}  // namespace headrace::data
