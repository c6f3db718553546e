// What is left when an operation of the store goes wrong: every operation of a save and a prune, in every
// way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <tuple>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/checkpoint/test/example.h"
#include "headrace/checkpoint/test/faulty_store.h"

namespace headrace::checkpoint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What is there of step 3 before it is saved.
enum class Before { kNothing, kLeftover, kDamaged };

class CrashTest : public testing::TestWithParam<std::tuple<Fault, Before>> {
 protected:
  struct Outcome {
    bool saved = false;
    bool reached = false;  // there was an n-th operation
  };

  static Fault fault() { return std::get<0>(GetParam()); }
  static Before before() { return std::get<1>(GetParam()); }

  // Steps 1 and 2 are saved; then a writer, whose n-th operation goes wrong, saves 3 and prunes to 2.
  Outcome SaveAndPrune(io::Store& store, int64_t n) {
    CheckpointStore first(store, "checkpoints", {.writer = DeadWriter()});
    for (int64_t step : {1, 2}) ExpectOk(first.Save(ExampleSnapshot(step)).status());
    if (before() == Before::kDamaged) ExpectOk(first.Save(ExampleSnapshot(3)).status());
    if (before() == Before::kLeftover) {
      ExpectOk(store.Write("checkpoints/step-000003/state/writer.txt", io::AsBytes(ToText(DeadWriter()))));
    }
    if (before() != Before::kNothing) {
      ExpectOk(store.Write("checkpoints/step-000003/model/model.safetensors", io::AsBytes("half")));
    }
    FaultyStore faulty(store, fault(), n);
    CheckpointStore checkpoints(faulty, "checkpoints", {.writer = DeadWriter()});
    Outcome outcome;
    outcome.saved = checkpoints.Save(ExampleSnapshot(3)).ok();
    (void)checkpoints.Prune(2).ok();
    outcome.reached = faulty.count() >= n;
    return outcome;
  }

  // Everything that exists is whole; the newest is 3 if it was saved, else 2, or 3 if only the answer was
  // lost.
  void ExpectOldOrNew(io::Store& store, bool saved) {
    CheckpointStore after(store, "checkpoints");
    Listing listing = after.List().value();
    EXPECT_TRUE(listing.warnings.empty() || before() == Before::kDamaged);
    EXPECT_GE(listing.checkpoints.size(), 2u);
    for (const Checkpoint& checkpoint : listing.checkpoints) {
      EXPECT_THAT(checkpoint.Verify().value(), IsEmpty());
    }
    Restored restored = after.ReadLatest().value();
    int64_t step = restored.checkpoint->step();
    EXPECT_TRUE(step == 3 || (step == 2 && !saved)) << step;
    ExpectHolds(restored.contents, ExampleSnapshot(step));
  }

  // Whoever comes next can save the step, if it is not there, and the following one, and leaves nothing
  // lying.
  void ExpectThatTheNextOneGoesOn(io::Store& store) {
    CheckpointStore next(store, "checkpoints");
    if (next.Latest().value()->step() == 2) ExpectOk(next.Save(ExampleSnapshot(3)).status());
    ExpectOk(next.Save(ExampleSnapshot(4)).status());
    ExpectOk(next.Prune(2).status());
    Listing listing = next.List().value();
    EXPECT_THAT(listing.warnings, IsEmpty());
    std::vector<int64_t> steps;
    for (const Checkpoint& checkpoint : listing.checkpoints) steps.push_back(checkpoint.step());
    EXPECT_THAT(steps, ElementsAre(3, 4));
    EXPECT_EQ(Keys(store).size(), 10u);  // five files each, and nothing else
    ExpectHolds(next.ReadLatest().value().contents, ExampleSnapshot(4));
  }
};

std::string CaseName(const testing::TestParamInfo<std::tuple<Fault, Before>>& info) {
  constexpr std::array kFaults = {"Fails", "AnswerLost", "Crash", "CrashAfter", "Full"};
  constexpr std::array kBefore = {"AfterNothing", "AfterLeftover", "AfterDamaged"};
  auto [fault, before] = info.param;
  return std::string(kFaults.at(static_cast<size_t>(fault))) + kBefore.at(static_cast<size_t>(before));
}
INSTANTIATE_TEST_SUITE_P(Cases, CrashTest,
                         testing::Combine(testing::Values(Fault::kFails, Fault::kAnswerLost, Fault::kCrash,
                                                          Fault::kCrashAfter, Fault::kFull),
                                          testing::Values(Before::kNothing, Before::kLeftover,
                                                          Before::kDamaged)),
                         CaseName);

