#include "headrace/data/pipeline.h"

#include "headrace/io/input_error.h"

namespace headrace::data {

Result<Pipeline> Pipeline::Open(const DataConfig& config, uint64_t seed) {
  HR_TRY(auto dataset,
         io::AsInput(std::visit([](const auto& source) { return source.Open(); }, config.source)));
  Pipeline pipeline;
  HR_TRY(pipeline.splits_, Split(dataset, config.split));
  if (config.augment) {
    HR_TRY(pipeline.augment_, Augment::Create(*config.augment, *pipeline.splits_.train, seed));
  }
  if (config.normalize) {
    const int image = FindField(pipeline.fields(), kImage);
    if (image < 0) return InvalidArgument("normalize: examples have no field '{}'", kImage);
    HR_TRY(pipeline.normalizer_, Normalizer::Create(*config.normalize, pipeline.fields()[image].type));
    pipeline.splits_.eval = Normalized(pipeline.splits_.eval, pipeline.normalizer_);
  }
  pipeline.seed_ = seed;
  pipeline.workers_ = static_cast<int>(config.workers);
  pipeline.prefetch_ = static_cast<int>(config.prefetch);
  return pipeline;
}

Result<TrainBatches> Pipeline::Train(int64_t batch_size) const {
  return TrainBatches::Create(
      splits_.train,
      {.batch_size = batch_size, .seed = seed_, .augment = augment_, .normalizer = normalizer_});
}

std::vector<NamedType> Pipeline::TrainFields(int64_t batch_size) const {
  std::vector<NamedType> all = Batched(fields(), batch_size);
  if (!augment_.mixer) return all;
  for (NamedType& field : Mixer::MoreFields(batch_size)) all.push_back(std::move(field));
  return all;
}

Result<EvalBatches> Pipeline::Eval(int64_t batch_size) const {
  return EvalBatches::Create(splits_.eval, batch_size);
}

LoaderOptions Pipeline::LoaderFrom(int64_t first, std::optional<int64_t> end) const {
  return {.first = first, .end = end, .workers = workers_, .prefetch = prefetch_};
}

}  // namespace headrace::data
