#include "headrace/checkpoint/checkpoint_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/checkpoint/test/example.h"
#include "headrace/io/file_store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::checkpoint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Every test runs on a memory and on a file store.
class CheckpointStoreTest : public testing::TestWithParam<std::string> {
 protected:
  CheckpointStoreTest() {
    if (GetParam() == "memory") {
      store_ = std::make_unique<io::MemoryStore>("run");
    } else {
      store_ = std::make_unique<io::FileStore>(folder_ / "run");
    }
  }

  CheckpointStore Checkpoints(WriterClaim writer = WriterClaim::Here()) {
    return CheckpointStore(*store_, "checkpoints",
                           {.writer = std::move(writer), .now = [] { return 1796031120.0; }});
  }

  void Save(CheckpointStore& checkpoints, std::initializer_list<int64_t> steps) {
    for (int64_t step : steps) ExpectOk(checkpoints.Save(ExampleSnapshot(step)).status());
  }

  std::vector<int64_t> Steps(CheckpointStore& checkpoints) {
    std::vector<int64_t> steps;
    Result<Listing> listing = checkpoints.List();
    for (const Checkpoint& checkpoint : listing->checkpoints) steps.push_back(checkpoint.step());
    return steps;
  }

  // Changes one byte of a file, in its middle.
  void Damage(const std::string& key) {
    std::string text = store_->ReadText(key).value();
    text[text.size() / 2] ^= 1;
    ExpectOk(store_->Write(key, io::AsBytes(text)));
  }

  static std::string Key(int64_t step) { return fmt::format("checkpoints/step-{:06}/", step); }
  std::string Name(std::string_view rest) { return store_->Name() + "/checkpoints/" + std::string(rest); }

  io::TemporaryFolder folder_;
  std::unique_ptr<io::Store> store_;
};
INSTANTIATE_TEST_SUITE_P(Stores, CheckpointStoreTest, testing::Values("memory", "file"),
                         [](const auto& info) { return info.param; });

TEST_P(CheckpointStoreTest, HasNothingAtFirst) {
  CheckpointStore checkpoints = Checkpoints();
  EXPECT_THAT(Steps(checkpoints), IsEmpty());
  EXPECT_FALSE(checkpoints.Latest().value().has_value());
  Restored restored = checkpoints.ReadLatest().value();
  EXPECT_FALSE(restored.checkpoint.has_value());
  EXPECT_THAT(restored.warnings, IsEmpty());
  EXPECT_THAT(checkpoints.Prune(1).value().removed, IsEmpty());
  EXPECT_EQ(checkpoints.Open(5).status().message(),
            store_->Name() + "/checkpoints has no checkpoint of step 5: it has none");
}

TEST_P(CheckpointStoreTest, ReadsBackWhatItSaved) {
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {600, 1200});
  EXPECT_THAT(
      Keys(*store_),
      ElementsAre(
          "checkpoints/step-000600/manifest.json", "checkpoints/step-000600/model/config.json",
          "checkpoints/step-000600/model/model.safetensors",
          "checkpoints/step-000600/state/state.safetensors", "checkpoints/step-000600/state/writer.txt",
          "checkpoints/step-001200/manifest.json", "checkpoints/step-001200/model/config.json",
          "checkpoints/step-001200/model/model.safetensors",
          "checkpoints/step-001200/state/state.safetensors", "checkpoints/step-001200/state/writer.txt"));
  EXPECT_THAT(Steps(checkpoints), ElementsAre(600, 1200));
  EXPECT_EQ(checkpoints.Latest().value()->step(), 1200);

  Restored restored = checkpoints.ReadLatest().value();
  EXPECT_THAT(restored.warnings, IsEmpty());
  ExpectHolds(restored.contents, ExampleSnapshot(1200));
  const Manifest& manifest = restored.checkpoint->manifest();
  EXPECT_EQ(manifest.created, "2026-11-30T09:32:00Z");
  EXPECT_EQ(manifest.params_sha256, ParamsSha256(ExampleSnapshot(1200).model));
  EXPECT_EQ(manifest.data, (DataPosition{.examples = 120000, .sha256 = "da7a"}));
  EXPECT_EQ(manifest.mesh, (std::vector<MeshAxis>{{"data", 2}}));
  EXPECT_EQ(manifest.plugin, "cpu 0.11.2");
  EXPECT_EQ(manifest.config_sha256, "c0ffee");
  ExpectHolds(checkpoints.Open(600).value().ReadAll().value(), ExampleSnapshot(600));
  EXPECT_EQ(
      checkpoints.Open(7).status().ToString(),
      "NOT_FOUND: " + store_->Name() + "/checkpoints has no checkpoint of step 7: it has those of 600, 1200");
}

