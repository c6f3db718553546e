#include "headrace/cli/help.h"

#include <algorithm>

namespace headrace::cli {
namespace {

// "RUN.yaml [key=value]... [--devices N] --output DIR"
std::string Usage(const Arguments& arguments) {
  std::string positional, options;
  for (const Argument& argument : arguments.all()) {
    std::string text(argument.name);
    if (!argument.is_positional() && !argument.value.empty()) text += fmt::format(" {}", argument.value);
    if (!argument.required) text = fmt::format("[{}]", text);
    if (argument.is_repeatable()) text += "...";
    (argument.is_positional() ? positional : options) += " " + text;
  }
  return positional + options;
}

std::string Left(const Argument& argument) {
  return argument.is_positional() || argument.value.empty()
             ? std::string(argument.name)
             : fmt::format("{} {}", argument.name, argument.value);
}

// A heading and lines in two columns.
std::string Table(std::string_view heading, const std::vector<std::pair<std::string, std::string>>& lines,
                  const Terminal& terminal) {
  size_t width = 0;
  for (const auto& [left, right] : lines) width = std::max(width, left.size());
  std::string text = fmt::format("\n{}\n", terminal.Bold(heading));
  for (const auto& [left, right] : lines) text += fmt::format("  {:<{}}  {}\n", left, width, right);
  return text;
}

}  // namespace

std::string ProgramHelp(std::string_view group, const Terminal& terminal) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const CommandInfo& info : Commands()) {
    const bool listed = group.empty() || info.name.starts_with(fmt::format("{} ", group));
    if (listed) lines.emplace_back(info.name, info.summary);
  }
  return fmt::format(
      "Headrace trains models on CPU, GPU and TPU from one YAML file, and survives being killed.\n\n"
      "{} headrace {} ...\n{}\nheadrace COMMAND --help says what a command takes, with examples.\n",
      terminal.Bold("Usage:"), group.empty() ? "COMMAND" : fmt::format("{} COMMAND", group),
      Table("Commands:", lines, terminal));
}

std::string CommandHelp(const CommandInfo& info, const Terminal& terminal) {
  Arguments arguments;
  const std::unique_ptr<Command> command = info.make();
  command->Declare(arguments);
  std::vector<std::pair<std::string, std::string>> positional, options;
  for (const Argument& argument : arguments.all()) {
    (argument.is_positional() ? positional : options).emplace_back(Left(argument), argument.doc);
  }
  options.emplace_back("--help", "Print this");

  std::string text = fmt::format("{}\n\n{} headrace {}{}\n", info.summary, terminal.Bold("Usage:"), info.name,
                                 Usage(arguments));
  if (!info.details.empty()) text += fmt::format("\n{}\n", info.details);
  if (!positional.empty()) text += Table("Arguments:", positional, terminal);
  text += Table("Options:", options, terminal);
  text += fmt::format("\n{}\n", terminal.Bold("Examples:"));
  for (const std::string_view example : info.examples) text += fmt::format("  {}\n", example);
  return text;
}

}  // namespace headrace::cli
