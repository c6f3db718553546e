// Runs the program that was built, as a user does, in a folder of its own.
#pragma once

#include <string>
#include <vector>

#include "headrace/io/temporary_folder.h"

namespace headrace::cli {

struct Outcome {
  int exit_code = 0;
  std::string out;
  std::string err;
};

class ProgramFolder {
 public:
  // Runs `headrace <arguments>` in the folder; the arguments are shell words. `before` is what the shell
  // reads before the program: "NO_COLOR=1", "ulimit -f 8;".
  Outcome Run(const std::string& arguments, const std::string& before = "");

  void Write(const std::string& name, const std::string& text);
  std::string Read(const std::string& name);
  std::string path() const { return folder_.path(); }

 private:
  io::TemporaryFolder folder_;
};

}  // namespace headrace::cli
