#include "headrace/run/evaluation.h"

#include "headrace/run/run_directory.h"
#include "headrace/telemetry/json_object.h"

namespace headrace::run {

Result<EvaluationReport> EvaluateRun(const std::string& path, std::string_view checkpoint,
                                     const DeviceOptions& device) {
  HR_TRY(const ExistingRun run, OpenRun(path));
  HR_TRY(const ChosenCheckpoint chosen, ReadCheckpoint(run, checkpoint, CheckpointParts::kAll));
  HR_TRY(const std::unique_ptr<Session> session, Session::Open(run.config, device));
  if (session->pipeline().eval()->size() == 0) {
    return InvalidArgument("the run at {} holds no examples out (data.split.eval is 0)", path);
  }
  HR_TRY(const std::unique_ptr<train::Trainer> trainer, session->NewTrainer());
  HR_TRY(trainer->Restore(chosen.contents));
  EvaluationReport report{.checkpoint = chosen.Choice(), .step = trainer->step(), .held_out = {}};
  HR_TRY(report.held_out, session->Evaluate(*trainer));
  return report;
}

std::string ToJson(const EvaluationReport& report) {
  telemetry::JsonObject eval;
  for (const NamedMean& mean : report.held_out.means) eval.Set(mean.name, mean.value);
  eval.Set("examples", report.held_out.examples);
  telemetry::JsonObject json;
  json.Set("checkpoint", report.checkpoint.name);
  if (!report.checkpoint.best_by.empty()) json.Set("best_by", report.checkpoint.best_by);
  return json.Set("step", report.step).Set("eval", eval).OneLine();
}

}  // namespace headrace::run
