// Mappings from names of the user's own, as every visitor sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/core/config.h"

namespace headrace::config {
namespace {

struct Rates {
  std::map<std::string, double> rates;
  void Fields(Visitor& v) { v.Field("rates", rates, "By pattern", AtLeast(0)); }
};

Status LoadRates(std::string_view text, Rates& rates) { return Load(text, "run.yaml", {}, rates); }

TEST(ConfigMap, ReadsNamesOfTheUsersOwn) {
  Rates rates;
  ASSERT_TRUE(LoadRates("rates: {\"backbone.*\": 0.1, head: 2}", rates).ok());
  EXPECT_THAT(rates.rates,
              ::testing::ElementsAre(::testing::Pair("backbone.*", 0.1), ::testing::Pair("head", 2)));
  const std::vector<std::string> overrides = {"rates={\"*\": 3}"};
  ASSERT_TRUE(Load("rates: {a: 1}", "run.yaml", overrides, rates).ok());
  EXPECT_THAT(rates.rates, ::testing::ElementsAre(::testing::Pair("*", 3)));
}

TEST(ConfigMap, WhatIsWrittenReadsBackTheSame) {
  Rates rates, back;
  rates.rates = {{"a: b", 0.5}, {"layers.*", 1e-3}, {"null", 0}};
  EXPECT_EQ(DumpYaml(rates), "rates: {\"a: b\": 0.5, \"layers.*\": 0.001, \"null\": 0}\n");
  ASSERT_TRUE(LoadRates(DumpYaml(rates), back).ok());
  EXPECT_EQ(back.rates, rates.rates);
}

TEST(ConfigMap, ErrorsNameTheElement) {
  Rates rates;
  EXPECT_EQ(LoadRates("rates: 3", rates).message(),
            "run.yaml:1:8: rates: expected a mapping in { }, got \"3\"");
  EXPECT_EQ(LoadRates("rates: {a: x}", rates).message(),
            "run.yaml:1:12: rates[a]: expected a number, got \"x\"");
  EXPECT_EQ(LoadRates("rates: {a: 1, b: -1}", rates).message(),
            "run.yaml:1:1: rates: \"b\": must be at least 0, got -1");
}

TEST(ConfigMap, ComparesAsOneValue) {
  Rates before, after;
  after.rates = {{"a", 1}};
  const auto differences = Compare(before, after);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].key, "rates");
  EXPECT_EQ(differences[0].after, "{a: 1}");
}

TEST(ConfigMap, TheSchemaLimitsItsElements) {
  const std::string schema = JsonSchema(StructRef::Defaults<Rates>(), "Rates");
  EXPECT_THAT(schema,
              ::testing::HasSubstr(
                  "\"additionalProperties\": {\n        \"type\": \"number\",\n        \"minimum\": 0"));
}

}  // namespace
}  // namespace headrace::config
