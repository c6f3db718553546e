#include "headrace/telemetry/event_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "event.pb.h"
#include "headrace/io/record.h"
#include "headrace/io/store.h"

namespace headrace::telemetry {
namespace {

constexpr std::string_view kPrefix = "events.out.tfevents.";

// A name that sorts after every event file in `folder`, whatever the clock did in between. TensorBoard reads
// the files of a folder in the order of their names and does not come back to one that it has left.
Result<std::string> NextName(const std::string& folder, double time) {
  HR_TRY(auto store, io::OpenStore(folder));
  HR_TRY(auto entries, store->List(kPrefix));
  auto seconds = static_cast<int64_t>(std::floor(time));
  for (const io::Entry& entry : entries) {
    std::string_view stamp = std::string_view(entry.key).substr(kPrefix.size());
    int64_t written = 0;
    if (std::from_chars(stamp.data(), stamp.data() + stamp.size(), written).ec == std::errc()) {
      seconds = std::max(seconds, written);
    }
  }
  return fmt::format("{}{:010}.{:06}", kPrefix, seconds, entries.size());
}

struct PngHeader {
  int width, height, channels;
};

// Source: PNG (ISO/IEC 15948), sections 5.2 and 11.2.2.
std::optional<PngHeader> ReadPngHeader(std::string_view png) {
  constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
  if (png.size() < 33 || !png.starts_with(kSignature) || png.substr(12, 4) != "IHDR") return std::nullopt;
  auto byte = [&](size_t i) { return static_cast<int>(static_cast<unsigned char>(png[i])); };
  auto number = [&](size_t i) { return byte(i) << 24 | byte(i + 1) << 16 | byte(i + 2) << 8 | byte(i + 3); };
  constexpr int kChannels[] = {1, 0, 3, 3, 2, 0, 4};  // by colour type; a palette holds colours
  if (byte(25) >= static_cast<int>(std::size(kChannels))) return std::nullopt;
  return PngHeader{.width = number(16), .height = number(20), .channels = kChannels[byte(25)]};
}

pb::Event MakeEvent(int64_t step, double time) {
  pb::Event event;
  event.set_step(step);
  event.set_wall_time(time);
  return event;
}

}  // namespace

Result<std::unique_ptr<EventFile>> EventFile::Create(const std::string& folder, int64_t last_step,
                                                     double time) {
  HR_TRY(std::string name, NextName(folder, time));
  HR_TRY(auto log, io::LogFile::Open(folder + "/" + name, io::KeepNothing));
  std::unique_ptr<EventFile> file(new EventFile(std::move(log)));

  pb::Event version = MakeEvent(0, time);
  version.set_file_version("brain.Event:2");
  HR_TRY(file->Append(version));

  pb::Event restart = MakeEvent(last_step + 1, time);
  restart.mutable_session_log()->set_status(pb::SessionLog::START);
  HR_TRY(file->Append(restart));
  return file;
}

Status EventFile::Write(const StepMetrics& metrics) {
  pb::Event event = MakeEvent(metrics.step, metrics.time);
  for (const Metric& metric : metrics.values) {
    pb::Summary::Value& value = *event.mutable_summary()->add_value();
    value.set_tag(metric.name);
    value.set_simple_value(static_cast<float>(metric.value));
  }
  return Append(event);
}

Status EventFile::WriteImage(int64_t step, double time, std::string_view tag, io::Bytes png) {
  std::optional<PngHeader> header = ReadPngHeader(io::AsText(png));
  if (!header)
    return InvalidArgument("image {} of step {}: {} bytes that are not a PNG", tag, step, png.size());
  pb::Event event = MakeEvent(step, time);
  pb::Summary::Value& value = *event.mutable_summary()->add_value();
  value.set_tag(std::string(tag));
  pb::Summary::Image& image = *value.mutable_image();
  image.set_width(header->width);
  image.set_height(header->height);
  image.set_colorspace(header->channels);
  image.set_encoded_image_string(png.data(), png.size());
  return Append(event);
}

Status EventFile::WriteText(int64_t step, double time, std::string_view tag, std::string_view markdown) {
  pb::Event event = MakeEvent(step, time);
  pb::Summary::Value& value = *event.mutable_summary()->add_value();
  value.set_tag(std::string(tag));
  value.mutable_metadata()->mutable_plugin_data()->set_plugin_name("text");
  value.mutable_tensor()->set_dtype(pb::Tensor::STRING);
  value.mutable_tensor()->add_string_val(markdown.data(), markdown.size());
  return Append(event);
}

Status EventFile::Append(const pb::Event& event) {
  std::string record;
  io::AppendRecord(io::AsBytes(event.SerializeAsString()), record);
  return log_->Append(io::AsBytes(record));
}

}  // namespace headrace::telemetry
