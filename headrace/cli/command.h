// Command: one thing that the program does. A command is a file of its own and a line in commands.cc.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "headrace/cli/arguments.h"
#include "headrace/cli/environment.h"
#include "headrace/cli/terminal.h"
#include "headrace/core/status.h"

namespace headrace::cli {

// What a command may use. It reads nothing else of the world itself.
struct Context {
  Terminal& terminal;
  const Environment& environment;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual void Declare(Arguments& arguments) = 0;
  // The error ends the program: its message is printed and its code decides the exit code.
  virtual Status Run(const Context& context) = 0;
};

struct CommandInfo {
  std::string_view name;     // "devices", "hlo run"
  std::string_view summary;  // one line
  std::string_view details;  // more for --help; may be empty
  std::vector<std::string_view> examples;
  std::unique_ptr<Command> (*make)();
};

template <class T>
std::unique_ptr<Command> Make() {
  return std::make_unique<T>();
}

// Every command, in the order in which --help lists them.
std::span<const CommandInfo> Commands();

}  // namespace headrace::cli