TEST_P(CheckpointStoreTest, RefusesAStepThatIsThere) {
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {600});
  Status status = checkpoints.Save(ExampleSnapshot(600, /*seed=*/1)).status();
  EXPECT_EQ(status.ToString(), "ALREADY_EXISTS: step 600 was not saved in " + store_->Name() +
                                   "/checkpoints, earlier checkpoints are untouched: " + Name("step-000600") +
                                   " holds it already");
  ExpectHolds(checkpoints.ReadLatest().value().contents, ExampleSnapshot(600));
}

TEST_P(CheckpointStoreTest, RefusesAStepThatIsBeingSaved) {
  WriterClaim other = WriterClaim::Here();  // lives in this process
  other.host = "here";
  ExpectOk(store_->Write("checkpoints/step-000600/state/writer.txt", io::AsBytes(ToText(other))));
  Status status = Checkpoints().Save(ExampleSnapshot(600)).status();
  EXPECT_EQ(status.code(), Code::kAborted);
  EXPECT_THAT(status.message(),
              HasSubstr("process " + std::to_string(other.process) +
                        " on here is saving it, too: one run may have only one process that saves"));
}

TEST_P(CheckpointStoreTest, FallsBackToAWholeOneAndSaysWhy) {
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {1, 2, 3, 4, 5});
  Damage("checkpoints/step-000005/state/state.safetensors");
  Damage("checkpoints/step-000004/manifest.json");
  ExpectOk(store_->Delete("checkpoints/step-000003/model/model.safetensors"));
  ExpectOk(store_->Write("checkpoints/step-000002/model/config.json", io::AsBytes("{}")));
  EXPECT_THAT(Steps(checkpoints), ElementsAre(1, 5));  // damage inside a file is only found by hashing

  Restored restored = checkpoints.ReadLatest().value();
  EXPECT_EQ(restored.checkpoint->step(), 1);
  ExpectHolds(restored.contents, ExampleSnapshot(1));
  EXPECT_THAT(restored.warnings,
              ElementsAre(Name("step-000002/model/config.json is damaged: it has 2 bytes, not 22"),
                          Name("step-000003/model/model.safetensors is missing"),
                          Name("step-000004/manifest.json is damaged: it does not match its own SHA-256"),
                          HasSubstr(Name("step-000005/state/state.safetensors is damaged: its SHA-256 is"))));
}

TEST_P(CheckpointStoreTest, NeverBeginsAnewWhereAllAreDamaged) {
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {1});
  Damage("checkpoints/step-000001/model/model.safetensors");
  Status status = checkpoints.ReadLatest().status();
  EXPECT_EQ(status.code(), Code::kDataLoss);
  EXPECT_THAT(status.message(),
              HasSubstr("is whole: " + Name("step-000001/model/model.safetensors is damaged")));
  EXPECT_THAT(status.message(), HasSubstr("Put back a copy, or remove"));
}

