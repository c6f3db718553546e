// Arguments: what one command takes, said once: it is parsed, checked and explained in --help from there.
//
//   void Declare(Arguments& arguments) override {
//     arguments.Positional("RUN.yaml", path_, "The run");
//     arguments.Positional("key=value", overrides_, "Settings over those of the file");
//     arguments.Option("--devices", "N", devices_, "How many devices are visible", 1);
//     arguments.Flag("--json", json_, "Print JSON");
//   }
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::cli {

struct Argument {
  // Where what was written goes. What is written once at most is an optional; a vector takes any number.
  using Target = std::variant<bool*, std::string*, std::optional<std::string>*, std::optional<int64_t>*,
                              std::optional<double>*, std::vector<std::string>*>;

  std::string_view name;   // "--devices", or "RUN.yaml" for a positional one
  std::string_view value;  // what stands for its value in --help; empty for a flag
  Target target;
  std::string_view doc;
  bool required = false;
  int64_t least = std::numeric_limits<int64_t>::min();  // the smallest number that is allowed

  bool is_positional() const { return !name.starts_with("-"); }
  bool is_repeatable() const { return std::holds_alternative<std::vector<std::string>*>(target); }
};

class Arguments {
 public:
  // Positional arguments, in order. One that is a plain string must be there; only the last may repeat.
  void Positional(std::string_view name, std::string& value, std::string_view doc) {
    all_.push_back({name, name, &value, doc, true});
  }
  void Positional(std::string_view name, std::optional<std::string>& value, std::string_view doc) {
    all_.push_back({name, name, &value, doc});
  }
  void Positional(std::string_view name, std::vector<std::string>& values, std::string_view doc) {
    all_.push_back({name, name, &values, doc});
  }

  // Options with a value; the plain string keeps what it holds as its default.
  void Option(std::string_view name, std::string_view value_name, std::string& value, std::string_view doc) {
    all_.push_back({name, value_name, &value, doc});
  }
  void RequiredOption(std::string_view name, std::string_view value_name, std::string& value,
                      std::string_view doc) {
    all_.push_back({name, value_name, &value, doc, true});
  }
  void Option(std::string_view name, std::string_view value_name, std::optional<int64_t>& value,
              std::string_view doc, int64_t least) {
    all_.push_back({name, value_name, &value, doc, false, least});
  }
  void Option(std::string_view name, std::string_view value_name, std::optional<double>& value,
              std::string_view doc) {
    all_.push_back({name, value_name, &value, doc});
  }
  void Option(std::string_view name, std::string_view value_name, std::vector<std::string>& values,
              std::string_view doc) {
    all_.push_back({name, value_name, &values, doc});
  }

  void Flag(std::string_view name, bool& value, std::string_view doc) {
    all_.push_back({name, "", &value, doc});
  }

  std::span<const Argument> all() const { return all_; }

 private:
  std::vector<Argument> all_;
};

// Fills the targets from what was written after the command's name. Errors are kInvalidArgument and say what
// is wrong in one line.
Status Parse(std::span<const std::string> words, const Arguments& arguments);

}  // namespace headrace::cli
