#include "headrace/run/prediction.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "headrace/data/dataset.h"
#include "headrace/data/image.h"
#include "headrace/data/model_input.h"
#include "headrace/io/input_error.h"
#include "headrace/io/store.h"
#include "headrace/jit/program.h"
#include "headrace/run/classification.h"
#include "headrace/run/model_variables.h"
#include "headrace/run/run_directory.h"
#include "headrace/tensor/npy.h"

namespace headrace::run {
namespace {

using Json = nlohmann::ordered_json;

// What the model takes and tells apart: read from the checkpoint, so that the data need not be there.
struct ModelFacts {
  data::ModelInput input;
  std::vector<std::string> class_names;
};

Result<ModelFacts> FactsOf(const ExistingRun& run, const checkpoint::Checkpoint& checkpoint) {
  HR_TRY(const std::string text, run.store->ReadText(checkpoint.key() + "/model/config.json"));
  try {
    const Json json = Json::parse(text);
    const auto inputs = json.at("inputs").get<std::map<std::string, std::vector<int64_t>>>();
    if (inputs.size() != 1) {
      return Error(Code::kDataLoss, "{}/model/config.json names {} inputs, not one", checkpoint.Name(),
                   inputs.size());
    }
    const auto& [name, dims] = *inputs.begin();
    HR_TRY(data::ModelInput input,
           data::ModelInput::Create(run.config.data, {name, {DType::kF32, Shape(dims)}}));
    ModelFacts facts{.input = std::move(input), .class_names = {}};
    if (const auto names = json.find("id2label"); names != json.end()) {
      for (size_t i = 0; i < names->size(); ++i) facts.class_names.push_back(names->at(std::to_string(i)));
    }
    return facts;
  } catch (const std::exception& error) {
    return Error(Code::kDataLoss, "{}/model/config.json does not say what the model takes ({})",
                 checkpoint.Name(), error.what());
  }
}

// One example as the model takes it, with what is known of it.
struct Query {
  Prediction prediction;  // still without probabilities
  HostTensor input;
};

// Digits datasets hold light ink on a dark ground; a scan is the other way round. The rim tells.
bool HasLightRim(const HostTensor& picture) {
  const int64_t height = picture.shape()[0], width = picture.shape()[1], channels = picture.shape()[2];
  double sum = 0;
  int64_t count = 0;
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      if (y > 0 && y + 1 < height && x > 0 && x + 1 < width) continue;
      for (int64_t c = 0; c < channels; ++c, ++count) sum += picture.At((y * width + x) * channels + c);
    }
  }
  return sum > 127.5 * static_cast<double>(count);
}

Result<Query> PictureQuery(const std::string& path, const io::Blob& file, const data::ModelInput& input) {
  const NamedType& example = input.example();
  if (!input.is_picture()) {
    return InvalidArgument("{}: the model takes {} {}, not pictures; give a .npy file", path, example.name,
                           example.type.shape.ToString());
  }
  HR_TRY(HostTensor picture, io::AsInput(data::DecodeImage(file.bytes, path)));
  Query query;
  query.prediction.source = path;
  if (!input.fits_pictures() && example.type.shape[2] == 1 && HasLightRim(picture)) {
    picture = data::Inverted(picture);
    query.prediction.note = "dark on light; inverted";
  }
  HR_TRY(query.input, input.FromPicture(picture).Context("{}", path));
  query.prediction.picture = input.ToPicture(query.input);
  return query;
}

// A .npy file holds one example of the model's shape or a batch of them; values are as in the source's files.
Status AddNpyQueries(const std::string& path, const io::Blob& file, const data::ModelInput& input,
                     std::vector<Query>& queries) {
  HR_TRY(const HostTensor raw, io::AsInput(DecodeNpy(file.bytes)).Context("{}", path));
  const HostTensor values = raw.ConvertTo(DType::kF32);
  const TensorType& example = input.example().type;
  const Shape& shape = example.shape;
  const bool is_batch = values.shape().rank() == shape.rank() + 1 &&
                        std::equal(shape.begin(), shape.end(), values.shape().begin() + 1);
  if (!is_batch && values.shape() != shape) {
    return InvalidArgument("{}: holds {}; the model takes {} or a batch of them", path, raw.type().ToString(),
                           shape.ToString());
  }
  const int64_t count = is_batch ? values.shape()[0] : 1;
  const auto size = static_cast<size_t>(example.ByteCount());
  for (int64_t n = 0; n < count; ++n) {
    Query query;
    query.prediction.source = is_batch ? fmt::format("{}[{}]", path, n) : path;
    const auto bytes = values.bytes().subspan(static_cast<size_t>(n) * size, size);
    query.input = input.FromValues(HostTensor::CopyOf(example, bytes));
    if (input.is_picture()) query.prediction.picture = input.ToPicture(query.input);
    queries.push_back(std::move(query));
  }
  return Ok();
}

