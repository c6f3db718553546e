#include "headrace/run/prediction.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "headrace/data/dataset.h"
#include "headrace/data/image.h"
#include "headrace/data/source_file.h"
#include "headrace/jit/program.h"
#include "headrace/run/classification.h"
#include "headrace/run/model_variables.h"
#include "headrace/run/run_directory.h"
#include "headrace/tensor/npy.h"

namespace headrace::run {
namespace {

using Json = nlohmann::ordered_json;

// What the model takes: read from the checkpoint, so that the data need not be there.
struct Input {
  NamedType example;  // without the batch
  double scale = 1;   // what pixels are divided by
};

double ScaleOf(const data::SourceConfig& source) {
  return std::visit([](const auto& format) { return format.Scale(); }, source);
}

Result<Input> InputOf(const ExistingRun& run, const checkpoint::Checkpoint& checkpoint) {
  HR_TRY(const std::string text, run.store->ReadText(checkpoint.key() + "/model/config.json"));
  try {
    const Json inputs = Json::parse(text).at("inputs");
    const auto& [name, dims] = *inputs.items().begin();
    return Input{{name, {DType::kF32, Shape(dims.get<std::vector<int64_t>>())}},
                 ScaleOf(run.config.data.source)};
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

HostTensor ToPicture(const HostTensor& image, double scale) {
  HostTensor picture({DType::kU8, image.shape()});
  for (int64_t i = 0; i < image.size(); ++i) {
    picture.Set(i, std::clamp(image.At(i) * scale * 255 / std::max(scale, 1.0), 0.0, 255.0));
  }
  return picture;
}

bool IsPicture(const Shape& shape) { return shape.rank() == 3 && (shape[2] == 1 || shape[2] == 3); }

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

Result<Query> PictureQuery(const std::string& path, const io::Blob& file, const Input& input) {
  if (!IsPicture(input.example.type.shape)) {
    return InvalidArgument("{}: the model takes {} {}, not pictures; give a .npy file", path,
                           input.example.name, input.example.type.shape.ToString());
  }
  HR_TRY(HostTensor picture, data::DecodeImage(file.bytes, path));
  Query query;
  query.prediction.source = path;
  if (input.example.type.shape[2] == 1 && HasLightRim(picture)) {
    picture = data::Inverted(picture);
    query.prediction.note = "dark on light; inverted";
  }
  HR_TRY(query.input, data::FitImage(picture, input.example.type.shape, input.scale).Context("{}", path));
  query.prediction.picture = ToPicture(query.input, input.scale);
  return query;
}

// A .npy file holds one example of the model's shape or a batch of them; values are as in the source's files.
Status AddNpyQueries(const std::string& path, const io::Blob& file, const Input& input,
                     std::vector<Query>& queries) {
  HR_TRY(const HostTensor raw, DecodeNpy(file.bytes).Context("{}", path));
  const HostTensor values = raw.ConvertTo(DType::kF32);
  const Shape& example = input.example.type.shape;
  const bool is_batch = values.shape().rank() == example.rank() + 1 &&
                        std::equal(example.begin(), example.end(), values.shape().begin() + 1);
  if (!is_batch && values.shape() != example) {
    return InvalidArgument("{}: holds {}; the model takes {} or a batch of them", path, raw.type().ToString(),
                           example.ToString());
  }
  const int64_t count = is_batch ? values.shape()[0] : 1;
  for (int64_t n = 0; n < count; ++n) {
    Query query;
    query.prediction.source = is_batch ? fmt::format("{}[{}]", path, n) : path;
    query.input = HostTensor(input.example.type);
    for (int64_t i = 0; i < query.input.size(); ++i) {
      query.input.Set(i, values.At(n * query.input.size() + i) / input.scale);
    }
    if (IsPicture(example)) query.prediction.picture = ToPicture(query.input, input.scale);
    queries.push_back(std::move(query));
  }
  return Ok();
}

Result<Query> HeldOutQuery(const data::Pipeline& pipeline, int64_t index, const Input& input) {
  HR_TRY(const data::Example example, pipeline.eval()->Get(index));
  Query query;
  query.prediction.source = fmt::format("held-out example {}", index);
  for (const NamedTensor& field : example) {
    if (field.name == input.example.name) query.input = field.tensor;
    if (field.name == data::kLabel) query.prediction.label = static_cast<int64_t>(field.tensor.At(0));
  }
  if (IsPicture(input.example.type.shape)) query.prediction.picture = ToPicture(query.input, input.scale);
  return query;
}

Result<std::vector<Query>> Gather(const PredictionOptions& options, const ExistingRun& run,
                                  const Input& input) {
  std::vector<Query> queries;
  for (const std::string& path : options.files) {
    HR_TRY(const io::Blob file, data::ReadSourceFile(path));
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
  HR_TRY(const checkpoint::Restored restored, run.checkpoints->ReadLatest());
  if (!restored.checkpoint)
    return Error(Code::kNotFound, "the run at {} has no checkpoint yet", options.path);
  HR_TRY(const Input input, InputOf(run, *restored.checkpoint));
  HR_TRY(std::vector<Query> queries, Gather(options, run, input));
  if (queries.empty()) return InvalidArgument("nothing to predict: name a file, or a held-out example");

  const HostTensor batch = Stack(queries, input.example.type);
  HR_TRY(const train::Task task,
         ClassificationTask(run.config.name, run.config.model,
                            {input.example, {std::string(data::kLabel), {DType::kI32, {}}}}));
  HR_TRY(const Function function, TracePrediction(run.config.model, task, batch.type()));
  HR_TRY(std::vector<HostTensor> arguments,
         ValuesOf(task.variables, restored.contents.model, restored.checkpoint->Name()));
  arguments.push_back(batch);
  HR_TRY(const std::unique_ptr<runtime::Client> client, OpenClient(options.device));
  HR_TRY(const std::vector<HostTensor> results, jit::Evaluate(*client, function, arguments));

  PredictionReport report{.checkpoint = restored.checkpoint->Name(), .predictions = {}};
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

std::string ToJson(const PredictionReport& report) {
  Json predictions = Json::array();
  for (const Prediction& prediction : report.predictions) {
    Json line = {{"source", prediction.source},
                 {"class", prediction.Best()},
                 {"probabilities", prediction.probabilities}};
    if (prediction.label) line["label"] = *prediction.label;
    if (!prediction.note.empty()) line["note"] = prediction.note;
    predictions.push_back(std::move(line));
  }
  return Json{{"checkpoint", report.checkpoint}, {"predictions", std::move(predictions)}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headrace::run
