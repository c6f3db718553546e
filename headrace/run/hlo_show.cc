#include "headrace/run/hlo_show.h"

namespace headrace::run {

Result<std::string> ShowHlo(const RunConfig& config, const DeviceOptions& device, bool optimized) {
  HR_TRY(const std::unique_ptr<Session> session, Session::Open(config, device));
  HR_TRY(const std::unique_ptr<train::Trainer> trainer, session->NewTrainer());
  if (!optimized) return trainer->step_program().text();
  return trainer->step_program().executable().OptimizedText();
}

}  // namespace headrace::run