TEST_P(CheckpointStoreTest, ReplacesADamagedCheckpointOfTheStep) {
  int64_t step = 0;
  for (std::string file : {"manifest.json", "model/model.safetensors", "state/state.safetensors"}) {
    ++step;
    CheckpointStore checkpoints = Checkpoints();
    Save(checkpoints, {step});
    Damage(Key(step) + file);
    CheckpointStore again = Checkpoints();
    Result<Saved> saved = again.Save(ExampleSnapshot(step));
    ExpectOk(saved.status());
    EXPECT_THAT(saved->warnings, ElementsAre(HasSubstr("; it was replaced")));
    ExpectHolds(again.ReadLatest().value().contents, ExampleSnapshot(step));
  }
}

TEST_P(CheckpointStoreTest, VerifyNamesEveryDamagedFileAndHow) {
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {600});
  Checkpoint checkpoint = checkpoints.Open(600).value();
  EXPECT_THAT(checkpoint.Verify().value(), IsEmpty());
  Damage("checkpoints/step-000600/state/state.safetensors");
  ExpectOk(store_->Delete("checkpoints/step-000600/model/config.json"));
  ExpectOk(store_->Write("checkpoints/step-000600/model/model.safetensors", io::AsBytes("short")));
  std::vector<std::string> texts;
  std::vector<Damage::Kind> kinds;
  for (const headrace::checkpoint::Damage& damage : checkpoint.Verify().value()) {
    texts.push_back(damage.text);
    kinds.push_back(damage.kind);
  }
  EXPECT_THAT(texts, ElementsAre(Name("step-000600/model/config.json is missing"),
                                 HasSubstr("model.safetensors is damaged: it has 5 bytes, not "),
                                 HasSubstr("state.safetensors is damaged: its SHA-256 is ")));
  EXPECT_THAT(kinds, ElementsAre(Damage::Kind::kMissing, Damage::Kind::kWrongSize, Damage::Kind::kWrongHash));
}

TEST_P(CheckpointStoreTest, PrunesTheOldest) {
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {1, 2, 3, 4});
  Pruned pruned = checkpoints.Prune(2).value();
  EXPECT_THAT(pruned.removed, ElementsAre("step-000001", "step-000002"));
  EXPECT_THAT(pruned.warnings, IsEmpty());
  EXPECT_THAT(Steps(checkpoints), ElementsAre(3, 4));
  for (const std::string& key : Keys(*store_)) EXPECT_GE(key, "checkpoints/step-000003") << "left behind";
  EXPECT_THAT(checkpoints.Prune(2).value().removed, IsEmpty());
  EXPECT_EQ(checkpoints.Prune(0).status().ToString(),
            "INVALID_ARGUMENT: keep = 0: at least 1 checkpoint must be kept");
}

TEST_P(CheckpointStoreTest, PruneKeepsTheNewestWholeOne) {
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {1, 2, 3, 4});
  Damage("checkpoints/step-000004/model/model.safetensors");
  ExpectOk(store_->Delete("checkpoints/step-000003/model/model.safetensors"));
  CheckpointStore later = Checkpoints();  // has written none of them
  Pruned pruned = later.Prune(1).value();
  EXPECT_THAT(pruned.removed, ElementsAre("step-000001"));
  EXPECT_THAT(pruned.warnings, ElementsAre(HasSubstr("step-000004/model/model.safetensors is damaged"),
                                           HasSubstr("step-000003/model/model.safetensors is missing")));
  EXPECT_EQ(later.ReadLatest().value().checkpoint->step(), 2);
}