Result<Query> HeldOutQuery(const data::Pipeline& pipeline, int64_t index, const data::ModelInput& input) {
  const int64_t count = pipeline.eval()->size();
  if (index < 0 || index >= count) {
    return InvalidArgument("there is no held-out example {}: the run holds {} out, counted from 0", index,
                           count);
  }
  HR_TRY(const data::Example example, io::AsInput(pipeline.eval()->Get(index)));
  Query query;
  query.prediction.source = fmt::format("held-out example {}", index);
  for (const NamedTensor& field : example) {
    if (field.name == input.example().name) query.input = field.tensor;
    if (field.name == data::kLabel) query.prediction.label = static_cast<int64_t>(field.tensor.At(0));
  }
  if (const auto skipped = pipeline.Skipped(); skipped && skipped->count() > 0) {
    return InvalidArgument("held-out example {}: {}", index, skipped->Reasons().front());
  }
  if (input.is_picture()) query.prediction.picture = input.ToPicture(query.input);
  return query;
}

Result<std::vector<Query>> Gather(const PredictionOptions& options, const ExistingRun& run,
                                  const data::ModelInput& input) {
  std::vector<Query> queries;
  for (const std::string& path : options.files) {
    HR_TRY(const io::Blob file, io::AsInput(io::ReadFile(path)));
    if (file.text().starts_with("\x93NUMPY")) {
      HR_TRY(AddNpyQueries(path, file, input, queries));
    } else {
      HR_TRY(Query query, PictureQuery(path, file, input));
      queries.push_back(std::move(query));
    }
  }
  if (options.examples.empty()) return queries;
  HR_TRY(const data::Pipeline pipeline,
         data::Pipeline::Open(run.config.data, static_cast<uint64_t>(run.config.seed)));
  for (int64_t index : options.examples) {
    HR_TRY(Query query, HeldOutQuery(pipeline, index, input));
    queries.push_back(std::move(query));
  }
  return queries;
}

// All inputs as one batch.
HostTensor Stack(const std::vector<Query>& queries, const TensorType& example) {
  std::vector<int64_t> dims = example.shape.dims();
  dims.insert(dims.begin(), static_cast<int64_t>(queries.size()));
  HostTensor batch({example.dtype, Shape(dims)});
  auto out = batch.mutable_bytes().begin();
  for (const Query& query : queries) out = std::ranges::copy(query.input.bytes(), out).out;
  return batch;
}

}  // namespace

int64_t Prediction::Best() const { return std::ranges::max_element(probabilities) - probabilities.begin(); }

Result<PredictionReport> Predict(const PredictionOptions& options) {
  HR_TRY(const ExistingRun run, OpenRun(options.path));
  HR_TRY(CheckCommand("predict", run.config, options.path));
  HR_TRY(const ChosenCheckpoint chosen, ReadCheckpoint(run, options.checkpoint, CheckpointParts::kModel));
  HR_TRY(ModelFacts facts, FactsOf(run, chosen.checkpoint));
  const NamedType& example = facts.input.example();
  HR_TRY(std::vector<Query> queries, Gather(options, run, facts.input));
  if (queries.empty()) return InvalidArgument("nothing to predict: name a file, or a held-out example");

  const HostTensor batch = Stack(queries, example.type);
  HR_TRY(const train::Task task,
         ClassificationTask(run.config.name, run.config.model,
                            {example, {std::string(data::kLabel), {DType::kI32, {}}}}));
  HR_TRY(const Function function, TracePrediction(run.config.model, task, batch.type()));
  HR_TRY(std::vector<HostTensor> arguments,
         ValuesOf(task.variables, chosen.contents.model, chosen.checkpoint.Name()));
  arguments.push_back(batch);
  HR_TRY(const std::unique_ptr<runtime::Client> client, OpenClient(options.device));
  HR_TRY(const std::vector<HostTensor> results, jit::Evaluate(*client, function, arguments));

  PredictionReport report{
      .checkpoint = chosen.Choice(), .predictions = {}, .class_names = std::move(facts.class_names)};
  const int64_t classes = results[0].shape()[1];
  for (size_t n = 0; n < queries.size(); ++n) {
    Prediction prediction = std::move(queries[n].prediction);
    for (int64_t c = 0; c < classes; ++c) {
      prediction.probabilities.push_back(results[0].At(static_cast<int64_t>(n) * classes + c));
    }
    report.predictions.push_back(std::move(prediction));
  }
  return report;
}

std::string PredictionReport::NameOf(int64_t label) const {
  const auto index = static_cast<size_t>(label);
  return index < class_names.size() ? fmt::format("{} {}", label, class_names[index])
                                    : fmt::format("{}", label);
}

std::string ToJson(const PredictionReport& report) {
  Json predictions = Json::array();
  for (const Prediction& prediction : report.predictions) {
    Json line = {{"source", prediction.source},
                 {"class", prediction.Best()},
                 {"probabilities", prediction.probabilities}};
    const auto best = static_cast<size_t>(prediction.Best());
    if (best < report.class_names.size()) line["name"] = report.class_names[best];
    if (prediction.label) line["label"] = *prediction.label;
    if (!prediction.note.empty()) line["note"] = prediction.note;
    predictions.push_back(std::move(line));
  }
  Json json = {{"checkpoint", report.checkpoint.name}};
  if (!report.checkpoint.best_by.empty()) json["best_by"] = report.checkpoint.best_by;
  json["predictions"] = std::move(predictions);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headrace::run
