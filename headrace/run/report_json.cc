#include "headrace/run/report_json.h"

#include <nlohmann/json.hpp>

namespace headrace::run {
namespace {

using Json = nlohmann::ordered_json;

// Texts may come from a plugin: bytes that are no UTF-8 are replaced, not thrown over.
std::string Line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string_view LevelName(Finding::Level level) {
  switch (level) {
    case Finding::Level::kOk:
      return "ok";
    case Finding::Level::kNote:
      return "note";
    case Finding::Level::kProblem:
      return "problem";
  }
  return "";
}

Json ToArray(const std::vector<HloRunReport::Line>& lines) {
  Json array = Json::array();
  for (const HloRunReport::Line& line : lines) {
    array.push_back({{"path", line.path},
                     {"dtype", Name(line.type.dtype)},
                     {"shape", line.type.shape.dims()},
                     {"note", line.note}});
  }
  return array;
}

}  // namespace

std::string ToJson(const DeviceReport& report) {
  Json devices = Json::array();
  for (const DeviceReport::Line& device : report.devices) {
    Json line = {{"id", device.id}, {"kind", device.kind}, {"description", device.description}};
    if (device.memory_bytes) line["memory_bytes"] = *device.memory_bytes;
    devices.push_back(std::move(line));
  }
  return Line({{"platform", report.platform},
               {"plugin", report.plugin},
               {"api", report.api},
               {"devices", std::move(devices)}});
}

std::string ToJson(const VersionReport& report) {
  Json json = {{"version", report.version}, {"compiler", report.compiler}};
  if (report.plugin_error.empty()) {
    json["plugin"] = report.plugin;
    json["api"] = report.api;
  } else {
    json["plugin_error"] = report.plugin_error;
  }
  return Line(json);
}

std::string ToJson(const HloRunReport& report) {
  return Line({{"inputs", ToArray(report.inputs)}, {"outputs", ToArray(report.outputs)}});
}

std::string ToJson(const CheckpointReport& report) {
  Json checkpoints = Json::array();
  for (const CheckpointReport::Line& line : report.checkpoints) {
    checkpoints.push_back({{"name", line.name},
                           {"step", line.step},
                           {"created", line.created},
                           {"bytes", line.bytes},
                           {"params_sha256", line.params_sha256},
                           {"damage", line.damage}});
  }
  return Line({{"checkpoints", std::move(checkpoints)}, {"warnings", report.warnings}});
}

std::string ToJson(std::span<const Finding> findings) {
  Json array = Json::array();
  for (const Finding& finding : findings) {
    array.push_back({{"level", LevelName(finding.level)},
                     {"name", finding.name},
                     {"text", finding.text},
                     {"advice", finding.advice}});
  }
  return Line({{"findings", std::move(array)}});
}

}  // namespace headrace::run
