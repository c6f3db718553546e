#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>

#include "headrace/cli/arguments.h"
#include "headrace/core/config.h"

namespace headrace::cli {
namespace {

Status ReadNumber(const Argument& argument, const std::string& text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return InvalidArgument("{}: expected a whole number, got \"{}\"", argument.name, text);
  }
  if (number < argument.least)
    return InvalidArgument("{} must be at least {}, got {}", argument.name, argument.least, number);
  return Ok();
}

Status ReadNumber(const Argument& argument, const std::string& text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return Ok();
  return InvalidArgument("{}: expected a number, got \"{}\"", argument.name, text);
}

// Puts what was written for one argument, if anything, where it belongs.
Status Store(const Argument& argument, const std::vector<std::string>& written) {
  if (argument.required && written.empty()) {
    return argument.is_positional()
               ? InvalidArgument("{} is missing: {}", argument.name, argument.doc)
               : InvalidArgument("{} {} is missing: {}", argument.name, argument.value, argument.doc);
  }
  if (auto* const* list = std::get_if<std::vector<std::string>*>(&argument.target)) {
    (*list)->insert((*list)->end(), written.begin(), written.end());
    return Ok();
  }
  if (written.empty()) return Ok();
  if (written.size() > 1) return InvalidArgument("{} is given {} times", argument.name, written.size());
  if (auto* const* text = std::get_if<std::string*>(&argument.target)) **text = written[0];
  if (auto* const* text = std::get_if<std::optional<std::string>*>(&argument.target)) **text = written[0];
  if (auto* const* number = std::get_if<std::optional<int64_t>*>(&argument.target)) {
    return ReadNumber(argument, written[0], (*number)->emplace());
  }
  if (auto* const* number = std::get_if<std::optional<double>*>(&argument.target)) {
    return ReadNumber(argument, written[0], (*number)->emplace());
  }
  return Ok();
}

Status UnknownOption(const std::string& word, const Arguments& arguments) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known = {"--help"};
  for (const Argument& argument : arguments.all()) {
    if (!argument.is_positional()) known.emplace_back(argument.name);
  }
  const std::optional<std::string> nearest = config::Nearest(name, known);
  return InvalidArgument("unknown option {}{}", name,
                         nearest ? fmt::format("; did you mean {}?", *nearest) : "");
}

// Of the words that are no known option and no value of one: the positional arguments.
Result<std::vector<std::string>> Positional(const std::vector<std::string>& rest,
                                            const Arguments& arguments) {
  std::vector<std::string> positional;
  bool options_ended = false;
  for (const std::string& word : rest) {
    if (word == "--" && !std::exchange(options_ended, true)) continue;
    if (word.starts_with("-") && !options_ended) return UnknownOption(word, arguments);
    positional.push_back(word);
  }
  return positional;
}

// Deals the positional words out, in order: one for each argument, the rest for one that repeats.
Status Deal(const std::vector<std::string>& words, const Arguments& arguments,
            std::vector<std::vector<std::string>>& written) {
  size_t next = 0;
  for (size_t i = 0; i < written.size(); ++i) {
    const Argument& argument = arguments.all()[i];
    if (!argument.is_positional()) continue;
    const size_t end = argument.is_repeatable() ? words.size() : std::min(next + 1, words.size());
    for (; next < end; ++next) written[i].push_back(words[next]);
  }
  return next == words.size() ? Ok() : InvalidArgument("unexpected argument \"{}\"", words[next]);
}

}  // namespace

Status Parse(std::span<const std::string> words, const Arguments& arguments) {
  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  std::vector<std::vector<std::string>> written(arguments.all().size());
  for (size_t i = 0; i < written.size(); ++i) {
    const Argument& argument = arguments.all()[i];
    if (argument.is_positional()) continue;
    if (bool* const* flag = std::get_if<bool*>(&argument.target)) {
      parser.add_flag(std::string(argument.name), **flag);
    } else {
      parser.add_option(std::string(argument.name), written[i])
          ->expected(1)
          ->allow_extra_args(false)
          ->take_all();
    }
  }
  try {
    parser.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it wants them from the back
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view text = error.what();
    return InvalidArgument("{} needs a value", text.substr(0, text.find(':')));
  } catch (const CLI::ConversionError&) {
    return InvalidArgument("a flag takes no value");  // nothing but flags is converted by the parser
  } catch (const CLI::ParseError& error) {
    return InvalidArgument("{}", error.what());
  }
  HR_TRY(const std::vector<std::string> positional, Positional(parser.remaining(), arguments));
  HR_TRY(Deal(positional, arguments, written));
  for (size_t i = 0; i < written.size(); ++i) HR_TRY(Store(arguments.all()[i], written[i]));
  return Ok();
}

}  // namespace headrace::cli
