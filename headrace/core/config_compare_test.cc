#include <gtest/gtest.h>

#include "headrace/core/config.h"
#include "headrace/core/internal/sample_config.h"

namespace headrace::config {
namespace {

using internal::Sample;
using internal::Sgd;
using internal::Split;

std::string Show(const Sample& before, const Sample& after) {
  std::string out;
  for (const Difference& difference : Compare(before, after)) {
    out += fmt::format("{}: {} -> {}\n", difference.key, difference.before, difference.after);
  }
  return out;
}

TEST(ConfigCompare, EqualConfigsDoNotDiffer) { EXPECT_EQ(Show(Sample(), Sample()), ""); }

TEST(ConfigCompare, NamesEveryLeafThatDiffers) {
  Sample before, after;
  after.seed = 3;
  after.source.shape = {8, 8};
  after.source.label = 64;
  EXPECT_EQ(Show(before, after),
            "seed: 0 -> 3\nsource.shape: [28, 28, 1] -> [8, 8]\nsource.label: null -> 64\n");
}

TEST(ConfigCompare, ADifferentKindHasOtherKeys) {
  Sample before, after;
  after.optimizer = Sgd();
  EXPECT_EQ(Show(before, after),
            "optimizer.kind: adamw -> sgd\n"
            "optimizer.learning_rate: 0.001 -> 0.1\n"
            "optimizer.betas: [0.9, 0.999] -> \n"
            "optimizer.momentum:  -> 0\n");
}

TEST(ConfigCompare, AStructThatAppears) {
  Sample before, after;
  after.split = Split();
  EXPECT_EQ(Show(before, after), "split: null -> \nsplit.train:  -> 4000\nsplit.eval:  -> 1000\n");
  EXPECT_EQ(Show(after, before), "split.train: 4000 -> \nsplit.eval: 1000 -> \nsplit:  -> null\n");
}

}  // namespace
}  // namespace headrace::config
