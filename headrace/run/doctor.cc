#include "headrace/run/doctor.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "headrace/data/matching_files.h"
#include "headrace/io/store.h"
#include "headrace/run/child_process.h"
#include "headrace/run/internal/system_facts.h"
#include "headrace/run/pinned_file.h"
#include "headrace/run/template.h"

namespace headrace::run {
namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;

constexpr int64_t kGibibyte = int64_t{1} << 30;

// Runs [1 2; 3 4] x [1; 1] + 1 on the first device.
Result<HostTensor> RunTinyProgram(const runtime::Client& client) {
  constexpr std::string_view kProgram = R"(module @doctor {
  func.func public @main(%m: tensor<2x2xf32>, %v: tensor<2xf32>) -> tensor<2xf32> {
    %product = stablehlo.dot_general %m, %v, contracting_dims = [1] x [0]
        : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %sum = stablehlo.add %product, %v : tensor<2xf32>
    return %sum : tensor<2xf32>
  }
})";
  HR_TRY(const runtime::Executable program, client.Compile(kProgram));
  HR_TRY(const runtime::Buffer matrix, client.ToDevice(HostTensor::Of<float>({2, 2}, {1, 2, 3, 4})));
  HR_TRY(const runtime::Buffer vector, client.ToDevice(HostTensor::Of<float>({2}, {1, 1})));
  HR_TRY(const std::vector<runtime::Buffer> outputs, program.Execute({{&matrix, &vector}}));
  return outputs.at(0).ToHost();
}

Finding CheckPlugin(const DeviceOptions& options) {
  const Result<const runtime::Plugin*> plugin = LoadPlugin(options);
  if (!plugin.ok()) {
    return {Level::kProblem, "plugin", plugin.status().message(),
            "run tools/setup.sh in the source tree, or pass --device PATH.so"};
  }
  const auto [major, minor] = (*plugin)->api_version();
  return {Level::kOk, "plugin", fmt::format("{}, PJRT API {}.{}", (*plugin)->path(), major, minor), ""};
}

Finding CheckCompute(const DeviceOptions& options) {
  constexpr std::string_view kName = "compute";
  const Result<std::unique_ptr<runtime::Client>> client = OpenClient(options);
  if (!client.ok())
    return {Level::kProblem, std::string(kName), client.status().message(), "see the line above"};
  const Result<HostTensor> result = RunTinyProgram(**client);
  if (!result.ok()) {
    return {Level::kProblem, std::string(kName), result.status().message(),
            "try another plugin with --device"};
  }
  const std::span<const float> values = result->data<float>();
  if (values.size() != 2 || values[0] != 4 || values[1] != 8) {
    return {Level::kProblem, std::string(kName),
            fmt::format("a tiny program gave [{}] instead of [4, 8]", fmt::join(values, ", ")),
            "do not trust this plugin; try another with --device"};
  }
  return {Level::kOk, std::string(kName),
          fmt::format("{} {} device{}, a tiny program runs and is right", (*client)->devices().size(),
                      (*client)->platform_name(), (*client)->devices().size() == 1 ? "" : "s"),
          ""};
}

Finding CheckCpu() {
  const internal::CpuFacts cpu = internal::Cpu();
  const bool fast = std::ranges::find(cpu.features, "avx2") != cpu.features.end();
  Finding finding{Level::kOk, "cpu",
                  fmt::format("{} core{}, {} ({})", cpu.cores, cpu.cores == 1 ? "" : "s", cpu.model,
                              fmt::join(cpu.features, ", ")),
                  ""};
  if (!fast) {
    finding.level = Level::kNote;
    finding.advice = "without AVX2 training on this CPU is several times slower";
  }
  return finding;
}

Finding CheckMemory() {
  const std::optional<internal::MemoryFacts> memory = internal::Memory();
  if (!memory) return {Level::kNote, "memory", "the system does not say how much there is", ""};
  const std::string text = fmt::format("{} available of {}", internal::FormatBytes(memory->available),
                                       internal::FormatBytes(memory->total));
  if (memory->available >= kGibibyte) return {Level::kOk, "memory", text, ""};
  return {Level::kProblem, "memory", text, "free some: a small run takes about 1 GiB"};
}

Finding CheckDisk(const std::string& runs) {
  const std::optional<int64_t> space = internal::FreeDisk(runs);
  if (!space) return {Level::kNote, "disk", "the system does not say how much is free", ""};
  const std::string text = fmt::format("{} free for {}", internal::FormatBytes(*space), runs);
  if (*space >= kGibibyte) return {Level::kOk, "disk", text, ""};
  return {Level::kProblem, "disk", text, "free some, or write runs elsewhere with --out"};
}

// Writes and removes a small file, the way a run does.
Finding CheckWriting(const std::string& runs) {
  const bool existed = fs::exists(runs);
  const std::string key = fmt::format(".headrace-doctor-{}", getpid());
  Status status = Ok();
  if (Result<std::unique_ptr<io::Store>> store = io::OpenStore(runs); store.ok()) {
    status = (*store)->Write(key, io::AsBytes("can this be written?"));
    if (status.ok()) status = (*store)->Delete(key);
  } else {
    status = store.status();
  }
  std::error_code ignored;
  if (!existed) fs::remove(runs, ignored);
  if (status.ok()) return {Level::kOk, "runs", fmt::format("{} can be written", runs), ""};
  return {Level::kProblem, "runs", status.message(), "make it writable, or write runs elsewhere with --out"};
}

// The template that reads the file.
std::string_view TemplateOf(const PinnedFile& file) {
  const auto reads = [&](const Template& known) { return known.text.contains(file.path); };
  const auto found = std::ranges::find_if(Templates(), reads);
  return found == Templates().end() ? "" : found->name;
}

// The data of the templates that were written to `folder`.
std::vector<Finding> CheckData(const std::string& folder) {
  std::vector<Finding> findings;
  for (const PinnedFile& file : PinnedFiles()) {
    const std::string path = (fs::path(folder) / file.path).lexically_normal().native();
    if (HasPinnedFile(file, folder)) {
      findings.push_back({Level::kOk, "data", fmt::format("{}: {}", path, file.what), ""});
    } else if (data::ReadMatchingFiles(path).ok()) {
      findings.push_back({Level::kProblem, "data", fmt::format("{} is damaged, or another file", path),
                          fmt::format("move it away and run headrace init {} again", TemplateOf(file))});
    } else {
      findings.push_back({Level::kNote, "data", fmt::format("no {}", path),
                          fmt::format("headrace init {} fetches it", TemplateOf(file))});
    }
  }
  return findings;
}

Finding CheckPip() {
  const Result<ChildResult> pip = RunChild({"python3", "-m", "pip", "--version"});
  if (pip.ok() && pip->exit_code == 0) {
    return {Level::kOk, "pip", pip->output.substr(0, pip->output.find(" from")), ""};
  }
  const std::string text = pip.ok() ? "python3 has no pip" : pip.status().message();
  return {Level::kNote, "pip", text,
          "only headrace init needs it, to fetch data; on Debian: apt install python3-pip"};
}

}  // namespace

std::vector<Finding> Examine(const DoctorOptions& options) {
  const std::string runs = (fs::path(options.folder) / options.runs).lexically_normal().native();
  std::vector<Finding> findings = {
      CheckPlugin(options.device), CheckCompute(options.device), CheckCpu(), CheckMemory(), CheckDisk(runs),
      CheckWriting(runs)};
  for (Finding& finding : CheckData(options.folder)) findings.push_back(std::move(finding));
  findings.push_back(CheckPip());
  return findings;
}

}  // namespace headrace::run
