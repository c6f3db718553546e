#include "headrace/data/text_source.h"

#include <algorithm>
#include <vector>

#include "headrace/data/matching_files.h"
#include "headrace/io/hash.h"

namespace headrace::data {
namespace {

// Bytes of several files as if they were one.
class Text {
 public:
  explicit Text(std::vector<MatchingFile> files) : files_(std::move(files)) {
    for (const MatchingFile& file : files_) {
      begins_.push_back(size_);
      size_ += static_cast<int64_t>(file.blob.bytes.size());
    }
  }

  int64_t size() const { return size_; }
  const std::vector<MatchingFile>& files() const { return files_; }

  // The file that holds the byte at `offset`. REQUIRES: offset < size()
  size_t FileAt(int64_t offset) const {
    return static_cast<size_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin()) - 1;
  }
  int64_t begin(size_t file) const { return begins_[file]; }

  // Calls `take(byte)` for each of `count` bytes from `offset`. REQUIRES: they exist
  template <class Take>
  void Read(int64_t offset, int64_t count, Take take) const {
    for (size_t file = FileAt(offset); count > 0; ++file) {
      const io::Bytes rest = files_[file].blob.bytes.subspan(static_cast<size_t>(offset - begins_[file]));
      const io::Bytes part = rest.first(std::min(rest.size(), static_cast<size_t>(count)));
      std::ranges::for_each(part, take);
      offset += static_cast<int64_t>(part.size());
      count -= static_cast<int64_t>(part.size());
    }
  }

 private:
  std::vector<MatchingFile> files_;
  std::vector<int64_t> begins_;
  int64_t size_ = 0;
};

class Windows final : public Dataset {
 public:
  Windows(std::string name, std::string sha256, Text text, int64_t length)
      : name_(std::move(name)),
        sha256_(std::move(sha256)),
        text_(std::move(text)),
        length_(length),
        fields_({{std::string(kTokens), {DType::kI32, {length}}},
                 {std::string(kTargets), {DType::kI32, {length}}}}) {}

  std::string Name() const override { return name_; }
  std::string Where(int64_t index) const override {
    const int64_t offset = index * length_;
    const size_t file = text_.FileAt(offset);
    return fmt::format("{}, byte {}", text_.files()[file].path, offset - text_.begin(file));
  }
  std::string Sha256() const override { return sha256_; }
  int64_t size() const override { return (text_.size() - 1) / length_; }
  const std::vector<NamedType>& fields() const override { return fields_; }

  Status Fill(int64_t index, Row row) const override {
    for (size_t field = 0; field < fields_.size(); ++field) {
      const std::span<std::byte> to = row[field];
      auto* out = reinterpret_cast<int32_t*>(to.data());
      text_.Read(index * length_ + static_cast<int64_t>(field), length_,
                 [&out](std::byte byte) { *out++ = std::to_integer<int32_t>(byte); });
    }
    return Ok();
  }

 private:
  const std::string name_, sha256_;
  const Text text_;
  const int64_t length_;
  const std::vector<NamedType> fields_;
};

}  // namespace

void TextSource::Fields(config::Visitor& v) {
  v.Field("path", path, "A file, a folder, or a pattern of files: data/*.txt", config::Required());
  v.Field("length", length, "Tokens in a window", config::AtLeast(1));
}

Result<std::shared_ptr<const Dataset>> TextSource::Open() const {
  HR_TRY(std::vector<MatchingFile> files, ReadMatchingFiles(path));
  io::Sha256 hash;
  for (const MatchingFile& file : files) hash.Update(file.blob.bytes);
  Text text(std::move(files));
  if (text.size() == 0) return InvalidArgument("{} is empty", path);
  if (text.size() <= length) {
    return InvalidArgument(
        "{} holds {} bytes, but a window takes {}, those of data.source.length and the one behind them; give "
        "more text, or shorter windows",
        path, text.size(), length + 1);
  }
  return std::shared_ptr<const Dataset>(
      std::make_shared<Windows>(path, std::move(hash).Hex(), std::move(text), length));
}

}  // namespace headrace::data
