#include "headrace/run/template.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/core/config.h"
#include "headrace/io/store.h"
#include "headrace/run/gen_templates.h"
#include "headrace/run/pinned_file.h"

namespace headrace::run {
namespace {

Result<Template> FindTemplate(std::string_view name) {
  std::vector<std::string> names;
  for (const Template& known : Templates()) {
    if (known.name == name) return known;
    names.emplace_back(known.name);
  }
  const std::optional<std::string> nearest = config::Nearest(name, names);
  return Error(Code::kInvalidArgument, "no template \"{}\"{}; there are: {}", name,
               nearest ? fmt::format(", did you mean {}?", *nearest) : "", fmt::join(names, ", "));
}

}  // namespace

std::string_view Template::Summary() const {
  std::string_view line = text.substr(0, text.find('\n'));
  line.remove_prefix(std::min(line.size(), line.find_first_not_of("# ")));
  return line;
}

std::span<const Template> Templates() { return kTemplates; }

Status Init(const InitOptions& options, const Logger& logger) {
  HR_TRY(const Template chosen, FindTemplate(options.name));
  const std::string file = fmt::format("{}.yaml", chosen.name);
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(options.folder));
  const Result<std::string> present = store->ReadText(file);
  if (present.ok() && *present != chosen.text && !options.force) {
    return Error(Code::kAlreadyExists, "{} is there already, and different; --force overwrites it", file);
  }
  HR_TRY(store->Write(file, io::AsBytes(chosen.text)));
  logger.Info(fmt::format("wrote {}", file));

  for (const PinnedFile& data : PinnedFiles()) {
    if (!chosen.text.contains(data.Root())) continue;
    if (!HasPinnedFile(data, options.folder)) {
      logger.Info(fmt::format("fetching {} from the package {} {}", data.what, data.package, data.version));
    }
    HR_TRY(FetchPinnedFile(data, options.folder));
    logger.Info(fmt::format("{} is in place", data.Root()));
  }
  return Ok();
}

}  // namespace headrace::run
