#include "headrace/cli/program.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/cli/help.h"
#include "headrace/core/config.h"

namespace headrace::cli {
namespace {

// Where the words lead: a command and how many words name it; or a group of commands; or neither.
struct Target {
  const CommandInfo* command = nullptr;
  size_t name_words = 0;
  std::string group;
};

std::string JoinTwo(const std::vector<std::string>& words) {
  return words.size() < 2 ? words[0] : fmt::format("{} {}", words[0], words[1]);
}

Target Find(const std::vector<std::string>& words) {
  for (const CommandInfo& info : Commands()) {
    if (info.name == words[0]) return {&info, 1, ""};
    if (info.name == JoinTwo(words)) return {&info, 2, ""};
  }
  const bool is_group = std::ranges::any_of(
      Commands(), [&](const CommandInfo& info) { return info.name.starts_with(words[0] + " "); });
  return {nullptr, 0, is_group ? words[0] : ""};
}

// For words that name no command, in the group `group` if there is one.
Status UnknownCommand(const std::vector<std::string>& words, const std::string& group) {
  const bool in_group = !group.empty();
  const std::string prefix = in_group ? group + " " : "";
  std::vector<std::string> known;
  for (const CommandInfo& info : Commands()) {
    if (info.name.starts_with(prefix)) known.emplace_back(info.name.substr(prefix.size()));
  }
  if (in_group && words.size() < 2) {
    return InvalidArgument("headrace {} needs one of: {}", group, fmt::join(known, ", "));
  }
  const std::string& word = words[in_group ? 1 : 0];
  const std::optional<std::string> nearest = config::Nearest(word, known);
  return InvalidArgument("unknown command \"{}{}\"; {}", prefix, word,
                         nearest ? fmt::format("did you mean headrace {}{}?", prefix, *nearest)
                                 : fmt::format("headrace {}--help lists them", prefix));
}

bool AsksForHelp(std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

// `headrace help x` is `headrace x --help`, and `headrace --version` is `headrace version`.
std::vector<std::string> Canonical(std::vector<std::string> words) {
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (!words.empty() && words[0] == "--version") words[0] = "version";
  return words;
}

Status RunCommand(const CommandInfo& info, std::span<const std::string> words, const Context& context) {
  if (AsksForHelp(words)) {
    context.terminal.Out("{}", CommandHelp(info, context.terminal));
    return Ok();
  }
  Arguments arguments;
  const std::unique_ptr<Command> command = info.make();
  command->Declare(arguments);
  const Status parsed = Parse(words, arguments);
  if (!parsed.ok()) return InvalidArgument("{} (see headrace {} --help)", parsed.message(), info.name);
  return command->Run(context);
}

Status Dispatch(const std::vector<std::string>& words, const Context& context) {
  if (words.empty()) return InvalidArgument("no command; headrace --help lists them");
  const Target target = words[0].starts_with("-") ? Target() : Find(words);
  if (target.command) {
    return RunCommand(*target.command, std::span(words).subspan(target.name_words), context);
  }
  const bool only_help = words.size() == (target.group.empty() ? 1u : 2u) && AsksForHelp(words);
  if (only_help) {
    context.terminal.Out("{}", ProgramHelp(target.group, context.terminal));
    return Ok();
  }
  return UnknownCommand(words, target.group);
}

}  // namespace

int RunProgram(const std::vector<std::string>& words, const Context& context) {
  Status status = Dispatch(Canonical(words), context);
  if (status.ok()) status = context.terminal.Flush();
  if (!status.ok()) context.terminal.Error(status.message());
  return ExitCode(status.code());
}

}  // namespace headrace::cli
