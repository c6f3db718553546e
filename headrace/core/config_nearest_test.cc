#include <gtest/gtest.h>

#include "headrace/core/config.h"

namespace headrace::config {
namespace {

std::string NearestOf(std::string_view name) {
  static const std::vector<std::string> kKnown = {"train", "steps", "global_batch_size", "seed", "x"};
  return Nearest(name, kKnown).value_or("");
}

TEST(Nearest, FindsWhatWasMeant) {
  EXPECT_EQ(NearestOf("stps"), "steps");
  EXPECT_EQ(NearestOf("tarin"), "train");  // one transposition
  EXPECT_EQ(NearestOf("TRAIN"), "train");
  EXPECT_EQ(NearestOf("global-batch-size"), "global_batch_size");
  EXPECT_EQ(NearestOf("batch_size"), "");
  EXPECT_EQ(NearestOf("seeds"), "seed");
}

TEST(Nearest, FindsNothingWhereNothingIsNear) {
  EXPECT_EQ(NearestOf("optimizer"), "");
  EXPECT_EQ(NearestOf("ab"), "");
  EXPECT_EQ(NearestOf("y"), "");  // all of it would have to change
  EXPECT_EQ(NearestOf(""), "");
  EXPECT_EQ(NearestOf(std::string(100, 'x')), "");
  EXPECT_EQ(Nearest("a", {}), std::nullopt);
}

TEST(Nearest, KnowsInitials) {
  const std::vector<std::string> known = {"l1", "learning_rate", "weight_decay"};
  EXPECT_EQ(Nearest("lr", known), "learning_rate");
  EXPECT_EQ(Nearest("WD", known), "weight_decay");
}

TEST(Nearest, PrefersTheFirstOfEquals) {
  const std::vector<std::string> known = {"form", "farm"};
  EXPECT_EQ(Nearest("frm", known), "form");
}

}  // namespace
}  // namespace headrace::config
