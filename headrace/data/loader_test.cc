#include "headrace/data/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <future>

#include "headrace/data/augment.h"
#include "headrace/data/test/numbered.h"
#include "headrace/io/bytes.h"

namespace headrace::data {
namespace {

using namespace std::chrono_literals;

// Images of noise, augmented: batches in which every bit counts.
TrainBatches NoisyBatches() {
  constexpr int kExamples = 37;
  std::vector<uint8_t> pixels(kExamples * 6 * 5);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  auto dataset = *ArrayDataset::Create(
      {.name = "noise"}, {{"image", HostTensor::Of<uint8_t>({kExamples, 6, 5, 1}, pixels), 255}});
  Augment augment = *Augment::Create({.affine = {.shift = 2, .rotate = 20, .zoom = 0.1}}, *dataset, 3);
  return *TrainBatches::Create(dataset, {.batch_size = 8, .seed = 3, .augment = augment});
}

std::string BytesOf(const Batch& batch) {
  std::string bytes;
  for (const NamedTensor& field : batch.fields) bytes += io::AsText(field.tensor.bytes());
  return bytes;
}

// Batches of one number each, their index.
Result<Batch> MakeNumber(int64_t index, std::stop_token) { return Batch{.index = index}; }

TEST(Loader, BatchesAreBitEqualForAnyWorkersPrefetchAndStart) {
  const TrainBatches batches = NoisyBatches();
  for (int workers : {1, 2, 3, 8}) {
    for (int prefetch : {1, 4}) {
      for (int64_t first : {0, 1, 7, 1000}) {
        Loader loader(batches, {.first = first, .workers = workers, .prefetch = prefetch});
        for (int64_t k = first; k < first + 12; ++k) {
          const Result<std::optional<Batch>> batch = loader.Next();
          ASSERT_TRUE(batch.ok() && *batch);
          ASSERT_EQ((*batch)->index, k);
          ASSERT_EQ(BytesOf(**batch), BytesOf(*batches(k))) << "batch " << k << ", " << workers << " workers";
        }
      }
    }
  }
}

TEST(Loader, EndsBehindTheLastBatch) {
  Loader loader(MakeNumber, {.first = 3, .end = 5, .workers = 3});
  EXPECT_EQ((*loader.Next())->index, 3);
  EXPECT_EQ((*loader.Next())->index, 4);
  EXPECT_FALSE((*loader.Next()).has_value());
  EXPECT_FALSE((*loader.Next()).has_value());
  Loader empty(MakeNumber, {.first = 5, .end = 5});
  EXPECT_FALSE((*empty.Next()).has_value());
}

TEST(Loader, AnErrorComesInItsPlaceAndStays) {
  const auto make = [](int64_t index, std::stop_token) -> Result<Batch> {
    if (index >= 2) return Error(Code::kDataLoss, "batch {} is broken", index);
    std::this_thread::sleep_for(2ms);  // so that the error is there first
    return Batch{.index = index};
  };
  Loader loader(make, {.workers = 4, .prefetch = 8});
  EXPECT_EQ((*loader.Next())->index, 0);
  EXPECT_EQ((*loader.Next())->index, 1);
  EXPECT_EQ(loader.Next().status().ToString(), "DATA_LOSS: batch 2 is broken");
  EXPECT_EQ(loader.Next().status().ToString(), "DATA_LOSS: batch 2 is broken");
}

TEST(Loader, MakesNoMoreThanPrefetchAhead) {
  std::atomic<int64_t> furthest = -1;
  const auto make = [&](int64_t index, std::stop_token) -> Result<Batch> {
    int64_t seen = furthest;
    while (seen < index && !furthest.compare_exchange_weak(seen, index)) {
    }
    return Batch{.index = index};
  };
  Loader loader(make, {.workers = 3, .prefetch = 2});
  for (int64_t taken = 0; taken < 20; ++taken) {
    EXPECT_LT(furthest, taken + 2);
    ASSERT_TRUE(loader.Next().ok());
  }
}

TEST(Loader, StopsInTheMiddleOfABatch) {
  std::promise<void> started;
  const auto make = [&](int64_t index, std::stop_token stop) -> Result<Batch> {
    if (index == 0) started.set_value();
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    return Error(Code::kCancelled, "stopped");
  };
  const auto start = std::chrono::steady_clock::now();
  {
    Loader loader(make, {.workers = 2});
    started.get_future().wait();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

TEST(Loader, CountsTheTimeThatTheConsumerWaits) {
  const auto make = [](int64_t index, std::stop_token) -> Result<Batch> {
    std::this_thread::sleep_for(30ms);
    return Batch{.index = index};
  };
  Loader loader(make, {.prefetch = 1});
  ASSERT_TRUE(loader.Next().ok());
  const double waited = loader.stall_seconds();
  EXPECT_GT(waited, 0.01);
  std::this_thread::sleep_for(200ms);  // the next one is made meanwhile
  ASSERT_TRUE(loader.Next().ok());
  EXPECT_EQ(loader.stall_seconds(), waited);
}

}  // namespace
}  // namespace headrace::data
