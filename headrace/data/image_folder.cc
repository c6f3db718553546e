#include "headrace/data/image_folder.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <vector>

#include "headrace/data/image.h"
#include "headrace/data/internal/picture_files.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"

namespace headrace::data {
namespace {

constexpr std::string_view kExpected = "expected PATH/CLASS/PICTURE.jpg (or .png), one folder a class";

struct Picture {
  std::string key;
  int32_t label = 0;
};

// What lies in a folder of pictures.
struct Listing {
  std::vector<std::string> classes;
  std::vector<Picture> pictures;
  std::string sha256;
};

class ImageFolder final : public Dataset {
 public:
  ImageFolder(std::string path, std::unique_ptr<io::Store> store, Listing listing, ImageFit fit)
      : path_(std::move(path)),
        store_(std::move(store)),
        listing_(std::move(listing)),
        fit_(std::move(fit)),
        fields_({{std::string(kImage), {DType::kF32, fit_.shape()}},
                 {std::string(kLabel), {DType::kI32, {}}},
                 {std::string(kWeight), {DType::kF32, {}}}}) {}

  std::string Name() const override { return path_; }
  std::string Where(int64_t index) const override {
    return fmt::format("{}/{}", path_, listing_.pictures[index].key);
  }
  std::string Sha256() const override { return listing_.sha256; }
  int64_t size() const override { return static_cast<int64_t>(listing_.pictures.size()); }
  const std::vector<NamedType>& fields() const override { return fields_; }
  bool can_cut() const override { return true; }
  std::optional<int32_t> KnownLabel(int64_t index) const override { return listing_.pictures[index].label; }
  std::vector<std::string> ClassNames() const override { return listing_.classes; }
  std::shared_ptr<const SkippedExamples> Skipped() const override { return skipped_; }

  Status Fill(int64_t index, Row row) const override {
    return FillWith(index, row,
                    [&](const HostTensor& picture) { fit_.WriteMiddle(picture, FloatsOf(row[0])); });
  }
  Status FillCut(int64_t index, const CutPicture& cut, Row row) const override {
    return FillWith(index, row, [&](const HostTensor& picture) {
      fit_.WritePart(picture, cut(picture.shape()[0], picture.shape()[1]), FloatsOf(row[0]));
    });
  }

 private:
  template <class WriteImage>
  Status FillWith(int64_t index, Row row, WriteImage write_image) const {
    const Picture& file = listing_.pictures[index];
    HR_TRY(const io::Blob blob, store_->Read(file.key).Context("reading {}", Where(index)));
    const Result<HostTensor> picture = DecodeImage(blob.bytes, Where(index));
    std::memcpy(row[1].data(), &file.label, sizeof file.label);
    FloatsOf(row[2])[0] = picture.ok() ? 1.0f : 0.0f;
    if (picture.ok()) {
      write_image(*picture);
    } else {
      std::ranges::fill(FloatsOf(row[0]), 0.0f);
      skipped_->Add(index, picture.status().message());
    }
    return Ok();
  }

  std::string path_;
  std::unique_ptr<io::Store> store_;  // safe from any thread
  Listing listing_;
  ImageFit fit_;
  std::vector<NamedType> fields_;
  std::shared_ptr<SkippedExamples> skipped_ = std::make_shared<SkippedExamples>();
};

// The folders right in `path` that hold no file, which a store's list of files cannot show.
std::vector<std::string> FoldersOf(const io::Store& store) {
  std::vector<std::string> names;
  const std::optional<std::string> file = store.LocalPath("x");
  if (!file) return names;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(*file).parent_path(), error)) {
    if (entry.is_directory(error) && !IsHidden(entry.path().filename().string())) {
      names.push_back(entry.path().filename().string());
    }
  }
  return names;
}

Result<Listing> ListPictures(const std::string& path, io::Store& store) {
  HR_TRY(const std::vector<io::Entry> entries, store.List(""));
  const std::vector<std::string> folders = FoldersOf(store);
  std::set<std::string> with_pictures, classes(folders.begin(), folders.end());
  std::vector<std::pair<std::string, std::string>> pictures;  // class, key
  io::Sha256 hash;
  for (const auto& [key, size] : entries) {
    if (IsHidden(key)) continue;
    const size_t slash = key.find('/');
    if (slash != std::string::npos) classes.insert(key.substr(0, slash));
    const FileKind kind = KindOfFile(key);
    if (kind == FileKind::kOtherPicture) return InvalidArgument("{}/{}: {}", path, key, kNotReadAdvice);
    if (kind == FileKind::kOther) continue;
    if (slash == std::string::npos) {
      return InvalidArgument("{}/{}: a picture that lies in no class folder; {}", path, key, kExpected);
    }
    with_pictures.insert(key.substr(0, slash));
    pictures.emplace_back(key.substr(0, slash), key);
    hash.Update(io::AsBytes(fmt::format("{}\n{}\n", key, size)));
  }
  if (entries.empty() && folders.empty())
    return Error(Code::kNotFound, "there is nothing in {}; {}", path, kExpected);
  if (classes.empty()) return InvalidArgument("{} has no class folders; {}", path, kExpected);

  Listing listing{
      .classes = {classes.begin(), classes.end()}, .pictures = {}, .sha256 = std::move(hash).Hex()};
  for (const std::string& name : listing.classes) {
    if (!with_pictures.contains(name)) {
      return InvalidArgument("{}/{}: a class folder without pictures; put some there, or remove it", path,
                             name);
    }
  }
  for (auto& [name, key] : pictures) {
    const auto place = std::ranges::lower_bound(listing.classes, name);
    listing.pictures.push_back({std::move(key), static_cast<int32_t>(place - listing.classes.begin())});
  }
  std::ranges::stable_sort(listing.pictures, {}, &Picture::label);
  return listing;
}

}  // namespace

void ImageFolderSource::Fields(config::Visitor& v) {
  v.Field("path", path, "The folder that holds one folder of pictures for each class", config::Required());
  v.Field("image", image, "How pictures become images of one size");
  examples.Fields(v);
}

Result<std::shared_ptr<const Dataset>> ImageFolderSource::Open() const {
  HR_TRY(std::unique_ptr<io::Store> store, io::OpenStore(path));
  HR_TRY(Listing listing, ListPictures(path, *store));
  return examples.Apply(std::make_shared<ImageFolder>(path, std::move(store), std::move(listing), image));
}

}  // namespace headrace::data
