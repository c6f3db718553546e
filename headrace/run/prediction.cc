#include "headrace/run/prediction.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "headrace/data/dataset.h"
#include "headrace/data/image.h"
#include "headrace/data/model_input.h"
#include "headrace/io/input_error.h"
#include "headrace/io/store.h"
#include "headrace/jit/program.h"
#include "headrace/run/model_variables.h"
#include "headrace/run/objective.h"
#include "headrace/run/output_file.h"
#include "headrace/run/run_directory.h"
#include "headrace/tensor/npy.h"

namespace headrace::run {
namespace {

namespace fs = std::filesystem;
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
  std::optional<HostTensor> true_mask;
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
  query.prediction.mask_file = fs::path(path).stem().native() + ".png";
  if (!input.fits_pictures() && example.type.shape[2] == 1 && HasLightRim(picture)) {
    picture = data::Inverted(picture);
    query.prediction.note = "dark on light; inverted";
  }
  HR_TRY(query.input, input.FromPicture(picture).Context("{}", path));
  query.prediction.picture = input.ToPicture(query.input);
  return query;
}

// Part `n` of a batch.
HostTensor Part(const HostTensor& batch, size_t n) {
  const TensorType type = {batch.dtype(), Shape({batch.shape().begin() + 1, batch.shape().end()})};
  const auto size = static_cast<size_t>(type.ByteCount());
  return HostTensor::CopyOf(type, batch.bytes().subspan(n * size, size));
}

// A .npy file holds one example of the model's shape or a batch of them; values are as in the source's files.
Status AddNpyQueries(const std::string& path, const io::Blob& file, const data::ModelInput& input,
                     std::vector<Query>& queries) {
  HR_TRY(const HostTensor raw, io::AsInput(DecodeNpy(file.bytes)).Context("{}", path));
  const HostTensor values = raw.ConvertTo(DType::kF32);
  const Shape& shape = input.example().type.shape;
  const bool is_batch = values.shape().rank() == shape.rank() + 1 &&
                        std::equal(shape.begin(), shape.end(), values.shape().begin() + 1);
  if (!is_batch && values.shape() != shape) {
    return InvalidArgument("{}: holds {}; the model takes {} or a batch of them", path, raw.type().ToString(),
                           shape.ToString());
  }
  const int64_t count = is_batch ? values.shape()[0] : 1;
  for (int64_t n = 0; n < count; ++n) {
    Query query;
    query.prediction.source = is_batch ? fmt::format("{}[{}]", path, n) : path;
    const std::string stem = fs::path(path).stem().native();
    query.prediction.mask_file = is_batch ? fmt::format("{}-{}.png", stem, n) : stem + ".png";
    query.input = input.FromValues(is_batch ? Part(values, static_cast<size_t>(n)) : values);
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
  query.prediction.mask_file = fmt::format("held-out-example-{}.png", index);
  for (const NamedTensor& field : example) {
    if (field.name == input.example().name) query.input = field.tensor;
    if (field.name == data::kLabel) query.prediction.label = static_cast<int64_t>(field.tensor.At(0));
    if (field.name == data::kMask) query.true_mask = field.tensor;
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

// Masks are what the model gives, each has a name of its own, and none is written where the pictures or the
// masks of the run lie, which have the same names.
Status CheckMasks(const PredictionOptions& options, const ExistingRun& run,
                  const std::vector<Query>& queries) {
  if (models::PurposeOf(run.config.model) != models::Purpose::kSegmentation) {
    return InvalidArgument("--masks: the model of {} says what a whole picture is, not each pixel",
                           options.path);
  }
  std::map<std::string, std::string> sources;
  for (const Query& query : queries) {
    const auto [other, is_new] = sources.emplace(query.prediction.mask_file, query.prediction.source);
    if (is_new) continue;
    return InvalidArgument("--masks: those of {} and {} would both be {}; write them into different folders",
                           other->second, query.prediction.source, query.prediction.mask_file);
  }
  std::vector<fs::path> taken;
  for (const std::string& file : options.files) taken.push_back(fs::absolute(file).parent_path());
  if (const auto* data = std::get_if<data::SegmentationFolderSource>(&run.config.data.source)) {
    taken.insert(taken.end(), {data->images, data->masks});
  }
  for (const fs::path& folder : taken) {
    std::error_code error;
    if (!fs::equivalent(folder, options.masks, error)) continue;
    return InvalidArgument("--masks: {} holds files that masks could overwrite; name another folder",
                           options.masks);
  }
  return Ok();
}

// So many inputs go through the model at once, for any number of them: memory is bounded, and one program
// does.
constexpr size_t kMostAtOnce = 16;

// What the model gives for each query.
Result<std::vector<HostTensor>> RunModel(const runtime::Client& client, const models::ModelConfig& model,
                                         const std::vector<nn::VariableSpec>& variables,
                                         const std::vector<HostTensor>& values,
                                         const std::vector<Query>& queries, const NamedType& example) {
  const size_t count = std::min(queries.size(), kMostAtOnce);
  HostTensor batch(data::Batched({example}, static_cast<int64_t>(count)).front().type);
  HR_TRY(const Function function, TracePrediction(model, variables, batch.type()));
  HR_TRY(const jit::Devices devices, jit::Devices::Of(client));
  HR_TRY(const jit::Program program, jit::Program::Compile(devices, function));
  std::vector<jit::Array> placed;
  for (const HostTensor& value : values) {
    HR_TRY(jit::Array array, devices.Put(value));
    placed.push_back(std::move(array));
  }
  std::vector<HostTensor> results;
  for (size_t first = 0; first < queries.size(); first += count) {
    const size_t filled = std::min(count, queries.size() - first);  // the rest of the last is left as it is
    auto out = batch.mutable_bytes().begin();
    for (size_t n = 0; n < filled; ++n) out = std::ranges::copy(queries[first + n].input.bytes(), out).out;
    HR_TRY(const jit::Array inputs, devices.Put(batch));
    std::vector<const jit::Array*> arguments;
    for (const jit::Array& value : placed) arguments.push_back(&value);
    arguments.push_back(&inputs);
    HR_TRY(const std::vector<jit::Array> given, program.Run(arguments));
    HR_TRY(const HostTensor whole, given[0].ToHost());
    for (size_t n = 0; n < filled; ++n) results.push_back(Part(whole, n));
  }
  return results;
}

// What stands for each class in the masks of the data.
std::vector<int64_t> MaskValues(const data::SourceConfig& source, int64_t classes) {
  std::vector<int64_t> values;
  const auto* folder = std::get_if<data::SegmentationFolderSource>(&source);
  for (int64_t c = 0; c < classes; ++c) values.push_back(folder ? folder->MaskValue(c) : c);
  return values;
}

void AddClass(const PredictionReport& report, const Prediction& prediction, Json& line) {
  line["class"] = prediction.Best();
  line["probabilities"] = prediction.probabilities;
  const auto best = static_cast<size_t>(prediction.Best());
  if (best < report.class_names.size()) line["name"] = report.class_names[best];
  if (prediction.label) line["label"] = *prediction.label;
}

void AddMask(const PredictionReport& report, const PredictedMask& mask, Json& line) {
  for (size_t c = 0; c < mask.shares.size(); ++c) {
    line["shares"][c < report.class_names.size() ? report.class_names[c] : std::to_string(c)] =
        mask.shares[c];
  }
  if (!mask.agreement) return;
  line["accuracy"] = mask.agreement->accuracy;
  line["mean_iou"] = mask.agreement->mean_iou;
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

  if (!options.masks.empty()) HR_TRY(CheckMasks(options, run, queries));

  HR_TRY(const std::vector<nn::VariableSpec> variables,
         DeclareVariables(run.config.model, example.type.shape));
  HR_TRY(const std::vector<HostTensor> values,
         ValuesOf(variables, chosen.contents.model, chosen.checkpoint.Name()));
  HR_TRY(const std::unique_ptr<runtime::Client> client, OpenClient(options.device));
  HR_TRY(std::vector<HostTensor> results,
         RunModel(*client, run.config.model, variables, values, queries, example));

  PredictionReport report{.checkpoint = chosen.Choice(),
                          .predictions = {},
                          .class_names = std::move(facts.class_names),
                          .mask_values = {}};
  const int64_t classes = models::ClassesOf(run.config.model);
  const bool are_masks = models::PurposeOf(run.config.model) == models::Purpose::kSegmentation;
  if (are_masks) report.mask_values = MaskValues(run.config.data.source, classes);
  for (size_t n = 0; n < queries.size(); ++n) {
    Query& query = queries[n];
    if (are_masks) {
      query.prediction.mask = MakePredictedMask(std::move(results[n]), std::move(query.true_mask), classes);
    } else {
      for (int64_t c = 0; c < classes; ++c) query.prediction.probabilities.push_back(results[n].At(c));
    }
    report.predictions.push_back(std::move(query.prediction));
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
    Json line = {{"source", prediction.source}};
    if (prediction.mask) {
      AddMask(report, *prediction.mask, line);
    } else {
      AddClass(report, prediction, line);
    }
    if (!prediction.note.empty()) line["note"] = prediction.note;
    predictions.push_back(std::move(line));
  }
  Json json = {{"checkpoint", report.checkpoint.name}};
  if (!report.checkpoint.best_by.empty()) json["best_by"] = report.checkpoint.best_by;
  json["predictions"] = std::move(predictions);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status WriteMasks(const PredictionReport& report, const std::string& folder) {
  for (const Prediction& prediction : report.predictions) {
    HR_TRY(const std::string png, EncodeMask(prediction.mask.value().mask, report.mask_values));
    HR_TRY(WriteOutputFile(fmt::format("{}/{}", folder, prediction.mask_file), png));
  }
  return Ok();
}

}  // namespace headrace::run
