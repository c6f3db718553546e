#include "headrace/run/summary.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace headrace::run {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinities: they become strings, as in metrics.jsonl.
Json Number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}
double NumberOf(const Json& json) {
  return json.is_number() ? json.get<double>() : std::stod(json.get<std::string>());
}

TrainingReport FromJson(const Json& json) {
  TrainingReport report;
  report.steps = json.at("steps");
  report.stop_reason = json.at("stop_reason");
  report.examples_per_second = json.at("examples_per_second");
  report.steps_per_second = json.at("steps_per_second");
  report.step_ms_median = json.at("step_time_ms").at("median");
  report.step_ms_p90 = json.at("step_time_ms").at("p90");
  report.first_step_seconds = json.at("first_step_seconds");
  report.train_seconds = json.at("train_seconds");
  report.stall_share = json.at("stall_share");
  for (const auto& [name, value] : json.at("eval").items()) {
    if (name == "examples") {
      report.eval_examples = value;
    } else {
      report.eval.push_back({name, NumberOf(value)});
    }
  }
  if (const auto best = json.find("best"); best != json.end()) {
    report.best = {best->at("metric"), NumberOf(best->at("value")), best->at("step")};
  }
  if (const auto skipped = json.find("skipped"); skipped != json.end()) report.skipped = *skipped;
  report.params_sha256 = json.at("params_sha256");
  report.data_sha256 = json.at("data_sha256");
  report.config_sha256 = json.at("config_sha256");
  report.checkpoint = json.at("checkpoint");
  report.version = json.at("version");
  report.plugin = json.at("plugin");
  report.device = json.at("device");
  report.devices = json.at("devices");
  return report;
}

}  // namespace

std::string ToJson(const TrainingReport& report) {
  Json eval = Json::object();
  for (const NamedMean& mean : report.eval) eval[mean.name] = Number(mean.value);
  if (!report.eval.empty()) eval["examples"] = report.eval_examples;
  Json json = {{"path", report.path},
               {"steps", report.steps},
               {"stop_reason", report.stop_reason},
               {"eval", std::move(eval)},
               {"examples_per_second", report.examples_per_second},
               {"steps_per_second", report.steps_per_second},
               {"step_time_ms", {{"median", report.step_ms_median}, {"p90", report.step_ms_p90}}},
               {"stall_share", report.stall_share},
               {"first_step_seconds", report.first_step_seconds},
               {"train_seconds", report.train_seconds},
               {"params_sha256", report.params_sha256},
               {"data_sha256", report.data_sha256},
               {"config_sha256", report.config_sha256},
               {"checkpoint", report.checkpoint},
               {"version", report.version},
               {"plugin", report.plugin},
               {"device", report.device},
               {"devices", report.devices}};
  if (!report.skipped.empty()) json["skipped"] = report.skipped;
  if (report.best) {
    json["best"] = {
        {"metric", report.best->metric}, {"value", Number(report.best->value)}, {"step", report.best->step}};
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string ToJson(const DryRunReport& report) {
  Json parameters = Json::array();
  for (const DryRunReport::Parameter& parameter : report.parameters) {
    parameters.push_back({{"name", parameter.name},
                          {"dtype", Name(parameter.type.dtype)},
                          {"shape", parameter.type.shape.dims()},
                          {"sharding", parameter.sharding},
                          {"trained", parameter.trained}});
  }
  Json json = {{"parameters", std::move(parameters)},
               {"parameter_count", report.parameter_count},
               {"steps", report.steps},
               {"train_examples", report.train_examples},
               {"eval_examples", report.eval_examples},
               {"mesh", report.mesh},
               {"forward_flops_per_example", report.forward.total()},
               {"step_flops", report.step.total()},
               {"flops_leave_out", report.step.uncounted}};
  if (report.memory) {
    json["step_memory_bytes"] = {{"arguments", report.memory->arguments},
                                 {"outputs", report.memory->outputs},
                                 {"temporaries", report.memory->temporaries}};
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Status WriteSummary(const ExistingRun& run, const TrainingReport& report) {
  return run.store->Write(kSummaryFile, io::AsBytes(ToJson(report) + "\n"));
}

Result<std::optional<TrainingReport>> ReadSummary(const ExistingRun& run) {
  const Result<std::string> text = run.store->ReadText(kSummaryFile);
  if (text.status().code() == Code::kNotFound) return std::optional<TrainingReport>();
  HR_TRY(text.status());
  try {
    TrainingReport report = FromJson(Json::parse(*text));
    report.path = run.path;
    return std::optional(std::move(report));
  } catch (const std::exception& error) {
    return Error(Code::kDataLoss, "{}/{} is damaged ({}); remove it, and the run will write it again",
                 run.path, kSummaryFile, error.what());
  }
}

}  // namespace headrace::run
