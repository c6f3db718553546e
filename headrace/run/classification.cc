#include "headrace/run/classification.h"

#include "headrace/data/dataset.h"
#include "headrace/data/mix.h"
#include "headrace/graph/ops.h"
#include "headrace/nn/losses.h"
#include "headrace/nn/softmax.h"
#include "headrace/run/model_variables.h"

namespace headrace::run {
namespace {

const NamedType* Find(const std::vector<NamedType>& fields, std::string_view name) {
  const int at = data::FindField(fields, name);
  return at < 0 ? nullptr : &fields[static_cast<size_t>(at)];
}

// Every label is one of the model's classes.
Status Check(const RunConfig& config, const data::Pipeline& pipeline) {
  const int64_t classes = models::ClassesOf(config.model);
  HR_TRY(data::CheckLabels(*pipeline.train(), classes));
  return data::CheckLabels(*pipeline.eval(), classes);
}

std::vector<NamedMean> Report(std::span<const NamedMean> means) { return {means.begin(), means.end()}; }

Value Probabilities(Value logits) { return nn::Softmax(logits); }

}  // namespace

const Objective kClassification = {.command = "predict",
                                   .check = Check,
                                   .make_task = ClassificationTask,
                                   .report = Report,
                                   .prediction = Probabilities};

Result<NamedType> InputField(const std::vector<NamedType>& example_fields) {
  for (std::string_view name : {data::kImage, data::kFeatures}) {
    if (const NamedType* field = Find(example_fields, name)) return *field;
  }
  return InvalidArgument("the data has neither `image` nor `features`, only: {}",
                         data::NamesOf(example_fields));
}

Result<train::Task> ClassificationTask(const std::string& name, const models::ModelConfig& model,
                                       const std::vector<NamedType>& example_fields) {
  HR_TRY(const NamedType input, InputField(example_fields));
  if (Find(example_fields, data::kMask)) {
    return InvalidArgument(
        "the data has a mask for each image, which this model cannot learn; say model.kind: unet");
  }
  if (!Find(example_fields, data::kLabel)) {
    return InvalidArgument(
        "the data has no `label` to learn, only: {}; say which column it is (data.source.label)",
        data::NamesOf(example_fields));
  }
  train::Task task{.name = name, .variables = {}, .measure_names = {"loss", "accuracy"}, .measure = {}};
  HR_TRY(task.variables, DeclareVariables(model, input.type.shape));
  task.measure = [model, input](nn::Frame& frame, const train::Fields& batch) -> train::Measures {
    const Value x = batch.at(input.name);
    const Value label = batch.at(std::string(data::kLabel));
    const auto made = models::MakeModel(model, nn::Scope(frame), input.type.shape);
    const Value logits = (*made)(Convert(x, frame.options().compute));

    auto entered = frame.graph().Enter("loss");
    Value loss = nn::CrossEntropy(logits, label);
    if (const auto share = batch.find(std::string(data::kMixShare)); share != batch.end()) {
      const Value other = nn::CrossEntropy(logits, batch.at(std::string(data::kMixLabel)));
      loss = share->second * loss + (1.0 - share->second) * other;
    }
    const Value weights = WeightsLike(loss, batch);
    return {Sum(weights),
            {{"loss", Sum(weights * loss)}, {"accuracy", Sum(weights * nn::Correct(logits, label))}}};
  };
  return task;
}

}  // namespace headrace::run
