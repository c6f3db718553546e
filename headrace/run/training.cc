#include "headrace/run/training.h"

#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>

#include "headrace/checkpoint/async_saver.h"
#include "headrace/data/loader.h"
#include "headrace/graph/simplify.h"
#include "headrace/run/classification.h"
#include "headrace/run/init_from.h"
#include "headrace/run/judge.h"
#include "headrace/run/model_config_json.h"
#include "headrace/run/run_directory.h"
#include "headrace/run/session.h"
#include "headrace/run/summary.h"
#include "headrace/telemetry/event_file.h"
#include "headrace/telemetry/metrics_log.h"
#include "headrace/train/loop.h"
#include "headrace/train/sharding_rules.h"

namespace headrace::run {
namespace {

double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

constexpr std::string_view kDone = "done";
constexpr std::string_view kEarlyStopped = "early_stopped";

std::string_view ReasonText(train::StopReason reason) {
  switch (reason) {
    case train::StopReason::kDone:
      return kDone;
    case train::StopReason::kStopped:
      return "stopped";
    case train::StopReason::kEnough:
      return kEarlyStopped;
  }
  HR_CHECK(false);
}

std::string OutFolder(const TrainingOptions& options) {
  return options.out.empty() ? "runs/" + options.config.name : options.out;
}

// One run in one process: holds what the loop's hooks share.
class Training {
 public:
  Training(const TrainingOptions& options, const TrainingHooks& hooks)
      : options_(options), hooks_(hooks), judge_(options.config) {}

  Result<TrainingReport> Run() {
    const std::string path = OutFolder(options_);
    HR_TRY(ClaimRun(path, options_.config).status());  // leaves a folder of something else untouched
    const Status locked = Lock(path);
    // Who may only read a run is still told that it is finished.
    if (locked.code() != Code::kPermissionDenied) HR_TRY(locked);
    HR_TRY(run_, ClaimRun(path, options_.config));
    HR_TRY(ConsiderResume());
    if (const auto& steps = options_.config.train.steps; steps && IsFinished(*steps)) return Finished();

    HR_TRY(CheckStop());
    HR_TRY(session_, Session::Open(options_.config, options_.device));
    HR_TRY(CheckData());
    if (IsFinished(session_->total_steps())) return Finished();
    HR_TRY(locked);
    HR_TRY(CheckLength());
    HR_TRY(CheckStop());
    HR_TRY(trainer_, session_->NewTrainer());
    HR_TRY(judge_.CheckMetrics(session_->EvaluationNames(*trainer_)));
    HR_TRY(CheckStop());
    HR_TRY(StartState());
    HR_TRY(CheckStop());
    HR_TRY(WriteConfig(*run_));  // from here on the folder is that of a run
    HR_TRY(OpenSinks());
    HR_TRY(const train::LoopResult result, Loop());
    return Finish(result);
  }

 private:
  Status Lock(const std::string& path) {
    auto lock = LockRun(path);
    if (lock.status().code() == Code::kUnimplemented) {
      hooks_.logger.Warning(
          fmt::format("{}; nothing keeps a second process from training in {} at the same time, so take care "
                      "that none does",
                      lock.status().message(), path));
      return Ok();
    }
    HR_TRY(lock_, std::move(lock));
    return Ok();
  }

  // Asked between the parts of the start, none of which can be interrupted.
  Status CheckStop() const {
    if (!hooks_.should_stop()) return Ok();
    return Error(Code::kCancelled,
                 "stopped before the first step: nothing was trained yet, and nothing is lost; the same "
                 "command {}",
                 first_step_ == 0 ? "begins anew" : fmt::format("goes on from step {}", first_step_));
  }

