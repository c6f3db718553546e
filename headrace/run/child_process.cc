#include "headrace/run/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace headrace::run {
namespace {

// Starts the command with /dev/null as input and `output` for both its streams.
Result<pid_t> Spawn(const std::vector<std::string>& command, int output) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return child;
  return Error(error == ENOENT ? Code::kNotFound : Code::kUnavailable, "cannot run {}: {}", command[0],
               std::strerror(error));
}

std::string ReadAll(int fd) {
  std::string text;
  std::array<char, 4096> block;
  while (true) {
    const ssize_t count = read(fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(block.data(), static_cast<size_t>(count));
  }
}

}  // namespace

Result<ChildResult> RunChild(const std::vector<std::string>& command) {
  HR_CHECK(!command.empty());
  std::array<int, 2> pipe_ends;
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    return Error(Code::kUnavailable, "cannot make a pipe for {}: {}", command[0], std::strerror(errno));
  }
  const Result<pid_t> child = Spawn(command, pipe_ends[1]);
  close(pipe_ends[1]);
  ChildResult result;
  if (child.ok()) result.output = ReadAll(pipe_ends[0]);
  close(pipe_ends[0]);
  HR_TRY(child.status());

  int state = 0;
  while (waitpid(*child, &state, 0) < 0) {
    if (errno != EINTR) return Error(Code::kInternal, "waiting for {}: {}", command[0], std::strerror(errno));
  }
  result.exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  return result;
}

}  // namespace headrace::run
