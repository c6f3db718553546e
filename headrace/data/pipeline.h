// Pipeline: from the `data:` section of a run to its batches. The front of this module.
//
// A Pipeline is constant once it is open, and safe to use from any thread; batches and loaders share what
// they need of it and may outlive it.
//
//   HR_TRY(Pipeline pipeline, Pipeline::Open(config, seed));
//   HR_TRY(TrainBatches batches, pipeline.Train(100));      // batch k is batches(k)
//   Loader loader(batches, pipeline.LoaderFrom(step));      // the same batches, made ahead by threads
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/data/augment.h"
#include "headrace/data/batch.h"
#include "headrace/data/csv_source.h"
#include "headrace/data/image_folder.h"
#include "headrace/data/loader.h"
#include "headrace/data/npy_source.h"
#include "headrace/data/segmentation_folder.h"
#include "headrace/data/split.h"
#include "headrace/data/text_source.h"

namespace headrace::data {

// Every format that data can come in. To add one: its struct with kKind, Fields, Scale and Open, and its name
// here.
using SourceConfig =
    std::variant<CsvSource, NpySource, ImageFolderSource, SegmentationFolderSource, TextSource>;

struct DataConfig {
  SourceConfig source{};
  SplitConfig split{};
  std::optional<AugmentConfig> augment{};
  std::optional<NormalizeConfig> normalize{};
  int64_t workers = 1;
  int64_t prefetch = 4;

  void Fields(config::Visitor& v) {
    v.Choice("source", config::ChoiceRef::Of(source, "format"), "Where the examples are");
    v.Field("split", split, "Which examples are trained on and which are held out");
    v.Field("augment", augment, "Random changes of the images that are trained on");
    v.Field("normalize", normalize, "Bring the values of images to a mean of 0 and a deviation of 1");
    v.Field("workers", workers, "Threads that make batches", config::Between(1, 1024));
    v.Field("prefetch", prefetch, "Batches made ahead of the device", config::Between(1, 1024));
  }
};

class Pipeline {
 public:
  // Reads the data and splits it. `seed` decides the order of training and what augmentation draws.
  // kInvalidArgument for whatever is wrong with the files that the config names (io/input_error.h).
  static Result<Pipeline> Open(const DataConfig& config, uint64_t seed);

  const std::shared_ptr<const Dataset>& train() const { return splits_.train; }
  const std::shared_ptr<const Dataset>& eval() const { return splits_.eval; }  // may be empty
  // Types of one example's fields.
  const std::vector<NamedType>& fields() const { return splits_.train->fields(); }
  // Types of a training batch's fields.
  std::vector<NamedType> TrainFields(int64_t batch_size) const;
  std::string Sha256() const { return splits_.train->Sha256(); }
  // The name of each class; empty where they have none.
  std::vector<std::string> ClassNames() const { return splits_.train->ClassNames(); }
  // The examples that turned out to be unreadable so far; null where there cannot be any.
  std::shared_ptr<const SkippedExamples> Skipped() const { return splits_.train->Skipped(); }

  // The endless sequence of training batches.
  Result<TrainBatches> Train(int64_t batch_size) const;
  // The examples held out. kInvalidArgument if there are none.
  Result<EvalBatches> Eval(int64_t batch_size) const;
  // For a Loader of batches first, first + 1, … up to `end`.
  LoaderOptions LoaderFrom(int64_t first, std::optional<int64_t> end = {}) const;

 private:
  Pipeline() = default;

  Splits splits_;
  uint64_t seed_ = 0;
  Augment augment_;
  Normalizer normalizer_;
  int workers_ = 1;
  int prefetch_ = 1;
};

}  // namespace headrace::data