  // Decides where to begin: reads the state that there is.
  Status ConsiderResume() {
    if (options_.resume == "never") {
      HR_TRY(const auto latest, run_->checkpoints->Latest());
      if (!latest) return Ok();
      return Error(Code::kFailedPrecondition,
                   "{} already holds a run, at step {}, and --resume never forbids to go on with it; name "
                   "another folder with --out",
                   run_->path, latest->step());
    }
    HR_TRY(summary_, ReadSummary(*run_));
    HR_TRY(checkpoint::Restored restored, run_->checkpoints->ReadLatest());
    Warn(restored.warnings);
    if (restored.checkpoint && options_.resume != "auto") {
      return Error(Code::kFailedPrecondition,
                   "{} already holds a run, at step {}; leave --resume out to go on with it, or name a new "
                   "folder with --out to begin from {}",
                   run_->path, restored.checkpoint->step(), options_.resume);
    }
    if (!restored.checkpoint && options_.resume != "auto") {
      Result<ExistingRun> source = OpenRun(options_.resume);
      if (!source.ok()) {
        return InvalidArgument("--resume takes auto, never or the folder of a run; {}",
                               source.status().message());
      }
      source_ = *std::move(source);
      HR_TRY(restored, source_->checkpoints->ReadLatest());
      Warn(restored.warnings);
      if (!restored.checkpoint)
        return InvalidArgument("the run at {} has no checkpoint yet", options_.resume);
    }
    if (!restored.checkpoint) return Ok();
    first_step_ = restored.checkpoint->step();
    if (!source_) judge_.RestoreFrom(restored.contents.state);
    restored_ = std::move(restored);
    return Ok();
  }

  // Whether the run has ended in good order after `steps`, and still has the state that it ended with.
  bool IsFinished(int64_t steps) const {
    if (!summary_ || !restored_ || restored_->checkpoint->step() != summary_->steps) return false;
    if (summary_->stop_reason == kEarlyStopped) return judge_.IsEnough();
    return summary_->stop_reason == kDone && summary_->steps == steps;
  }

  TrainingReport Finished() const {
    TrainingReport report = *summary_;
    report.was_finished = true;
    return report;
  }

  // A run that goes on has something left to do, or has just been killed before it could say what came of it.
  Status CheckLength() const {
    if (!restored_) return Ok();
    const int64_t step = restored_->checkpoint->step(), steps = session_->total_steps();
    const bool own = options_.resume == "auto";
    if (step < steps || (own && step == steps)) return Ok();
    return Error(
        Code::kFailedPrecondition,
        "{} is at step {} already, and the config ends at step {}: raise train.steps or train.epochs",
        own ? run_->path : options_.resume, step, steps);
  }

  // A run goes on with the data that it was begun on.
  Status CheckData() const {
    if (!restored_) return Ok();
    const std::string& before = restored_->checkpoint->manifest().data.sha256;
    if (before == session_->pipeline().Sha256()) return Ok();
    return Error(Code::kFailedPrecondition,
                 "the data is not what the run was begun on (sha256 {:.12}... then, {:.12}... now); restore "
                 "it, or begin a new run with another --out",
                 before, session_->pipeline().Sha256());
  }

  Status StartState() {
    if (!restored_) return StartAnew();
    HR_TRY(trainer_->Restore(restored_->contents).Context("{}", restored_->checkpoint->Name()));
    hooks_.logger.Info(fmt::format("going on from step {}", trainer_->step()),
                       {{"checkpoint", restored_->checkpoint->Name()}});
    restored_.reset();
    return Ok();
  }

  Status StartAnew() {
    const RunConfig& config = options_.config;
    const auto seed = static_cast<uint64_t>(config.seed);
    if (!config.init_from) return trainer_->Initialize(seed);
    HR_TRY(const InitialValues initial,
           ReadInitialValues(*config.init_from, config.init_except, trainer_->task().variables));
    hooks_.logger.Info(initial.Summary());
    return trainer_->Initialize(seed, initial.values);
  }

