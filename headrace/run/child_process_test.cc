#include "headrace/run/child_process.h"

#include <gtest/gtest.h>

namespace headrace::run {
namespace {

TEST(ChildProcess, GivesOutputAndExitCode) {
  const Result<ChildResult> result = RunChild({"sh", "-c", "echo out; echo err >&2; cat; exit 3"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "out\nerr\n");
  EXPECT_EQ(result->exit_code, 3);
}

TEST(ChildProcess, MuchOutputDoesNotStallIt) {
  const Result<ChildResult> result = RunChild({"sh", "-c", "head -c 1000000 /dev/zero"});
  EXPECT_EQ(result->output.size(), 1'000'000u);
}

TEST(ChildProcess, ASignalIsAnExitCode) { EXPECT_EQ(RunChild({"sh", "-c", "kill -9 $$"})->exit_code, 137); }

TEST(ChildProcess, NoSuchProgram) {
  EXPECT_EQ(RunChild({"no-such-program"}).status().ToString(),
            "NOT_FOUND: cannot run no-such-program: No such file or directory");
}

}  // namespace
}  // namespace headrace::run
