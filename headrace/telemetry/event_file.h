// EventFile: what TensorBoard reads (events.out.tfevents.*): scalars, images and texts by step.
//
// Every run and every resumption writes a file of its own, named so that it sorts after those that are in the
// folder. It begins with the mark of a restart, by which TensorBoard forgets the later events of the files
// before it. Source: tensorflow/core/util/event.proto; records as in io/record.h. Not thread-safe.
//
//   HR_TRY(auto events, EventFile::Create("runs/mnist/tensorboard", /*last_step=*/0, now));
//   HR_TRY(events->Write({.step = 10, .time = now, .values = {{"loss", 2.3}}}));
//   HR_TRY(events->WriteImage(10, now, "predictions", png));
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "headrace/io/log_file.h"
#include "headrace/telemetry/metrics.h"

namespace headrace::telemetry {

namespace pb {
class Event;
}

class EventFile final : public MetricsSink {
 public:
  // Makes a new file in `folder` (made if missing) for a run that goes on after `last_step`, 0 for one that
  // begins. `time` is now, in seconds since 1970.
  static Result<std::unique_ptr<EventFile>> Create(const std::string& folder, int64_t last_step, double time);

  // One scalar a metric, its name being the tag; "eval/loss" lands in the group "eval".
  Status Write(const StepMetrics& metrics) override;

  // A PNG picture; kInvalidArgument for anything else.
  Status WriteImage(int64_t step, double time, std::string_view tag, io::Bytes png);

  // Text, shown as Markdown.
  Status WriteText(int64_t step, double time, std::string_view tag, std::string_view markdown);

  Status Flush() override { return log_->Flush(); }

  const std::string& path() const { return log_->path(); }

 private:
  explicit EventFile(std::unique_ptr<io::LogFile> log) : log_(std::move(log)) {}
  Status Append(const pb::Event& event);

  std::unique_ptr<io::LogFile> log_;
};

}  // namespace headrace::telemetry