TEST_P(CheckpointStoreTest, RemovesTheLeftoversOfDeadWritersOnly) {
  auto leave = [&](int64_t step, const WriterClaim& writer) {
    ExpectOk(store_->Write(Key(step) + "state/writer.txt", io::AsBytes(ToText(writer))));
    ExpectOk(store_->Write(Key(step) + "model/model.safetensors", io::AsBytes("half")));
  };
  leave(1, DeadWriter());
  leave(2, RemoteWriter());
  leave(3, WriterClaim::Here());
  ExpectOk(store_->Write("checkpoints/step-000004/notes.txt", io::AsBytes("whose?")));
  ExpectOk(store_->Write("checkpoints/README", io::AsBytes("mine")));
  WriterClaim forgotten = RemoteWriter();
  forgotten.time = 1796031120.0 - 90000;
  leave(5, forgotten);

  CheckpointStore checkpoints = Checkpoints();
  EXPECT_THAT(checkpoints.Prune(1).value().removed, ElementsAre("step-000001", "step-000005"));
  leave(1, DeadWriter());
  Save(checkpoints, {9});
  EXPECT_THAT(Steps(checkpoints), ElementsAre(9));
  EXPECT_THAT(
      Keys(*store_),
      ElementsAre(
          "checkpoints/README", "checkpoints/step-000002/model/model.safetensors",
          "checkpoints/step-000002/state/writer.txt", "checkpoints/step-000003/model/model.safetensors",
          "checkpoints/step-000003/state/writer.txt", "checkpoints/step-000004/notes.txt",
          "checkpoints/step-000009/manifest.json", "checkpoints/step-000009/model/config.json",
          "checkpoints/step-000009/model/model.safetensors",
          "checkpoints/step-000009/state/state.safetensors", "checkpoints/step-000009/state/writer.txt"));
}

TEST_P(CheckpointStoreTest, SavesAgainWhereADeadWriterWas) {
  ExpectOk(store_->Write("checkpoints/step-000600/state/writer.txt", io::AsBytes(ToText(DeadWriter()))));
  ExpectOk(store_->Write("checkpoints/step-000600/model/model.safetensors", io::AsBytes("half")));
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {600});
  EXPECT_EQ(checkpoints.Latest().value()->key(), "checkpoints/step-000600");
  ExpectHolds(checkpoints.ReadLatest().value().contents, ExampleSnapshot(600));
}

TEST_P(CheckpointStoreTest, SavesBesideAWriterOfWhomNothingIsKnown) {
  ExpectOk(store_->Write("checkpoints/step-000600/state/writer.txt", io::AsBytes(ToText(RemoteWriter()))));
  ExpectOk(store_->Write("checkpoints/step-000600/model/model.safetensors", io::AsBytes("half")));
  CheckpointStore checkpoints = Checkpoints();
  Save(checkpoints, {600});
  EXPECT_EQ(checkpoints.Latest().value()->key(), "checkpoints/step-000600-2");
  ExpectHolds(checkpoints.ReadLatest().value().contents, ExampleSnapshot(600));
  EXPECT_EQ(store_->ReadText("checkpoints/step-000600/model/model.safetensors").value(), "half");
}

TEST_P(CheckpointStoreTest, SplitsLargeTensorsAndReadsThemBack) {
  CheckpointStore checkpoints(*store_, "checkpoints", {.max_file_bytes = 50});
  Save(checkpoints, {600});
  EXPECT_THAT(Keys(*store_),
              testing::IsSupersetOf({"checkpoints/step-000600/model/model-00001-of-00002.safetensors",
                                     "checkpoints/step-000600/model/model-00002-of-00002.safetensors",
                                     "checkpoints/step-000600/model/model.safetensors.index.json",
                                     "checkpoints/step-000600/state/state-00003-of-00003.safetensors"}));
  EXPECT_EQ(store_->ReadText("checkpoints/step-000600/model/model.safetensors.index.json").value(),
            "{\n  \"metadata\": {\n    \"total_size\": 144\n  },\n  \"weight_map\": {\n"
            "    \"fc.bias\": \"model-00001-of-00002.safetensors\",\n"
            "    \"fc.weight\": \"model-00002-of-00002.safetensors\"\n  }\n}\n");
  ExpectHolds(checkpoints.ReadLatest().value().contents, ExampleSnapshot(600));
}

}  // namespace
}  // namespace headrace::checkpoint