  Status OpenSinks() {
    const std::filesystem::path folder(run_->path);
    HR_TRY(auto log, telemetry::MetricsLog::Open((folder / kMetricsFile).string(), trainer_->step()));
    sinks_.push_back(std::move(log));
    HR_TRY(auto events, telemetry::EventFile::Create((folder / kTensorboardFolder).string(), trainer_->step(),
                                                     WallSeconds()));
    sinks_.push_back(std::move(events));
    saver_.emplace(*run_->checkpoints, options_.config.checkpoint.keep);
    return Ok();
  }

  Result<train::LoopResult> Loop() {
    const RunConfig& config = options_.config;
    const int64_t steps = session_->total_steps();
    HR_TRY(const data::TrainBatches batches, session_->pipeline().Train(config.train.global_batch_size));
    data::Loader loader(batches, session_->pipeline().LoaderFrom(trainer_->step(), steps));

    train::LoopHooks hooks;
    hooks.next_batch = [&] { return loader.Next(); };
    hooks.stall_seconds = [&] { return loader.stall_seconds(); };
    hooks.log = [&](const train::LoggedStep& step) { return Log(step); };
    hooks.save = [&](int64_t step) { return Save(step); };
    hooks.evaluate = [&](int64_t step) { return Evaluate(step); };
    hooks.bad_step = [&](int64_t step, const std::vector<std::string>& variables) {
      hooks_.logger.Warning(fmt::format("step {}: the gradient of {} is not finite; the update was withheld",
                                        step, fmt::join(variables, ", ")));
      return Ok();
    };
    hooks.should_stop = hooks_.should_stop;

    HR_TRY(CatchUp());
    loop_began_ = hooks_.process_seconds();
    if (judge_.IsEnough()) return train::LoopResult{.reason = train::StopReason::kEnough, .times = {}};
    const auto began = std::chrono::steady_clock::now();
    auto result = train::RunLoop(*trainer_,
                                 {.steps = steps,
                                  .log_every = config.train.log_every,
                                  .checkpoint_every = config.checkpoint.every,
                                  .eval_every = config.train.eval_every,
                                  .max_bad_steps = config.train.max_bad_steps},
                                 hooks);
    train_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    // What was handed over before an error is still worth keeping.
    const Status saved = saver_->Wait();
    ReportSaves();
    if (result.ok()) HR_TRY(saved);
    return result;
  }

  // A run that was stopped before an evaluation could be taken into account does that now.
  Status CatchUp() {
    const int64_t step = trainer_->step(), every = options_.config.train.eval_every;
    if (!judge_.IsWatching() || step == 0 || judge_.last_step() == step) return Ok();
    return every > 0 && step % every == 0 ? Evaluate(step).status() : Ok();
  }

  Status Log(const train::LoggedStep& step) {
    telemetry::StepMetrics metrics{.step = step.step, .time = WallSeconds(), .values = {}};
    const std::vector<std::string>& names = trainer_->metric_names();
    for (size_t i = 0; i < names.size(); ++i) metrics.values.push_back({names[i], step.result.metrics[i]});
    const double batch = static_cast<double>(options_.config.train.global_batch_size);
    metrics.values.push_back({"step_time_ms", step.step_seconds * 1e3});
    metrics.values.push_back({"examples_per_second", batch / step.step_seconds});
    if (const auto skipped = session_->pipeline().Skipped()) {
      metrics.values.push_back({"skipped_examples", static_cast<double>(skipped->count())});
    }
    HR_TRY(Write(metrics));
    ReportSaves();
    ReportSkipped();
    if (!hooks_.progress) return Ok();
    telemetry::RunState state{.step = step.step,
                              .total = session_->total_steps(),
                              .loss = step.result.metrics[0],
                              .accuracy = {},
                              .steps_per_second = 1 / step.step_seconds};
    if (names.size() > 1 && names[1] == "accuracy") state.accuracy = step.result.metrics[1];
    hooks_.progress->Update(state);
    return Ok();
  }

