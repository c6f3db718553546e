#include "headrace/cli/test/run_program.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "headrace/run/child_process.h"

namespace headrace::cli {

Outcome ProgramFolder::Run(const std::string& arguments, const std::string& before) {
  const io::TemporaryFolder streams;
  const std::string line = fmt::format("cd '{}' || exit; {} '{}' {} >'{}' 2>'{}'", path(), before,
                                       HEADRACE_PROGRAM, arguments, streams / "out", streams / "err");
  const Result<run::ChildResult> result = run::RunChild({"sh", "-c", line});
  HR_CHECK(result.ok());
  const auto read = [](const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  };
  return {result->exit_code, read(streams / "out"), read(streams / "err")};
}

void ProgramFolder::Write(const std::string& name, const std::string& text) {
  const std::filesystem::path file = folder_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

std::string ProgramFolder::Read(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(folder_ / name).rdbuf();
  return text.str();
}

}  // namespace headrace::cli
