#include "headrace/run/segmentation.h"

#include <fmt/ranges.h>

#include <array>

#include "headrace/core/check.h"
#include "headrace/data/dataset.h"
#include "headrace/graph/ops.h"
#include "headrace/nn/cross_entropy.h"
#include "headrace/nn/losses.h"
#include "headrace/run/model_variables.h"

namespace headrace::run {
namespace {

// How many pixels are of a class, are said to be of it, and both.
struct ClassCounts {
  double is = 0, said = 0, both = 0;
};
// The names that measures of them have, less the class.
constexpr std::array<std::string_view, 3> kCounts = {"is", "said", "both"};

std::string CountName(std::string_view count, int64_t number) { return fmt::format("{}/{}", count, number); }

// The mean over the classes that occur of intersection over union; NaN where none occurs.
double MeanIou(std::span<const ClassCounts> classes) {
  double sum = 0, occurring = 0;
  for (const ClassCounts& counts : classes) {
    const double either = counts.is + counts.said - counts.both;
    if (either <= 0) continue;
    sum += counts.both / either;
    ++occurring;
  }
  return sum / occurring;
}

// Classes are as many as the model's.
Status Check(const RunConfig& config, const data::Pipeline& pipeline) {
  const int64_t classes = models::ClassesOf(config.model);
  const std::vector<std::string> names = pipeline.ClassNames();
  if (names.empty() || static_cast<int64_t>(names.size()) == classes) return Ok();
  return InvalidArgument("model.classes: {}, but data.source.classes names {}: {}", classes, names.size(),
                         fmt::join(names, ", "));
}

std::vector<NamedMean> Report(std::span<const NamedMean> means) {
  std::vector<ClassCounts> counts;
  for (size_t i = 2; i + 2 < means.size(); i += 3) {
    counts.push_back({.is = means[i].value, .said = means[i + 1].value, .both = means[i + 2].value});
  }
  return {means[0], means[1], {"mean_iou", MeanIou(counts)}};
}

Value Choice(Value logits) { return ArgMax(logits, -1); }

}  // namespace

const Objective kSegmentation = {.command = "predict",
                                 .check = Check,
                                 .make_task = SegmentationTask,
                                 .report = Report,
                                 .prediction = Choice};

Result<train::Task> SegmentationTask(const std::string& name, const models::ModelConfig& model,
                                     const std::vector<NamedType>& example_fields) {
  const int image = data::FindField(example_fields, data::kImage);
  if (image < 0 || data::FindField(example_fields, data::kMask) < 0) {
    return InvalidArgument(
        "a segmentation model learns from images and their masks, but the data has only: {}; say "
        "data.source.format: segmentation_folder",
        data::NamesOf(example_fields));
  }
  const Shape input = example_fields[static_cast<size_t>(image)].type.shape;
  const int64_t classes = models::ClassesOf(model);
  train::Task task{.name = name,
                   .variables = {},
                   .measure_names = {"loss", "accuracy"},
                   .measure = {},
                   .evaluation_measure_names = {}};
  for (int64_t c = 0; c < classes; ++c) {
    for (std::string_view count : kCounts) task.evaluation_measure_names.push_back(CountName(count, c));
  }
  HR_TRY(task.variables, DeclareVariables(model, input));
  task.measure = [model, input, classes](nn::Frame& frame, const train::Fields& batch) -> train::Measures {
    const auto made = models::MakeModel(model, nn::Scope(frame), input);
    const Value x = batch.at(std::string(data::kImage)), mask = batch.at(std::string(data::kMask));
    const Value logits = (*made)(Convert(x, frame.options().compute));  // [B, H, W, classes]

    auto entered = frame.graph().Enter("loss");
    const Value losses = nn::CrossEntropy(logits, mask, {.ignore_index = data::kIgnored});  // [B, H, W]
    const Value is_known = Convert(GreaterEqual(mask, ZerosLike(mask)), DType::kF32);
    const Value counted = is_known * WeightsLike(losses, batch);
    train::Measures measures{
        Sum(counted),
        {{"loss", Sum(counted * losses)}, {"accuracy", Sum(counted * nn::Correct(logits, mask))}}};
    if (frame.options().train) return measures;
    const Value choice = Choice(logits);
    for (int64_t c = 0; c < classes; ++c) {
      const Value number = FullLike(mask, static_cast<double>(c));
      const Value is = Convert(Equal(mask, number), DType::kF32) * counted;
      const Value said = Convert(Equal(choice, number), DType::kF32);
      const std::array<Value, 3> counts = {Sum(is), Sum(said * counted), Sum(is * said)};
      for (size_t k = 0; k < counts.size(); ++k)
        measures.sums.push_back({CountName(kCounts[k], c), counts[k]});
    }
    return measures;
  };
  return task;
}

std::string MaskAgreement::ToString() const {
  return fmt::format("{:.1f} % of the pixels are right, mean IoU {:.3f}", 100 * accuracy, mean_iou);
}

std::optional<MaskAgreement> CompareMasks(const HostTensor& mask, const HostTensor& true_mask,
                                          int64_t classes) {
  HR_CHECK(mask.type() == true_mask.type());
  const std::span<const int32_t> said = mask.data<int32_t>(), is = true_mask.data<int32_t>();
  std::vector<ClassCounts> counts(static_cast<size_t>(classes));
  double counted = 0, right = 0;
  for (size_t i = 0; i < is.size(); ++i) {
    if (is[i] == data::kIgnored) continue;
    ++counted;
    ++counts[static_cast<size_t>(is[i])].is;
    ++counts[static_cast<size_t>(said[i])].said;
    if (said[i] != is[i]) continue;
    ++right;
    ++counts[static_cast<size_t>(is[i])].both;
  }
  if (counted == 0) return {};
  return MaskAgreement{.accuracy = right / counted, .mean_iou = MeanIou(counts)};
}

}  // namespace headrace::run
