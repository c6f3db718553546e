#include <gtest/gtest.h>

#include "headrace/core/config.h"
#include "headrace/core/internal/sample_config.h"

namespace headrace::config {
namespace {

using internal::AdamW;
using internal::Sample;
using internal::Sgd;

constexpr std::string_view kText = R"(name: mnist
seed: 7
source:
  path: data/mnist.csv   # a file
  shape: [28, 28, 1]
  label: 784
split: {train: 3000, eval: 500}
optimizer: {kind: sgd, learning_rate: 2e-3}
)";

// The error of loading `text`, "" if there is none.
std::string ErrorOf(std::string_view text, std::vector<std::string> overrides = {}) {
  Sample sample;
  const Status status = Load(text, "run.yaml", overrides, sample);
  EXPECT_TRUE(status.ok() || status.code() == Code::kInvalidArgument);
  return status.message();
}
// The same for `line` before a text that is right.
std::string ErrorOfLine(std::string_view line) {
  return ErrorOf(fmt::format("{}\nsource: {{path: a.csv}}\n", line));
}

TEST(ConfigReader, ReadsEveryKindOfField) {
  Sample sample;
  ASSERT_EQ(Load(kText, "run.yaml", {}, sample).ToString(), "OK");
  EXPECT_EQ(sample.name, "mnist");
  EXPECT_EQ(sample.seed, 7);
  EXPECT_TRUE(sample.shuffle);
  EXPECT_EQ(sample.source.path, "data/mnist.csv");
  EXPECT_EQ(sample.source.label, 784);
  EXPECT_EQ(sample.source.scale, std::nullopt);
  EXPECT_EQ(sample.split->eval, 500);
  EXPECT_DOUBLE_EQ(std::get<Sgd>(sample.optimizer).learning_rate, 2e-3);
}

TEST(ConfigReader, OverridesWinOverTheText) {
  Sample sample;
  const std::vector<std::string> overrides = {"seed=8",
                                              "source.shape=[8, 8]",
                                              "split=null",
                                              "optimizer={kind: adamw, betas: [0.5]}",
                                              "optimizer.learning_rate=0.5",
                                              "source.comment=a=b"};
  ASSERT_EQ(Load(kText, "run.yaml", overrides, sample).ToString(), "OK");
  EXPECT_EQ(sample.seed, 8);
  EXPECT_EQ(sample.source.shape, (std::vector<int64_t>{8, 8}));
  EXPECT_FALSE(sample.split.has_value());
  EXPECT_EQ(std::get<AdamW>(sample.optimizer).betas, std::vector<double>{0.5});
  EXPECT_EQ(std::get<AdamW>(sample.optimizer).learning_rate, 0.5);
  EXPECT_EQ(sample.source.comment, "a=b");
}

TEST(ConfigReader, TheKindMayStayAsItIs) {
  Sample sample;
  sample.optimizer = Sgd{.learning_rate = 3, .momentum = 0.5};
  ASSERT_TRUE(Load("optimizer: {learning_rate: 1}\nsource: {path: a}", "x", {}, sample).ok());
  EXPECT_EQ(std::get<Sgd>(sample.optimizer).learning_rate, 1);
  EXPECT_EQ(std::get<Sgd>(sample.optimizer).momentum, 0.5);
}

TEST(ConfigReader, StringsStayStrings) {
  for (const char* text : {"no", "true", "12", "1e3", "0x10", "a b", "null"}) {
    Sample sample;
    const std::string yaml =
        fmt::format("name: {}\nsource: {{path: a}}", text == std::string("null") ? "\"null\"" : text);
    ASSERT_EQ(Load(yaml, "x", {}, sample).ToString(), "OK");
    EXPECT_EQ(sample.name, text);
  }
  EXPECT_EQ(ErrorOfLine("name:"),
            "run.yaml:1:1: name: expected text, got nothing; write \"\" for empty text and quote \"null\"");
}

TEST(ConfigReader, WholeNumbers) {
  for (const auto& [text, value] : {std::pair{"1e3", 1000}, {"-12", -12}, {"2.0", 2}, {"1.5e1", 15}}) {
    Sample sample;
    ASSERT_EQ(Load(fmt::format("seed: {}\nsource: {{path: a}}", text), "x", {}, sample).ToString(), "OK");
    EXPECT_EQ(sample.seed, value);
  }
  EXPECT_EQ(ErrorOfLine("seed: many"), "run.yaml:1:7: seed: expected a whole number, got \"many\"");
  EXPECT_EQ(ErrorOfLine("seed: 1.5"), "run.yaml:1:7: seed: expected a whole number, got \"1.5\"");
  EXPECT_EQ(ErrorOfLine("seed: 1e-3"), "run.yaml:1:7: seed: expected a whole number, got \"1e-3\"");
  EXPECT_EQ(ErrorOfLine("seed: '5'"), "run.yaml:1:7: seed: expected a whole number, got the string \"5\"");
  EXPECT_EQ(ErrorOfLine("seed: [5]"), "run.yaml:1:7: seed: expected a whole number, got a list");
  EXPECT_EQ(ErrorOfLine("seed: 0x10"), "run.yaml:1:7: seed: expected a whole number, got \"0x10\"");
  EXPECT_EQ(ErrorOfLine("seed: 9223372036854775808"),
            "run.yaml:1:7: seed: 9223372036854775808 does not fit in 64 bits");
  EXPECT_EQ(ErrorOfLine("seed: 1e19"), "run.yaml:1:7: seed: 1e19 does not fit in 64 bits");
}

TEST(ConfigReader, BooleansAreTrueOrFalse) {
  Sample sample;
  ASSERT_TRUE(Load("shuffle: false\nsource: {path: a}", "x", {}, sample).ok());
  EXPECT_FALSE(sample.shuffle);
  for (const char* text : {"no", "False", "0", "off"}) {
    EXPECT_EQ(ErrorOfLine(fmt::format("shuffle: {}", text)),
              fmt::format("run.yaml:1:10: shuffle: expected true or false, got \"{}\"", text));
  }
  EXPECT_EQ(ErrorOfLine("shuffle:"), "run.yaml:1:1: shuffle: expected true or false, got nothing");
}

TEST(ConfigReader, WrongTypesInside) {
  EXPECT_EQ(ErrorOf("source:\n  path: a\n  shape: [28, x]"),
            "run.yaml:3:15: source.shape[1]: expected a whole number, got \"x\"");
  EXPECT_EQ(ErrorOf("source:\n  path: a\n  shape: 28"),
            "run.yaml:3:10: source.shape: expected a list in [ ], got \"28\"");
  EXPECT_EQ(ErrorOf("source: a"), "run.yaml:1:9: source: expected a mapping, got \"a\"");
  EXPECT_EQ(ErrorOf("- a"), "run.yaml:1:1: expected a mapping, got a list");
  EXPECT_EQ(ErrorOfLine("optimizer: sgd"),
            "run.yaml:1:12: optimizer: expected a mapping with kind (adamw, sgd), got \"sgd\"");
  EXPECT_EQ(ErrorOfLine("optimizer: {learning_rate: .nan}"),
            "run.yaml:1:28: optimizer.learning_rate: expected a number, got \".nan\"");
  EXPECT_EQ(ErrorOfLine("optimizer: {learning_rate: 1e999}"),
            "run.yaml:1:28: optimizer.learning_rate: 1e999 does not fit in a double");
}

TEST(ConfigReader, UnknownKeysNameTheNearest) {
  EXPECT_EQ(ErrorOf("split: {trian: 3}"),
            "run.yaml:1:9: split.trian: unknown key; did you mean split.train?");
  EXPECT_EQ(ErrorOf("sed: 3"), "run.yaml:1:1: sed: unknown key; did you mean seed?");
  EXPECT_EQ(ErrorOf("learning_rate: 3"),
            "run.yaml:1:1: learning_rate: unknown key; did you mean optimizer.learning_rate?");
  EXPECT_EQ(ErrorOf("split: {zebra: 3}"),
            "run.yaml:1:9: split.zebra: unknown key; keys of split: train, eval");
  EXPECT_EQ(
      ErrorOf("zebra: 3"),
      "run.yaml:1:1: zebra: unknown key; known keys: name, seed, shuffle, dtype, source, split, optimizer");
  EXPECT_EQ(ErrorOf("optimizer: {kind: sgd, betas: [1]}"),
            "run.yaml:1:24: optimizer.betas: unknown key; keys of optimizer: kind, learning_rate, momentum");
}

TEST(ConfigReader, UnknownKindsListTheKinds) {
  EXPECT_EQ(ErrorOf("optimizer: {kind: adam}"),
            "run.yaml:1:19: optimizer: unknown kind \"adam\", did you mean adamw?; kinds: adamw, sgd");
  EXPECT_EQ(ErrorOf("optimizer: {kind: lion}"),
            "run.yaml:1:19: optimizer: unknown kind \"lion\"; kinds: adamw, sgd");
}

TEST(ConfigReader, Limits) {
  EXPECT_EQ(ErrorOfLine("split: {train: -3}"), "run.yaml:1:9: split.train: must be at least 1, got -3");
  EXPECT_EQ(ErrorOfLine("optimizer: {learning_rate: 0}"),
            "run.yaml:1:13: optimizer.learning_rate: must be greater than 0, got 0");
  EXPECT_EQ(ErrorOfLine("optimizer: {betas: [0.5, 1.5]}"),
            "run.yaml:1:13: optimizer.betas: element 1: must be between 0 and 1, got 1.5");
  EXPECT_EQ(ErrorOfLine("dtype: f23"),
            "run.yaml:1:1: dtype: must be one of f32, bf16; got \"f23\", did you mean f32?");
  EXPECT_EQ(ErrorOf("source: {path: ''}"), "run.yaml:1:10: source.path: must not be empty");
  EXPECT_EQ(ErrorOf("source: {label: 3}"), "run.yaml:1:1: source.path: is missing: The file to read");
  EXPECT_EQ(ErrorOf(""), "run.yaml: source.path: is missing: The file to read");
}

TEST(ConfigReader, ValidateIsReportedWhereItBelongs) {
  EXPECT_EQ(ErrorOfLine("split: {eval: 50, train: 3}"), "run.yaml:1:9: split.eval: 50 is more than train, 3");
  EXPECT_EQ(ErrorOfLine("split: {eval: 5000, train: 6000}"),
            "run.yaml:1:1: split: there are 10000 examples, not 11000");
  EXPECT_EQ(ErrorOf(kText, {"split.eval=5e3"}),
            "override \"split.eval=5e3\": split.eval: 5000 is more than train, 3000");
}

TEST(ConfigReader, OverridesThatAreWrong) {
  EXPECT_EQ(ErrorOf(kText, {"split.trian=3"}),
            "override \"split.trian=3\": split.trian: unknown key; did you mean split.train?");
  EXPECT_EQ(ErrorOf(kText, {"spilt.train=3"}),
            "override \"spilt.train=3\": spilt: unknown key; did you mean split?");
  EXPECT_EQ(ErrorOf(kText, {"train=3"}),
            "override \"train=3\": train: unknown key; did you mean split.train?");
  EXPECT_EQ(ErrorOf(kText, {"seed=many"}),
            "override \"seed=many\": seed: expected a whole number, got \"many\"");
  EXPECT_EQ(ErrorOf(kText, {"seed.x=1"}), "override \"seed.x=1\": seed is \"7\", which holds no key x");
  EXPECT_EQ(ErrorOf(kText, {"seed"}), "override \"seed\": expected key=value, such as train.steps=100");
  EXPECT_EQ(ErrorOf(kText, {"=3"}), "override \"=3\": expected key=value, such as train.steps=100");
  EXPECT_EQ(ErrorOf(kText, {"optimizer.kind=lion"}),
            "override \"optimizer.kind=lion\": optimizer: unknown kind \"lion\"; kinds: adamw, sgd");
}

}  // namespace
}  // namespace headrace::config
