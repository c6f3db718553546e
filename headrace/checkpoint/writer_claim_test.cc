#include "headrace/checkpoint/writer_claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headrace::checkpoint {
namespace {

TEST(WriterClaim, ReadsBackWhatItWrote) {
  WriterClaim claim = WriterClaim::Here();
  claim.time = 1764495120.25;
  EXPECT_EQ(claim.process, getpid());
  EXPECT_GT(claim.process_start, 0);
  Result<WriterClaim> back = ParseClaim(ToText(claim), "writer.txt");
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_EQ(*back, claim);
}

TEST(WriterClaim, RefusesWhatIsNotOne) {
  std::string text = ToText(WriterClaim::Here());
  for (size_t i = 0; i < text.size(); ++i) {
    EXPECT_EQ(ParseClaim(text.substr(0, i), "s/writer.txt").status().ToString(),
              "DATA_LOSS: s/writer.txt does not say who writes the checkpoint");
  }
  EXPECT_FALSE(ParseClaim(text + "x", "w").ok());
}

TEST(WriterClaim, InstancesOfAProcessDiffer) {
  EXPECT_NE(WriterClaim::Here().instance, WriterClaim::Here().instance);
}

TEST(Judge, KnowsTheProcessesOfThisMachine) {
  WriterClaim me = WriterClaim::Here();
  EXPECT_EQ(Judge(me, me, 0), Liveness::kAlive);
  EXPECT_EQ(Judge(me, me, 1e9), Liveness::kAlive);  // a long save is still a save

  WriterClaim other = me;
  other.process_start += 1;  // the id was used again
  EXPECT_EQ(Judge(other, me, 0), Liveness::kDead);
  other = me;
  other.process = 1;  // somebody else's
  EXPECT_EQ(Judge(other, me, 0), other.process == me.process ? Liveness::kAlive : Liveness::kDead);
}

TEST(Judge, TakesAnEndedProcessForDeadEvenBeforeItsParentNotices) {
  WriterClaim me = WriterClaim::Here();
  int to_child[2], to_parent[2];
  ASSERT_EQ(pipe(to_child), 0);
  ASSERT_EQ(pipe(to_parent), 0);
  pid_t child = fork();
  if (child == 0) {
    std::string text = ToText(WriterClaim::Here());
    (void)!write(to_parent[1], text.data(), text.size());
    char go;
    (void)!read(to_child[0], &go, 1);
    _exit(0);
  }
  char text[1000];
  ssize_t size = read(to_parent[0], text, sizeof(text));
  ASSERT_GT(size, 0);
  WriterClaim other = ParseClaim({text, static_cast<size_t>(size)}, "child").value();
  EXPECT_EQ(Judge(other, me, 0), Liveness::kAlive);
  (void)!write(to_child[1], "x", 1);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_EQ(Judge(other, me, 0), Liveness::kDead);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(Judge(other, me, 0), Liveness::kDead);
  for (int fd : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) close(fd);
}

TEST(Judge, WaitsADayForOtherMachines) {
  WriterClaim me = WriterClaim::Here();
  WriterClaim other = me;
  other.machine = "elsewhere";
  other.time = 1000;
  EXPECT_EQ(Judge(other, me, 1000), Liveness::kUnknown);
  EXPECT_EQ(Judge(other, me, 1000 + 24 * 3600), Liveness::kUnknown);
  EXPECT_EQ(Judge(other, me, 1001 + 24 * 3600), Liveness::kDead);
}

}  // namespace
}  // namespace headrace::checkpoint