  Result<train::Judgement> Evaluate(int64_t step) {
    HR_TRY(held_out_, session_->Evaluate(*trainer_));
    if (held_out_->means.empty()) return train::Judgement();
    judge_.Observe(step, held_out_->means);
    telemetry::StepMetrics metrics{.step = step, .time = WallSeconds(), .values = {}};
    std::string line = fmt::format("step {}: eval", step);
    for (const NamedMean& mean : held_out_->means) {
      metrics.values.push_back({"eval/" + mean.name, mean.value});
      line += fmt::format("  {} {:.4f}", mean.name, mean.value);
    }
    const bool is_last = step == session_->total_steps();  // the report says that one
    if (hooks_.progress && !is_last) hooks_.progress->Note(line);
    // Metrics of a step are one line; TensorBoard takes them beside the step's own.
    HR_TRY(sinks_.back()->Write(metrics));
    return train::Judgement{.is_best = judge_.BestCheckpoint() == step, .is_enough = judge_.IsEnough()};
  }

  Status Save(int64_t step) {
    HR_TRY(checkpoint::Contents contents, trainer_->ToHost());
    checkpoint::Snapshot snapshot;
    snapshot.step = step;
    snapshot.model = std::move(contents.model);
    snapshot.state = std::move(contents.state);
    judge_.SaveTo(snapshot.state);
    snapshot.model_config = ModelConfigJson(options_.config.model, session_->pipeline().fields(),
                                            session_->pipeline().ClassNames());
    snapshot.plugin = session_->plugin();
    snapshot.config_sha256 = ConfigSha256(options_.config);
    for (const MeshAxis& axis : session_->mesh().axes) snapshot.mesh.push_back({axis.name, axis.size});
    snapshot.data = {step * options_.config.train.global_batch_size, session_->pipeline().Sha256()};
    for (auto& sink : sinks_) HR_TRY(sink->Flush());  // the log never lags behind what it is resumed from
    return saver_->Start(std::move(snapshot), judge_.BestCheckpoint());
  }

  Status Write(const telemetry::StepMetrics& metrics) {
    for (auto& sink : sinks_) HR_TRY(sink->Write(metrics));
    return Ok();
  }

  void ReportSaves() {
    for (const checkpoint::SaveReport& save : saver_->TakeReports()) {
      last_params_ = save.params_sha256;
      Warn(save.warnings);
    }
  }

  // Names each example that could not be read, once.
  void ReportSkipped() {
    const auto skipped = session_->pipeline().Skipped();
    if (!skipped) return;
    for (const std::string& why : skipped->Since(skipped_reported_)) {
      hooks_.logger.Warning(fmt::format("{}; it counts with weight 0", why));
      ++skipped_reported_;
    }
  }

  void Warn(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) hooks_.logger.Warning(warning);
  }

  Result<TrainingReport> Finish(const train::LoopResult& result) {
    TrainingReport report;
    report.path = run_->path;
    report.steps = trainer_->step();
    report.stop_reason = ReasonText(result.reason);
    report.best = judge_.Best();
    if (const auto times = result.times.Summarize(options_.config.train.global_batch_size)) {
      report.examples_per_second = times->examples_per_second;
      report.steps_per_second =
          times->examples_per_second / static_cast<double>(options_.config.train.global_batch_size);
      report.step_ms_median = times->median_ms;
      report.step_ms_p90 = times->p90_ms;
      report.stall_share = times->stall_share;
    }
    report.first_step_seconds = loop_began_ + result.times.first_step_seconds().value_or(0);
    report.train_seconds = train_seconds_;
    if (result.reason != train::StopReason::kStopped) {
      if (!held_out_) {  // resumed at the very end
        HR_TRY(held_out_, session_->Evaluate(*trainer_));
      }
      report.eval = held_out_->means;
      report.eval_examples = held_out_->examples;
    }
    if (last_params_.empty()) {  // likewise
      HR_TRY(const checkpoint::Contents contents, trainer_->ToHost());
      last_params_ = checkpoint::ParamsSha256(contents.model);
    }
    ReportSkipped();
    if (const auto skipped = session_->pipeline().Skipped()) report.skipped = skipped->Reasons();
    report.params_sha256 = last_params_;
    report.data_sha256 = session_->pipeline().Sha256();
    report.config_sha256 = ConfigSha256(options_.config);
    report.version = HEADRACE_VERSION;
    report.plugin = session_->plugin();
    report.device = session_->device_kind();
    report.devices = session_->mesh().DeviceCount();
    HR_TRY(const auto latest, run_->checkpoints->Latest());
    if (latest) report.checkpoint = latest->Name();
    for (auto& sink : sinks_) HR_TRY(sink->Flush());
    HR_TRY(WriteSummary(*run_, report));
    return report;
  }

