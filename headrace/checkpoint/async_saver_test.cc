#include "headrace/checkpoint/async_saver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>

#include "headrace/checkpoint/test/example.h"
#include "headrace/checkpoint/test/faulty_store.h"

namespace headrace::checkpoint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<int64_t> Steps(CheckpointStore& checkpoints) {
  std::vector<int64_t> steps;
  Result<Listing> listing = checkpoints.List();
  for (const Checkpoint& checkpoint : listing->checkpoints) steps.push_back(checkpoint.step());
  return steps;
}

TEST(AsyncSaver, SavesAndPrunes) {
  io::MemoryStore store("run");
  CheckpointStore checkpoints(store, "checkpoints");
  AsyncSaver saver(checkpoints, 2);
  ExpectOk(saver.Wait());
  for (int64_t step : {1, 2, 3}) ExpectOk(saver.Start(ExampleSnapshot(step)));
  ExpectOk(saver.Wait());
  EXPECT_FALSE(saver.Busy());
  EXPECT_THAT(Steps(checkpoints), ElementsAre(2, 3));
  std::vector<SaveReport> reports = saver.TakeReports();
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[2].step, 3);
  EXPECT_EQ(reports[2].name, "run/checkpoints/step-000003");
  EXPECT_EQ(reports[2].params_sha256, ParamsSha256(ExampleSnapshot(3).model));
  EXPECT_GT(reports[2].bytes, 500);
  EXPECT_THAT(reports[2].warnings, IsEmpty());
  EXPECT_THAT(saver.TakeReports(), IsEmpty());
}

TEST(AsyncSaver, KeepsWhatIsPinned) {
  io::MemoryStore store("run");
  CheckpointStore checkpoints(store, "checkpoints");
  AsyncSaver saver(checkpoints, 1);
  for (int64_t step : {1, 2, 3}) ExpectOk(saver.Start(ExampleSnapshot(step), /*pinned=*/1));
  ExpectOk(saver.Wait());
  EXPECT_THAT(Steps(checkpoints), ElementsAre(1, 3));
  ExpectOk(saver.Start(ExampleSnapshot(4), /*pinned=*/3));
  ExpectOk(saver.Wait());
  EXPECT_THAT(Steps(checkpoints), ElementsAre(3, 4));
}

TEST(AsyncSaver, FinishesWhenItIsDestroyed) {
  io::MemoryStore store("run");
  CheckpointStore checkpoints(store, "checkpoints");
  {
    ExpectOk(AsyncSaver(checkpoints, 1).Start(ExampleSnapshot(1)));
  }
  EXPECT_THAT(Steps(checkpoints), ElementsAre(1));
}

// Holds every listing back until it is let go.
class GatedStore final : public io::Store {
 public:
  explicit GatedStore(io::Store& inner) : inner_(inner) {}
  void Open() { gate_.count_down(); }

  std::string Name() const override { return inner_.Name(); }
  Result<io::Blob> Read(std::string_view key) override { return inner_.Read(key); }
  Result<io::Blob> ReadRange(std::string_view key, int64_t offset, int64_t size) override {
    return inner_.ReadRange(key, offset, size);
  }
  Status Write(std::string_view key, io::Bytes bytes, io::WriteIf condition) override {
    return inner_.Write(key, bytes, condition);
  }
  Result<std::unique_ptr<io::Writer>> Create(std::string_view key, io::WriteIf condition) override {
    return inner_.Create(key, condition);
  }
  Result<int64_t> Size(std::string_view key) override { return inner_.Size(key); }
  Result<std::vector<io::Entry>> List(std::string_view prefix) override {
    gate_.wait();
    return inner_.List(prefix);
  }
  Status Delete(std::string_view key) override { return inner_.Delete(key); }
  std::optional<std::string> LocalPath(std::string_view key) const override { return inner_.LocalPath(key); }

 private:
  io::Store& inner_;
  std::latch gate_{1};
};

TEST(AsyncSaver, DoesNotHoldTheLoopUp) {
  io::MemoryStore store("run");
  GatedStore gated(store);
  CheckpointStore checkpoints(gated, "checkpoints");
  AsyncSaver saver(checkpoints, 1);
  ExpectOk(saver.Start(ExampleSnapshot(1)));  // returns, though the store does not answer
  EXPECT_TRUE(saver.Busy());
  EXPECT_THAT(saver.TakeReports(), IsEmpty());
  gated.Open();
  ExpectOk(saver.Wait());
  EXPECT_EQ(saver.TakeReports().size(), 1u);
}

TEST(AsyncSaver, ReportsAFailureOnceAtTheNextCallAndGoesOn) {
  io::MemoryStore store("run");
  FaultyStore faulty(store, Fault::kFails, 2);  // the claim of the first save
  CheckpointStore checkpoints(faulty, "checkpoints");
  AsyncSaver saver(checkpoints, 1);
  ExpectOk(saver.Start(ExampleSnapshot(1)));
  Status failure = saver.Start(ExampleSnapshot(2));
  EXPECT_EQ(failure.ToString(),
            "UNAVAILABLE: step 1 was not saved in run/checkpoints, earlier checkpoints are untouched: "
            "operation 2 failed");
  ExpectOk(saver.Wait());
  EXPECT_THAT(Steps(checkpoints), ElementsAre(2));
}

TEST(AsyncSaver, KeepsAFailureThatTakeReportsFound) {
  io::MemoryStore store("run");
  FaultyStore faulty(store, Fault::kFull, 1);
  CheckpointStore checkpoints(faulty, "checkpoints");
  AsyncSaver saver(checkpoints, 1);
  ExpectOk(saver.Start(ExampleSnapshot(1)));
  while (saver.Busy()) std::this_thread::yield();
  EXPECT_THAT(saver.TakeReports(), IsEmpty());
  EXPECT_THAT(saver.Wait().message(), HasSubstr("no space left"));
  ExpectOk(saver.Wait());
}

TEST(AsyncSaver, WarnsWhenOldCheckpointsStay) {
  io::MemoryStore store("run");
  CheckpointStore checkpoints(store, "checkpoints");
  AsyncSaver saver(checkpoints, 0);  // no number to prune to
  ExpectOk(saver.Start(ExampleSnapshot(1)));
  ExpectOk(saver.Wait());
  EXPECT_THAT(saver.TakeReports().at(0).warnings,
              ElementsAre("old checkpoints were not removed: keep = 0: at least 1 checkpoint must be kept"));
}

}  // namespace
}  // namespace headrace::checkpoint
