#include <gtest/gtest.h>

#include "headrace/core/config.h"
#include "headrace/core/internal/sample_config.h"

namespace headrace::config {
namespace {

using internal::Sample;
using internal::Sgd;
using internal::Split;

TEST(ConfigWriter, WritesEveryField) {
  Sample sample;
  sample.source.path = "data/a.csv";
  sample.source.label = 784;
  EXPECT_EQ(DumpYaml(sample), R"(name: run
seed: 0
shuffle: true
dtype: f32
source:
  path: data/a.csv
  shape: [28, 28, 1]
  columns: []
  label: 784
  scale: null
  comment: null
split: null
optimizer:
  kind: adamw
  learning_rate: 0.001
  betas: [0.9, 0.999]
)");
}

TEST(ConfigWriter, WhatIsWrittenReadsBackTheSame) {
  Sample sample;
  sample.seed = std::numeric_limits<int64_t>::min();
  sample.source.path = "a";
  sample.source.scale = 0.1 + 0.2;
  sample.source.comment = "null";
  sample.split = Split{.train = 9, .eval = 2};
  sample.optimizer = Sgd{.learning_rate = 5e-324, .momentum = 1.0 / 3};
  for (const char* text :
       {"",    "no",      "True",     "12",        "1e3",  "- a",  "a: b", "a #b", "#",   "\"q\" \\ 'r'",
        " x ", "a\nb\tc", "\x01\x7f", "größe ✓",   "=",    "~",    "[a]",  "{a}",  "*a",  "&a",
        "!a",  "%a",      "@a",       "?",         "a:",   "0x10", ".inf", "-",    "---", "...",
        "<<",  "null",    "on",       "/dev/null", "../x", "a,b"}) {
    sample.name = text;
    sample.source.columns = {text, "x", text};
    Sample back;
    ASSERT_EQ(Load(DumpYaml(sample), "dump", {}, back).ToString(), "OK") << DumpYaml(sample);
    EXPECT_EQ(DumpYaml(back), DumpYaml(sample));
    EXPECT_EQ(back.name, text);
    EXPECT_EQ(back.source.columns, sample.source.columns);
    EXPECT_EQ(back.source.scale, sample.source.scale);
    EXPECT_EQ(back.source.comment, "null");
    EXPECT_EQ(back.seed, sample.seed);
    EXPECT_EQ(std::get<Sgd>(back.optimizer).learning_rate, 5e-324);
    EXPECT_EQ(std::get<Sgd>(back.optimizer).momentum, 1.0 / 3);
    EXPECT_EQ(back.split->eval, 2);
  }
}

struct Nothing {
  void Fields(Visitor&) {}
};
struct HoldsNothing {
  Nothing nothing;
  void Fields(Visitor& v) { v.Field("nothing", nothing, ""); }
};

TEST(ConfigWriter, AStructWithoutFields) {
  EXPECT_EQ(DumpYaml(HoldsNothing()), "nothing: {}\n");
  HoldsNothing back;
  EXPECT_TRUE(Load("nothing: {}", "x", {}, back).ok());
}

}  // namespace
}  // namespace headrace::config
