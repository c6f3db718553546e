#include "headrace/run/classification.h"

#include <fmt/ranges.h>

#include "headrace/data/dataset.h"
#include "headrace/data/mix.h"
#include "headrace/graph/ops.h"
#include "headrace/jit/trace.h"
#include "headrace/nn/losses.h"
#include "headrace/nn/softmax.h"
#include "headrace/run/model_variables.h"

namespace headrace::run {
namespace {

const NamedType* Find(const std::vector<NamedType>& fields, std::string_view name) {
  const int at = data::FindField(fields, name);
  return at < 0 ? nullptr : &fields[static_cast<size_t>(at)];
}

std::string NamesOf(const std::vector<NamedType>& fields) {
  std::vector<std::string> names;
  for (const NamedType& field : fields) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Every label is one of the model's classes.
Status Check(const RunConfig& config, const data::Pipeline& pipeline) {
  const int64_t classes = std::visit(
      [](const auto& kind) -> int64_t {
        if constexpr (requires { kind.classes; }) return kind.classes;
        return 0;
      },
      config.model);
  HR_TRY(data::CheckLabels(*pipeline.train(), classes));
  return data::CheckLabels(*pipeline.eval(), classes);
}

std::vector<NamedMean> Derived(std::span<const NamedMean>) { return {}; }

}  // namespace

const Objective kClassification = {
    .command = "predict", .check = Check, .make_task = ClassificationTask, .derived = Derived};

Result<NamedType> InputField(const std::vector<NamedType>& example_fields) {
  for (std::string_view name : {data::kImage, data::kFeatures}) {
    if (const NamedType* field = Find(example_fields, name)) return *field;
  }
  return InvalidArgument("the data has neither `image` nor `features`, only: {}", NamesOf(example_fields));
}

Result<train::Task> ClassificationTask(const std::string& name, const models::ModelConfig& model,
                                       const std::vector<NamedType>& example_fields) {
  HR_TRY(const NamedType input, InputField(example_fields));
  if (!Find(example_fields, data::kLabel)) {
    return InvalidArgument(
        "the data has no `label` to learn, only: {}; say which column it is (data.source.label)",
        NamesOf(example_fields));
  }
  train::Task task{.name = name, .variables = {}, .measure_names = {"loss", "accuracy"}, .measure = {}};
  HR_TRY(task.variables, DeclareVariables(model, input.type.shape));
  task.measure = [model, input](nn::Frame& frame, const train::Fields& batch) -> train::Measures {
    const Value x = batch.at(input.name);
    const Value label = batch.at(std::string(data::kLabel));
    const auto made = models::MakeModel(model, nn::Scope(frame), input.type.shape);
    const Value logits = (*made)(Convert(x, frame.options().compute));

    auto entered = frame.graph().Enter("loss");
    const auto weight = batch.find(std::string(data::kWeight));
    Value loss = nn::CrossEntropy(logits, label);
    if (const auto share = batch.find(std::string(data::kMixShare)); share != batch.end()) {
      const Value other = nn::CrossEntropy(logits, batch.at(std::string(data::kMixLabel)));
      loss = share->second * loss + (1.0 - share->second) * other;
    }
    const Value weights = weight == batch.end() ? OnesLike(loss) : weight->second;
    return {Sum(weights),
            {{"loss", Sum(weights * loss)}, {"accuracy", Sum(weights * nn::Correct(logits, label))}}};
  };
  return task;
}

Result<Function> TracePrediction(const models::ModelConfig& model, const train::Task& task,
                                 const TensorType& inputs) {
  Types types;
  std::vector<std::string> names;
  for (const nn::VariableSpec& spec : task.variables) {
    types.push_back(spec.type);
    names.push_back(spec.name);
  }
  types.push_back(inputs);
  names.push_back("inputs");
  const Shape example(std::vector<int64_t>(inputs.shape.begin() + 1, inputs.shape.end()));
  return jit::TryTrace(
      "predict", types,
      [&](std::span<const Value> a) {
        std::map<std::string, Value> variables;
        for (size_t i = 0; i + 1 < a.size(); ++i) variables.emplace(names[i], a[i]);
        nn::Frame frame = nn::Frame::Bind(a[0].graph(), std::move(variables), {});
        return Values{nn::Softmax((*models::MakeModel(model, nn::Scope(frame), example))(a.back()))};
      },
      names);
}

}  // namespace headrace::run