TEST_P(CrashTest, LeavesTheOldOrTheNewAtEveryOperation) {
  int64_t operations = 0;
  for (int64_t n = 1;; ++n) {
    SCOPED_TRACE(n);
    io::MemoryStore store("run");
    Outcome outcome = SaveAndPrune(store, n);
    ExpectOldOrNew(store, outcome.saved);
    ExpectThatTheNextOneGoesOn(store);
    if (!outcome.reached) {
      EXPECT_TRUE(outcome.saved);
      break;
    }
    operations = n;
  }
  EXPECT_GT(operations, 20);  // creates, appends, commits, lists, deletes of a save and a prune
}

TEST(FullStore, KeepsTheOldAndSaysSo) {
  io::MemoryStore store("run");
  CheckpointStore before(store, "checkpoints");
  ExpectOk(before.Save(ExampleSnapshot(1)).status());
  FaultyStore full(store, Fault::kFull, 1);
  CheckpointStore checkpoints(full, "checkpoints");
  EXPECT_EQ(checkpoints.Save(ExampleSnapshot(2)).status().ToString(),
            "RESOURCE_EXHAUSTED: step 2 was not saved in run/checkpoints, earlier checkpoints are untouched: "
            "no space "
            "left");
  ExpectHolds(before.ReadLatest().value().contents, ExampleSnapshot(1));
}

// Saves one step from several threads at once, each with contents and a writer of its own; returns which got
// through.
std::vector<uint64_t> Race(io::Store& store, int64_t step, WriterClaim (*writer)()) {
  constexpr uint64_t kWriters = 4;
  std::vector<Status> statuses(kWriters);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < kWriters; ++i) {
    threads.emplace_back([&, i] {
      CheckpointStore checkpoints(store, "checkpoints", {.writer = writer()});
      statuses[i] = checkpoints.Save(ExampleSnapshot(step, i)).status();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<uint64_t> winners;
  for (uint64_t i = 0; i < kWriters; ++i) {
    if (statuses[i].ok()) winners.push_back(i);
    if (!statuses[i].ok()) {
      EXPECT_TRUE(statuses[i].code() == Code::kAborted || statuses[i].code() == Code::kAlreadyExists)
          << statuses[i].ToString();
    }
  }
  return winners;
}

TEST(ConcurrentSavers, ExactlyOneOfTheLivingWins) {
  for (int64_t step = 1; step <= 100; ++step) {
    io::MemoryStore store("run");
    std::vector<uint64_t> winners = Race(store, step, WriterClaim::Here);
    ASSERT_EQ(winners.size(), 1u);
    Restored restored = CheckpointStore(store, "checkpoints").ReadLatest().value();
    EXPECT_EQ(restored.checkpoint->step(), step);
    ExpectHolds(restored.contents, ExampleSnapshot(step, winners[0]));
  }
}

TEST(ConcurrentSavers, OneStoreSavesSeveralStepsAndPrunesAtOnce) {
  io::MemoryStore store("run");
  CheckpointStore checkpoints(store, "checkpoints");
  constexpr int64_t kSteps = 40;
  std::vector<std::thread> threads;
  for (int64_t first : {1, 2, 3}) {
    threads.emplace_back([&, first] {
      for (int64_t step = first; step <= kSteps; step += 3) {
        ExpectOk(checkpoints.Save(ExampleSnapshot(step)).status());
        ExpectOk(checkpoints.Prune(kSteps).status());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Listing listing = checkpoints.List().value();
  EXPECT_THAT(listing.warnings, IsEmpty());
  EXPECT_EQ(static_cast<int64_t>(listing.checkpoints.size()), kSteps);
  for (const Checkpoint& checkpoint : listing.checkpoints) {
    ExpectHolds(checkpoint.ReadAll().value(), ExampleSnapshot(checkpoint.step()));
  }
}

TEST(ConcurrentSavers, ReadersSeeOneOfThoseThatKnowNothingOfEachOther) {
  for (int64_t step = 1; step <= 100; ++step) {
    io::MemoryStore store("run");
    std::vector<uint64_t> winners = Race(store, step, RemoteWriter);
    ASSERT_GE(winners.size(), 1u);
    Restored restored = CheckpointStore(store, "checkpoints").ReadLatest().value();
    EXPECT_EQ(restored.checkpoint->step(), step);
    std::string hash = restored.checkpoint->manifest().params_sha256;
    EXPECT_TRUE(std::ranges::any_of(
        winners, [&](uint64_t i) { return hash == ParamsSha256(ExampleSnapshot(step, i).model); }));
  }
}

}  // namespace
}  // namespace headrace::checkpoint