  const TrainingOptions& options_;
  const TrainingHooks& hooks_;
  std::unique_ptr<io::FileLock> lock_;  // outlives all that writes
  Judge judge_;
  std::optional<ExistingRun> run_;
  std::optional<TrainingReport> summary_;  // of the processes before this one
  std::optional<ExistingRun> source_;      // whose state this run begins from, if it is not its own
  std::optional<checkpoint::Restored> restored_;
  int64_t first_step_ = 0;
  std::unique_ptr<Session> session_;
  std::unique_ptr<train::Trainer> trainer_;
  std::vector<std::unique_ptr<telemetry::MetricsSink>> sinks_;  // metrics.jsonl, then TensorBoard
  std::optional<checkpoint::AsyncSaver> saver_;
  std::optional<HeldOut> held_out_;  // the last evaluation
  std::string last_params_;
  int64_t skipped_reported_ = 0;
  double loop_began_ = 0;
  double train_seconds_ = 0;
};

}  // namespace

Result<TrainingReport> RunTraining(const TrainingOptions& options, const TrainingHooks& hooks) {
  return Training(options, hooks).Run();
}

namespace {

Status CountCompute(const Session& session, const train::Trainer& trainer, const RunConfig& config,
                    DryRunReport& report) {
  const train::StepOptions settings = session.StepSettings();
  const std::vector<NamedType> batch = session.BatchFields();
  HR_TRY(const train::PlacedFunction step,
         train::TraceStep(trainer.task(), trainer.layout(), batch, session.mesh(), settings));
  report.step = CountFlops(Simplify(step.function));
  HR_TRY(const train::PlacedFunction forward,
         train::TraceEval(trainer.task(), trainer.layout(), batch, session.mesh(), settings.compute));
  report.forward = CountFlops(Simplify(forward.function));
  const auto examples = static_cast<double>(config.train.global_batch_size);
  report.forward.products /= examples;
  report.forward.others /= examples;
  return Ok();
}

}  // namespace

Result<DryRunReport> DryRun(const TrainingOptions& options) {
  HR_TRY(const std::unique_ptr<Session> session, Session::Open(options.config, options.device));
  HR_TRY(const std::unique_ptr<train::Trainer> trainer, session->NewTrainer());
  DryRunReport report;
  for (size_t i = 0; i < trainer->task().variables.size(); ++i) {
    const nn::VariableSpec& spec = trainer->task().variables[i];
    const bool trained = trainer->task().IsTrained(spec);
    report.parameters.push_back(
        {spec.name, spec.type, trainer->layout().leaves[i].sharding.ToSdy(true), trained});
    if (trained) report.parameter_count += spec.type.shape.ElementCount();
  }
  report.steps = session->total_steps();
  report.train_examples = session->pipeline().train()->size();
  report.eval_examples = session->pipeline().eval()->size();
  std::vector<std::string> axes;
  for (const MeshAxis& axis : session->mesh().axes)
    axes.push_back(fmt::format("{}={}", axis.name, axis.size));
  report.mesh = fmt::format("{}", fmt::join(axes, ", "));
  if (auto memory = trainer->step_program().executable().Memory(); memory.ok()) report.memory = *memory;
  HR_TRY(CountCompute(*session, *trainer, options.config, report));
  return report;
}

}  // namespace headrace::run
