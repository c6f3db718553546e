#include "headrace/cli/findings.h"

#include <algorithm>

#include "headrace/run/report_json.h"

namespace headrace::cli {
namespace {

using run::Finding;

std::string Mark(Finding::Level level, const Terminal& terminal) {
  switch (level) {
    case Finding::Level::kOk:
      return terminal.Green("ok     ");
    case Finding::Level::kNote:
      return terminal.Yellow("note   ");
    case Finding::Level::kProblem:
      break;
  }
  return terminal.Red("problem");
}

}  // namespace

Status PrintFindings(std::span<const Finding> findings, bool json, Terminal& terminal) {
  if (json) {
    terminal.Out("{}\n", run::ToJson(findings));
  } else {
    size_t width = 0;
    for (const Finding& finding : findings) width = std::max(width, finding.name.size());
    for (const Finding& finding : findings) {
      terminal.Out("{} {:<{}}  {}\n", Mark(finding.level, terminal), finding.name, width, finding.text);
      if (!finding.advice.empty()) terminal.Out("{:>{}} {}\n", "->", width + 9, finding.advice);
    }
  }
  const auto problems = std::ranges::count(findings, Finding::Level::kProblem, &Finding::level);
  if (problems == 0) return Ok();
  return Error(Code::kFailedPrecondition, "{} of {} checks found a problem", problems, findings.size());
}

}  // namespace headrace::cli
