// Batches: batch k as a pure function of (dataset, seed, k).
//
// Resuming is asking for batch k; there is no other state. TrainBatches takes positions k·B … k·B + B-1 of an
// endless sequence: epoch after epoch, each a new random order of all examples. Within an epoch no example
// repeats; where the epoch does not divide into batches, its end falls inside one and the batch goes on with
// the next epoch. EvalBatches takes every example once, in order, and fills up the last batch with rows of
// weight 0. Both are values, constant, cheap to copy, and safe to call from any thread.
//
//   HR_TRY(TrainBatches batches, TrainBatches::Create(splits.train, {.batch_size = 100, .seed = 7}));
//   HR_TRY(Batch batch, batches(600));
//   const HostTensor* images = batch.Find("image");  // f32[100, 28, 28, 1]
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "headrace/data/augment.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

struct Batch {
  int64_t index = 0;
  std::vector<NamedTensor> fields;  // [batch, ...], in the order of the dataset's fields, 64-byte aligned

  // Null if there is no such field.
  const HostTensor* Find(std::string_view name) const;
};

// The fields of so many examples as one: each shape with a first dimension more.
std::vector<NamedType> Batched(std::vector<NamedType> fields, int64_t batch_size);

// Makes batch `index`; gives up with kCancelled soon after `stop` is requested.
using MakeBatch = std::function<Result<Batch>(int64_t index, std::stop_token stop)>;

struct TrainBatchesOptions {
  int64_t batch_size = 0;
  uint64_t seed = 0;  // of the order
  Augment augment{};
  Normalizer normalizer{};  // applied to images after the augmentation, before they are mixed
};

class TrainBatches {
 public:
  // kInvalidArgument for a batch size below 1 or an empty dataset.
  static Result<TrainBatches> Create(std::shared_ptr<const Dataset> dataset, TrainBatchesOptions options);

  // Types of a batch's fields: the dataset's, then those that mixing adds.
  const std::vector<NamedType>& fields() const { return fields_; }

  // Batch `index`, from 0 without end. REQUIRES: index >= 0
  Result<Batch> operator()(int64_t index, std::stop_token stop = {}) const;

 private:
  TrainBatches(std::shared_ptr<const Dataset> dataset, TrainBatchesOptions options);
  Status FillRow(int64_t position, int64_t example, Row row) const;

  std::shared_ptr<const Dataset> dataset_;
  TrainBatchesOptions options_;
  std::vector<NamedType> fields_;
};

class EvalBatches {
 public:
  // kInvalidArgument for a batch size below 1, or an empty dataset.
  static Result<EvalBatches> Create(std::shared_ptr<const Dataset> dataset, int64_t batch_size);

  // Types of a batch's fields: the dataset's, then `weight` f32[batch] unless it is one of them.
  const std::vector<NamedType>& fields() const { return fields_; }
  // Number of batches.
  int64_t count() const { return (dataset_->size() + batch_size_ - 1) / batch_size_; }

  // REQUIRES: 0 <= index < count()
  Result<Batch> operator()(int64_t index, std::stop_token stop = {}) const;

 private:
  EvalBatches(std::shared_ptr<const Dataset> dataset, int64_t batch_size);

  std::shared_ptr<const Dataset> dataset_;
  int64_t batch_size_;
  std::vector<NamedType> fields_;
};

}  // namespace headrace::data
