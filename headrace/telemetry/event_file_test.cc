#include "headrace/telemetry/event_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "headrace/io/record.h"
#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::telemetry {
namespace {

using testing::ElementsAre;

// A PNG of 2x1 red pixels.
constexpr unsigned char kPng[] = {0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,    0,    13,
                                  'I',  'H',  'D',  'R',  0,    0,    0,    2,    0,    0,    0,    1,
                                  8,    2,    0,    0,    0,    0x7b, 0x40, 0xe8, 0xdd, 0,    0,    0,
                                  0x0f, 'I',  'D',  'A',  'T',  0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0,
                                  0x9f, 0x81, 0x01, 0x00, 0x09, 0xfb, 0x01, 0xff, 0x00, 0x00, 0x00, 0x00,
                                  0,    0,    0,    0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82};

class EventFileTest : public testing::Test {
 protected:
  std::unique_ptr<EventFile> Create(int64_t last_step, double time) {
    auto file = EventFile::Create(folder_, last_step, time);
    EXPECT_TRUE(file.ok()) << file.status().ToString();
    return *std::move(file);
  }

  void WriteLoss(EventFile& file, int64_t step, double loss) {
    Status status = file.Write({.step = step, .time = 1764495120.5, .values = {{"loss", loss}}});
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  std::vector<std::string> FileNames() {
    std::vector<std::string> names;
    auto store = io::OpenStore(folder_);
    auto entries = (*store)->List("");
    for (const io::Entry& entry : *entries) names.push_back(entry.key);
    return names;
  }

  const io::TemporaryFolder temporary_;
  const std::string folder_ = temporary_ / "tensorboard";
};

TEST_F(EventFileTest, IsWholeRecordsWithTheVersionFirst) {
  auto file = Create(0, 1764495120);
  WriteLoss(*file, 1, 0.5);
  auto store = io::OpenStore(folder_);
  auto blob = (*store)->Read("events.out.tfevents.1764495120.000000");
  ASSERT_TRUE(blob.ok()) << blob.status().ToString();
  io::RecordReader reader(blob->bytes, "events");
  auto first = reader.Next();
  ASSERT_TRUE(first.ok() && *first);
  EXPECT_THAT(std::string(io::AsText(**first)), testing::HasSubstr("brain.Event:2"));
  while (*reader.Next()) {
  }
  EXPECT_EQ(reader.count(), 3);
  EXPECT_EQ(reader.offset(), static_cast<int64_t>(blob->bytes.size()));
}

TEST_F(EventFileTest, NamesSortInTheOrderOfTheirMaking) {
  Create(0, 1764495120);
  Create(0, 1764495120);
  Create(0, 1764495000);  // the clock went back
  Create(0, 1764495121);
  EXPECT_THAT(FileNames(),
              ElementsAre("events.out.tfevents.1764495120.000000", "events.out.tfevents.1764495120.000001",
                          "events.out.tfevents.1764495120.000002", "events.out.tfevents.1764495121.000003"));
}

TEST_F(EventFileTest, RefusesAnImageThatIsNotPng) {
  auto file = Create(0, 1764495120);
  Status status = file->WriteImage(7, 0, "digit", io::AsBytes("GIF89a"));
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(), "image digit of step 7: 6 bytes that are not a PNG");
}

// The lines that print_events.py prints; nothing where there is no Python with TensorBoard.
std::optional<std::string> ReadWithTensorBoard(const std::string& folder) {
  const char* python = std::getenv("HEADRACE_PYTHON");
  std::string program = python ? python : ".deps/python/bin/python";
  if (!std::filesystem::exists(program)) return std::nullopt;
  std::string output = folder + ".txt";
  std::string command = program + " headrace/telemetry/test/print_events.py " + folder + " > " + output;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ostringstream text;
  text << std::ifstream(output).rdbuf();
  std::filesystem::remove(output);
  return text.str();
}

TEST_F(EventFileTest, TensorBoardReadsAResumedRun) {
  auto before = Create(0, 1764495120);
  for (int64_t step : {10, 20, 30, 40}) WriteLoss(*before, step, 1.0 / static_cast<double>(step));
  auto after = Create(20, 1764495130);  // killed after step 40, resumed from step 20
  WriteLoss(*after, 30, 0.25);
  io::Bytes png = std::as_bytes(std::span(kPng));
  ASSERT_TRUE(after->WriteImage(30, 1764495131, "digits/first", png).ok());
  ASSERT_TRUE(after->WriteText(30, 1764495131, "config", "name: **mnist**").ok());
  ASSERT_TRUE(after->Flush().ok());

  std::optional<std::string> read = ReadWithTensorBoard(folder_);
  if (!read) GTEST_SKIP() << "no Python with TensorBoard: run tools/setup.sh, or set HEADRACE_PYTHON";
  EXPECT_EQ(*read,
            "scalar loss 10 0.1 1764495120.500\n"
            "scalar loss 20 0.05 1764495120.500\n"
            "scalar loss 30 0.25 1764495120.500\n"
            "image digits/first 30 2x1 72 bytes\n"
            "dashboard scalars loss 10 0.1\n"
            "dashboard scalars loss 20 0.05\n"
            "dashboard scalars loss 30 0.25\n"
            "dashboard images digits/first 30 2x1\n"
            "dashboard text config 30 b'name: **mnist**'\n");
}

}  // namespace
}  // namespace headrace::telemetry
