#include "headrace/checkpoint/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "headrace/checkpoint/checkpoint_store.h"
#include "headrace/checkpoint/test/example.h"
#include "headrace/io/file_store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::checkpoint {
namespace {

// Files of at most 400 bytes, so that the large tensor of the state lies in several.
Checkpoint SaveCut(io::Store& store, const HostTensor& large) {
  Snapshot snapshot = ExampleSnapshot(600);
  snapshot.state["large"] = large;
  CheckpointStore checkpoints(store, "checkpoints", {.max_file_bytes = 400});
  Result<Saved> saved = checkpoints.Save(snapshot);
  ExpectOk(saved.status());
  return saved->checkpoint;
}

HostTensor SliceOf(const HostTensor& tensor, const Box& slice) {
  HostTensor part({tensor.dtype(), Shape(slice.size)});
  CopyBox(slice, Box::Whole(tensor.shape()), 0, tensor.bytes(), slice, part.mutable_bytes(),
          ByteSize(tensor.dtype()));
  return part;
}

TEST(Checkpoint, ReadsTensorsAlone) {
  io::MemoryStore store("run");
  HostTensor large = RandomTensor({6, 50}, 1);
  Checkpoint checkpoint = SaveCut(store, large);
  ExpectEqual({{"x", checkpoint.Read("state/large").value()}}, {{"x", large}});
  ExpectEqual({{"x", checkpoint.Read("model/fc.weight").value()}},
              {{"x", ExampleSnapshot(600).model.at("fc.weight")}});
  EXPECT_EQ(checkpoint.Read("state/step").value().data<int64_t>()[0], 600);
  EXPECT_EQ(checkpoint.Read("fc.weight").status().ToString(),
            "NOT_FOUND: run/checkpoints/step-000600 has no tensor fc.weight; it has model/fc.bias, "
            "model/fc.weight, "
            "state/adam.m.fc.weight, state/key, state/large, state/step");
}

TEST(Checkpoint, ReadsTheModelAlone) {
  io::MemoryStore store("run");
  Checkpoint checkpoint = SaveCut(store, RandomTensor({6, 50}, 1));
  ExpectOk(store.Delete("checkpoints/step-000600/" +
                        checkpoint.manifest().FindTensor("state/key")->pieces[0].file));
  ExpectEqual(checkpoint.ReadModel().value(), ExampleSnapshot(600).model);
  EXPECT_EQ(checkpoint.ReadAll().status().code(), Code::kDataLoss);
  ExpectOk(
      store.Write("checkpoints/step-000600/model/config.json", io::AsBytes("{\"model_type\": \"MLP\"}\n")));
  EXPECT_THAT(checkpoint.ReadModel().status().message(), testing::HasSubstr("model/config.json is damaged"));
}

TEST(Checkpoint, ReadsAnySliceAlone) {
  io::MemoryStore store("run");
  HostTensor large = RandomTensor({6, 5, 10}, 1);
  Checkpoint checkpoint = SaveCut(store, large);
  ASSERT_GT(checkpoint.manifest().FindTensor("state/large")->pieces.size(), 2u);
  for (const Box& slice : {Box{{0, 0, 0}, {6, 5, 10}}, Box{{1, 2, 3}, {4, 2, 5}}, Box{{5, 0, 0}, {1, 5, 10}},
                           Box{{0, 4, 9}, {6, 1, 1}}, Box{{3, 3, 3}, {0, 1, 1}}}) {
    HostTensor actual = checkpoint.ReadSlice("state/large", slice).value();
    ExpectEqual({{"x", actual}}, {{"x", SliceOf(large, slice)}});
  }
  EXPECT_EQ(checkpoint.ReadSlice("state/step", {}).value().data<int64_t>()[0], 600);
  EXPECT_EQ(checkpoint.ReadSlice("state/large", {{0, 0, 1}, {6, 5, 10}}).status().ToString(),
            "OUT_OF_RANGE: [0:6, 0:5, 1:11] is no slice of tensor state/large, which is f32[6, 5, 10]");
  EXPECT_EQ(checkpoint.ReadSlice("state/large", {{0}, {6}}).status().code(), Code::kOutOfRange);
}

// The shards of 8 devices, saved whole and read by 2, 4 and 8.
TEST(Checkpoint, RestoresOnAnyMesh) {
  io::MemoryStore store("run");
  HostTensor large = RandomTensor({16, 24}, 1);
  Checkpoint checkpoint = SaveCut(store, large);
  for (int64_t devices : {1, 2, 4, 8}) {
    for (int64_t device = 0; device < devices; ++device) {
      Box rows = {.start = {16 / devices * device, 0}, .size = {16 / devices, 24}};
      Box columns = {.start = {0, 24 / devices * device}, .size = {16, 24 / devices}};
      for (const Box& shard : {rows, columns}) {
        HostTensor actual = checkpoint.ReadSlice("state/large", shard).value();
        ExpectEqual({{"x", actual}}, {{"x", SliceOf(large, shard)}});
      }
    }
  }
}

TEST(Checkpoint, NoticesADamagedTensor) {
  io::MemoryStore store("run");
  Checkpoint checkpoint = SaveCut(store, RandomTensor({6, 50}, 1));
  const Piece& piece = checkpoint.manifest().FindTensor("state/large")->pieces[1];
  std::string text = store.ReadText("checkpoints/step-000600/" + piece.file).value();
  text[static_cast<size_t>(piece.offset)] ^= 1;
  ExpectOk(store.Write("checkpoints/step-000600/" + piece.file, io::AsBytes(text)));
  EXPECT_EQ(checkpoint.Read("state/large").status().ToString(),
            "DATA_LOSS: run/checkpoints/step-000600/" + piece.file +
                " is damaged: tensor state/large[2:4, 0:50] does not match its CRC-32C");
  ExpectOk(checkpoint.Read("model/fc.weight").status());
}

TEST(Checkpoint, IsNotThereWithoutAManifest) {
  io::MemoryStore store("run");
  EXPECT_EQ(Checkpoint::Open(store, "checkpoints/step-000600").status().code(), Code::kNotFound);
}

TEST(Checkpoint, PythonReadsTheModelFolder) {
  const char* named = std::getenv("HEADRACE_PYTHON");
  std::string python = named ? named : ".deps/python/bin/python";
  if (!std::filesystem::exists(python)) {
    GTEST_SKIP() << "no Python with safetensors: run tools/setup.sh, or set HEADRACE_PYTHON";
  }
  for (int64_t limit : {int64_t{5'000'000'000}, int64_t{50}}) {
    io::TemporaryFolder folder;
    io::FileStore store(folder / "run");
    CheckpointStore checkpoints(store, "checkpoints", {.max_file_bytes = limit});
    Snapshot snapshot = ExampleSnapshot(600);
    snapshot.model["counts"] = HostTensor::Of<int64_t>({2}, {-1, int64_t{1} << 40});
    ExpectOk(checkpoints.Save(snapshot).status());
    std::string model = store.LocalPath("checkpoints/step-000600/model").value();
    std::string output = folder / "output.txt";
    std::string command = python + " headrace/checkpoint/test/print_model.py " + model + " > " + output;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ostringstream text;
    text << std::ifstream(output).rdbuf();

    auto sum = [&](const char* name) {
      double total = 0;
      for (int64_t i = 0; i < snapshot.model.at(name).size(); ++i) total += snapshot.model.at(name).At(i);
      return total;
    };
    std::ostringstream expected;
    expected << "mlp pt\ncounts int64 (2,) [-1, 1099511627776]\nfc.bias float32 (4,) " << sum("fc.bias")
             << "\nfc.weight float32 (8, 4) " << sum("fc.weight") << "\n";
    EXPECT_EQ(text.str(), expected.str());
  }
}

}  // namespace
}  // namespace headrace::checkpoint
