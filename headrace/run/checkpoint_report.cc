#include "headrace/run/checkpoint_report.h"

#include <algorithm>

#include "headrace/run/run_directory.h"

namespace headrace::run {
namespace {

Result<CheckpointReport> Report(const std::string& run_folder, bool verify) {
  HR_TRY(const ExistingRun run, OpenRun(run_folder));
  HR_TRY(checkpoint::Listing listing, run.checkpoints->List());
  CheckpointReport report{.warnings = std::move(listing.warnings)};
  for (const checkpoint::Checkpoint& found : listing.checkpoints) {
    const checkpoint::Manifest& manifest = found.manifest();
    CheckpointReport::Line line{.name = found.Name(),
                                .step = manifest.step,
                                .created = manifest.created,
                                .bytes = manifest.TotalBytes(),
                                .params_sha256 = manifest.params_sha256};
    if (verify) {
      HR_TRY(const std::vector<checkpoint::Damage> damages, found.Verify());
      for (const checkpoint::Damage& damage : damages) line.damage.push_back(damage.text);
    }
    report.checkpoints.push_back(std::move(line));
  }
  return report;
}

}  // namespace

bool CheckpointReport::IsWhole() const {
  return warnings.empty() &&
         std::ranges::all_of(checkpoints, [](const Line& line) { return line.damage.empty(); });
}

Result<CheckpointReport> ListCheckpoints(const std::string& run_folder) { return Report(run_folder, false); }
Result<CheckpointReport> VerifyCheckpoints(const std::string& run_folder) { return Report(run_folder, true); }

}  // namespace headrace::run
