// Training on text and `headrace generate`, as a user sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/cli/test/tiny_run.h"

namespace headrace::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A run that learns to say the alphabet. It sees no more than 11 letters, so that windows begin at every one.
class Alphabet : public ProgramFolder {
 public:
  Alphabet() {
    std::string text;
    for (int i = 0; i < 4000; ++i) text += static_cast<char>('a' + i % 26);
    Write("text/letters.txt", text);
    Write("letters.yaml", R"(name: letters
seed: 7
model: {kind: gpt, n_layer: 1, n_head: 2, n_embd: 32, n_positions: 11}
data: {source: {format: text, path: text/*.txt, length: 11}, split: {train: 0.9, eval: 0.1}}
train: {steps: 150, global_batch_size: 16}
optimizer: {kind: adamw, learning_rate: 1e-2}
schedule: {kind: constant}
checkpoint: {every: 75}
)");
    trained = Run("train letters.yaml --json");
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
  }

  std::string Generate(const std::string& arguments) {
    const Outcome outcome = Run("generate runs/letters " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  std::string GenerateError(const std::string& arguments, int exit_code) {
    const Outcome outcome = Run("generate " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  Outcome trained;
};

TEST(Generate, WritesWhatTheModelLearned) {
  Alphabet letters;
  EXPECT_THAT(letters.trained.out, AllOf(HasSubstr("\"loss\": "), HasSubstr("\"perplexity\": "),
                                         HasSubstr("\"bits_per_byte\": "), HasSubstr("\"examples\": 36")));
  EXPECT_THAT(letters.Run("eval runs/letters").out, HasSubstr("bits_per_byte"));

  // Far beyond what it sees at once, and from the middle of the alphabet.
  EXPECT_EQ(letters.Generate("--prompt hijkl --tokens 40 --temperature 0"),
            "hijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n");

  const std::string text = letters.Generate("--tokens 50 --temperature 2 --seed 5");
  EXPECT_EQ(text.size(), 51);
  EXPECT_EQ(letters.Generate("--tokens 50 --temperature 2 --seed 5"), text);
  EXPECT_NE(letters.Generate("--tokens 50 --temperature 2 --seed 6"), text);
  EXPECT_EQ(letters.Generate("--prompt xy --tokens 3 --temperature 2 --top-k 1"), "xyzab\n");
  EXPECT_EQ(letters.Generate("--prompt xy --tokens 3 --temperature 2 --top-p 0.001"), "xyzab\n");

  EXPECT_THAT(letters.Generate("--prompt xy --tokens 3 --temperature 0 --json --checkpoint 150"),
              AllOf(StartsWith("{\"checkpoint\":\"runs/letters/checkpoints/step-000150\""),
                    HasSubstr("\"prompt\":\"xy\",\"text\":\"zab\",\"tokens\":3"), EndsWith("}\n")));
}

TEST(Generate, SaysWhatIsWrong) {
  Alphabet letters;
  EXPECT_THAT(letters.GenerateError("runs/gone", 2), HasSubstr("there is no run at runs/gone"));
  EXPECT_THAT(letters.GenerateError("runs/letters --temperature -1", 2),
              HasSubstr("temperature: must be a number of at least 0, got -1"));
  EXPECT_THAT(letters.GenerateError("runs/letters --top-p half", 2),
              HasSubstr("--top-p: expected a number, got \"half\""));
  EXPECT_THAT(letters.GenerateError("runs/letters --checkpoint 76", 2), HasSubstr("75, 150"));
  const Outcome predict = letters.Run("predict runs/letters --example 0");
  EXPECT_EQ(predict.exit_code, 2);
  EXPECT_THAT(predict.err,
              HasSubstr("the model of runs/letters is of kind gpt, which is not for `headrace predict`: use "
                        "`headrace generate runs/letters`"));
}

TEST(Generate, TakesTheBestByWhatFollowsFromTheLoss) {
  Alphabet letters;
  const Outcome trained = letters.Run(
      "train letters.yaml --out best train.steps=20 train.eval_every=5 'checkpoint.best={metric: "
      "bits_per_byte, "
      "mode: min}' 'train.early_stopping={metric: perplexity, mode: max, patience: 2}'");
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  // Perplexity falls, which is not what was asked for here; bits a byte fall with it.
  EXPECT_THAT(trained.out, AllOf(StartsWith("trained 15 steps, and stopped early"),
                                 HasSubstr("bits_per_byte "), HasSubstr("  after step 15\n")));
  const Outcome written = letters.Run("generate best --tokens 3");
  EXPECT_EQ(written.err, "model: best/checkpoints/step-000015, the best by bits_per_byte\n");
  EXPECT_THAT(
      letters.Run("train letters.yaml --out none 'checkpoint.best={metric: accurate, mode: max}'").err,
      HasSubstr("evaluations give no \"accurate\", only loss, "));
}

TEST(Generate, IsNotForClassifiers) {
  TinyRun tiny;
  ASSERT_EQ(tiny.Train("train.steps=1").exit_code, 0);
  EXPECT_THAT(tiny.Run("generate runs/tiny").err,
              HasSubstr("the model of runs/tiny is of kind mlp, which is not for `headrace generate`: use "
                        "`headrace predict runs/tiny`"));
}

}  // namespace
}  // namespace headrace::cli
