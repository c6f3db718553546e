#include "headrace/checkpoint/writer_claim.h"

#include <fmt/format.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>

namespace headrace::checkpoint {
namespace {

constexpr double kForgottenAfterSeconds = 24 * 3600;

std::string FirstLine(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

std::string LinkTarget(const char* path) {
  std::array<char, PATH_MAX> target;
  ssize_t size = readlink(path, target.data(), target.size());
  return size < 0 ? "" : std::string(target.data(), static_cast<size_t>(size));
}

// Empty where the system does not say; then nothing is known about other writers.
std::string ThisMachine() {
  std::string boot = FirstLine("/proc/sys/kernel/random/boot_id");
  std::string processes = LinkTarget("/proc/self/ns/pid");
  return boot.empty() || processes.empty() ? "" : boot + "/" + processes;
}

struct ProcessState {
  char state = '?';  // 'Z' for one that ended and was not waited for
  int64_t start = 0;
};

// Fields 3 and 22 of /proc/PID/stat (man 5 proc); nothing if it cannot be read.
std::optional<ProcessState> ReadProcessState(int64_t process) {
  std::string line = FirstLine(fmt::format("/proc/{}/stat", process));
  size_t name_end = line.rfind(')');  // the name in field 2 may hold anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  ProcessState result;
  fields >> result.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> result.start;
  return fields ? std::optional(result) : std::nullopt;
}

bool ProcessIsGone(const WriterClaim& writer) {
  if (writer.process <= 0) return true;
  if (kill(static_cast<pid_t>(writer.process), 0) != 0 && errno == ESRCH) return true;
  std::optional<ProcessState> now = ReadProcessState(writer.process);
  return now && (now->start != writer.process_start || now->state == 'Z' || now->state == 'X');
}

}  // namespace

WriterClaim WriterClaim::Here() {
  std::array<char, HOST_NAME_MAX + 1> host = {};
  gethostname(host.data(), host.size() - 1);
  std::random_device random;
  WriterClaim claim;
  claim.host = host.data();
  claim.machine = ThisMachine();
  claim.process = getpid();
  if (auto state = ReadProcessState(claim.process)) claim.process_start = state->start;
  claim.instance = fmt::format("{:08x}{:08x}", random(), random());
  return claim;
}

std::string ToText(const WriterClaim& claim) {
  return fmt::format("host {}\nmachine {}\nprocess {}\nprocess_start {}\ninstance {}\ntime {}\n", claim.host,
                     claim.machine, claim.process, claim.process_start, claim.instance, claim.time);
}

Result<WriterClaim> ParseClaim(std::string_view text, std::string_view source) {
  bool good = true;
  auto next = [&](std::string_view key) -> std::string_view {
    size_t end = text.find('\n');
    good =
        good && end != std::string_view::npos && text.starts_with(key) && text.substr(key.size(), 1) == " ";
    if (!good) return "";
    std::string_view value = text.substr(key.size() + 1, end - key.size() - 1);
    text.remove_prefix(end + 1);
    return value;
  };
  auto number = [&](std::string_view key, auto& value) {
    std::string_view digits = next(key);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    good = good && error == std::errc() && end == digits.data() + digits.size();
  };
  WriterClaim claim;
  claim.host = next("host");
  claim.machine = next("machine");
  number("process", claim.process);
  number("process_start", claim.process_start);
  claim.instance = next("instance");
  number("time", claim.time);
  if (!good || !text.empty())
    return Error(Code::kDataLoss, "{} does not say who writes the checkpoint", source);
  return claim;
}

Liveness Judge(const WriterClaim& other, const WriterClaim& me, double now) {
  if (!me.machine.empty() && other.machine == me.machine) {
    return ProcessIsGone(other) ? Liveness::kDead : Liveness::kAlive;
  }
  return now - other.time > kForgottenAfterSeconds ? Liveness::kDead : Liveness::kUnknown;
}

}  // namespace headrace::checkpoint
