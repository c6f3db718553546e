#include "headrace/data/batch.h"

#include <algorithm>
#include <optional>

#include "headrace/data/index_shuffle.h"

namespace headrace::data {
namespace {

Status CheckSizes(const Dataset& dataset, int64_t batch_size) {
  if (batch_size < 1) return InvalidArgument("batch size {} is not positive", batch_size);
  if (dataset.size() == 0)
    return InvalidArgument("no examples of {} are left to make batches of", dataset.Name());
  return Ok();
}

// A batch of zeros, and the memory of each of its rows.
class RowWriter {
 public:
  RowWriter(int64_t index, const std::vector<NamedType>& fields, int64_t batch_size)
      : batch_{.index = index} {
    for (const NamedType& field : fields) {
      batch_.fields.push_back({field.name, HostTensor(field.type)});
      bytes_.push_back(batch_.fields.back().tensor.mutable_bytes());
      strides_.push_back(bytes_.back().size() / batch_size);
    }
    row_.resize(fields.size());
  }

  // The first `count` fields of row `i`, valid until the next call.
  Row At(int64_t i, size_t count) {
    for (size_t f = 0; f < count; ++f) row_[f] = bytes_[f].subspan(i * strides_[f], strides_[f]);
    return {row_.data(), count};
  }
  Batch Finish() && { return std::move(batch_); }

 private:
  Batch batch_;
  std::vector<std::span<std::byte>> bytes_;
  std::vector<size_t> strides_;
  std::vector<std::span<std::byte>> row_;
};

Status Cancelled(int64_t index) { return Error(Code::kCancelled, "batch {} was given up", index); }

}  // namespace

std::vector<NamedType> Batched(std::vector<NamedType> fields, int64_t batch_size) {
  for (NamedType& field : fields) {
    std::vector<int64_t> dims = {batch_size};
    dims.insert(dims.end(), field.type.shape.begin(), field.type.shape.end());
    field.type.shape = Shape(std::move(dims));
  }
  return fields;
}

const HostTensor* Batch::Find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &NamedTensor::name);
  return found == fields.end() ? nullptr : &found->tensor;
}

Result<TrainBatches> TrainBatches::Create(std::shared_ptr<const Dataset> dataset,
                                          TrainBatchesOptions options) {
  HR_TRY(CheckSizes(*dataset, options.batch_size));
  return TrainBatches(std::move(dataset), std::move(options));
}

TrainBatches::TrainBatches(std::shared_ptr<const Dataset> dataset, TrainBatchesOptions options)
    : dataset_(std::move(dataset)),
      options_(std::move(options)),
      fields_(Batched(dataset_->fields(), options_.batch_size)) {
  if (!options_.augment.mixer) return;
  for (NamedType& field : Mixer::MoreFields(options_.batch_size)) fields_.push_back(std::move(field));
}

Status TrainBatches::FillRow(int64_t position, int64_t example, Row row) const {
  const Augment& augment = options_.augment;
  if (augment.cut) {
    const auto cut = [&](int64_t height, int64_t width) { return augment.cut(position, height, width); };
    HR_TRY(dataset_->FillCut(example, cut, row));
  } else {
    HR_TRY(dataset_->Fill(example, row));
  }
  for (const Transform& transform : augment.transforms) transform(position, row);
  const int image = FindField(dataset_->fields(), kImage);
  if (image >= 0) options_.normalizer.Apply(FloatsOf(row[image]));
  return Ok();
}

Result<Batch> TrainBatches::operator()(int64_t index, std::stop_token stop) const {
  HR_CHECK(index >= 0);
  const int64_t size = dataset_->size();
  RowWriter rows(index, fields_, options_.batch_size);
  int64_t epoch = -1;
  std::optional<IndexShuffle> shuffle;
  for (int64_t i = 0; i < options_.batch_size; ++i) {
    if (stop.stop_requested()) return Cancelled(index);
    const int64_t position = index * options_.batch_size + i;
    if (position / size != epoch) {
      epoch = position / size;
      shuffle.emplace(size, options_.seed, epoch);
    }
    HR_TRY(FillRow(position, (*shuffle)(position % size), rows.At(i, dataset_->fields().size())));
  }
  Batch batch = std::move(rows).Finish();
  if (options_.augment.mixer) (*options_.augment.mixer)(index, batch.fields);
  return batch;
}

Result<EvalBatches> EvalBatches::Create(std::shared_ptr<const Dataset> dataset, int64_t batch_size) {
  HR_TRY(CheckSizes(*dataset, batch_size));
  return EvalBatches(std::move(dataset), batch_size);
}

EvalBatches::EvalBatches(std::shared_ptr<const Dataset> dataset, int64_t batch_size)
    : dataset_(std::move(dataset)),
      batch_size_(batch_size),
      fields_(Batched(dataset_->fields(), batch_size)) {
  if (FindField(fields_, kWeight) < 0) fields_.push_back({std::string(kWeight), {DType::kF32, {batch_size}}});
}

Result<Batch> EvalBatches::operator()(int64_t index, std::stop_token stop) const {
  HR_CHECK(index >= 0 && index < count());
  const size_t own_fields = dataset_->fields().size();
  const int64_t begin = index * batch_size_;
  const int64_t filled = std::min(batch_size_, dataset_->size() - begin);
  RowWriter rows(index, fields_, batch_size_);
  for (int64_t i = 0; i < filled; ++i) {
    if (stop.stop_requested()) return Cancelled(index);
    HR_TRY(dataset_->Fill(begin + i, rows.At(i, own_fields)));
  }
  Batch batch = std::move(rows).Finish();
  if (own_fields < fields_.size()) {
    std::ranges::fill(batch.fields.back().tensor.mutable_data<float>().first(filled), 1.0f);
  }
  return batch;
}

}  // namespace headrace::data
