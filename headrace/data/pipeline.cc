#include "headrace/data/pipeline.h"

namespace headrace::data {

Result<Pipeline> Pipeline::Open(const DataConfig& config, uint64_t seed) {
  HR_TRY(auto dataset, std::visit([](const auto& source) { return source.Open(); }, config.source));
  Pipeline pipeline;
  HR_TRY(pipeline.splits_, Split(dataset, config.split));
  if (config.augment) {
    HR_TRY(Transform augment, MakeAugment(*config.augment, pipeline.fields(), seed));
    pipeline.transforms_.push_back(std::move(augment));
  }
  pipeline.seed_ = seed;
  pipeline.workers_ = static_cast<int>(config.workers);
  pipeline.prefetch_ = static_cast<int>(config.prefetch);
  return pipeline;
}

Result<TrainBatches> Pipeline::Train(int64_t batch_size) const {
  return TrainBatches::Create(splits_.train,
                              {.batch_size = batch_size, .seed = seed_, .transforms = transforms_});
}

Result<EvalBatches> Pipeline::Eval(int64_t batch_size) const {
  return EvalBatches::Create(splits_.eval, batch_size);
}

LoaderOptions Pipeline::LoaderFrom(int64_t first, std::optional<int64_t> end) const {
  return {.first = first, .end = end, .workers = workers_, .prefetch = prefetch_};
}

}  // namespace headrace::data
