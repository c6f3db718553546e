#include "headrace/data/segmentation_folder.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "headrace/data/example_options.h"
#include "headrace/data/image.h"
#include "headrace/data/internal/picture_files.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"

namespace headrace::data {
namespace {

constexpr int32_t kUnknown = kIgnored - 1;

// What each value of a mask stands for: a class, kIgnored or kUnknown.
using Meanings = std::array<int32_t, 256>;

Meanings MeaningsOf(const SegmentationFolderSource& source) {
  Meanings meanings;
  meanings.fill(kUnknown);
  // Who says what the values are has said all of them: another is a mistake, not a pixel to leave out.
  const int64_t ignored = source.ignore.value_or(source.mask_values.empty() ? 255 : -1);
  if (ignored >= 0) meanings[static_cast<size_t>(ignored)] = kIgnored;
  for (size_t c = 0; c < source.classes.size(); ++c) {
    const int64_t value = source.MaskValue(static_cast<int64_t>(c));
    meanings[static_cast<size_t>(value)] = static_cast<int32_t>(c);
  }
  return meanings;
}

// The keys of a picture and of its mask.
struct Pair {
  std::string image, mask;
};

struct Listing {
  std::vector<Pair> pairs;  // in the order of their names
  std::string sha256;
};

class SegmentationFolder final : public Dataset {
 public:
  SegmentationFolder(const SegmentationFolderSource& source, std::unique_ptr<io::Store> images,
                     std::unique_ptr<io::Store> masks, Listing listing)
      : source_(source),
        images_(std::move(images)),
        masks_(std::move(masks)),
        listing_(std::move(listing)),
        meanings_(MeaningsOf(source)),
        fields_({{std::string(kImage), {DType::kF32, source.image.shape()}},
                 {std::string(kMask), {DType::kI32, {source.image.size[0], source.image.size[1]}}},
                 {std::string(kWeight), {DType::kF32, {}}}}) {}

  std::string Name() const override { return source_.images; }
  std::string Where(int64_t index) const override {
    return fmt::format("{}/{}", source_.images, listing_.pairs[index].image);
  }
  std::string Sha256() const override { return listing_.sha256; }
  int64_t size() const override { return static_cast<int64_t>(listing_.pairs.size()); }
  const std::vector<NamedType>& fields() const override { return fields_; }
  bool can_cut() const override { return true; }
  std::vector<std::string> ClassNames() const override { return source_.classes; }
  std::shared_ptr<const SkippedExamples> Skipped() const override { return skipped_; }

  Status Fill(int64_t index, Row row) const override {
    return FillWith(index, row, [&](const Decoded& decoded) {
      source_.image.WriteMiddle(decoded.picture, FloatsOf(row[0]));
      return source_.image.MiddleOfMask(decoded.mask);
    });
  }
  Status FillCut(int64_t index, const CutPicture& cut, Row row) const override {
    return FillWith(index, row, [&](const Decoded& decoded) {
      const Box part = cut(decoded.picture.shape()[0], decoded.picture.shape()[1]);
      source_.image.WritePart(decoded.picture, part, FloatsOf(row[0]));
      return source_.image.PartOfMask(decoded.mask, part);
    });
  }

 private:
  struct Decoded {
    HostTensor picture, mask;  // of one height and width
  };

  std::string WhereMask(int64_t index) const {
    return fmt::format("{}/{}", source_.masks, listing_.pairs[index].mask);
  }

  // `write_image` gives the mask of what it writes, u8.
  template <class WriteImage>
  Status FillWith(int64_t index, Row row, WriteImage write_image) const {
    const Pair& files = listing_.pairs[index];
    HR_TRY(const io::Blob image, images_->Read(files.image).Context("reading {}", Where(index)));
    HR_TRY(const io::Blob mask, masks_->Read(files.mask).Context("reading {}", WhereMask(index)));
    const std::span<int32_t> numbers = IntsOf(row[1]);
    HR_TRY(const std::optional<Decoded> decoded, Decode(index, image, mask));
    FloatsOf(row[2])[0] = decoded ? 1.0f : 0.0f;
    if (!decoded) {
      std::ranges::fill(FloatsOf(row[0]), 0.0f);
      std::ranges::fill(numbers, kIgnored);
      return Ok();
    }
    HR_TRY(CheckValues(index, decoded->mask));
    std::ranges::transform(write_image(*decoded).template data<uint8_t>(), numbers.begin(),
                           [&](uint8_t value) { return meanings_[value]; });
    return Ok();
  }

  // Nothing, and a note why, where a file is damaged, or the picture none.
  Result<std::optional<Decoded>> Decode(int64_t index, const io::Blob& image, const io::Blob& mask) const {
    Result<HostTensor> picture = DecodeImage(image.bytes, Where(index));
    Result<HostTensor> values = DecodeMask(mask.bytes, WhereMask(index));
    // A whole file that is no mask is a mistake of whoever made the masks, and so hardly the only one.
    if (!values.ok() && values.status().code() != Code::kDataLoss) return values.status();
    for (const Result<HostTensor>& result : {picture, values}) {
      if (result.ok()) continue;
      skipped_->Add(index, result.status().message());
      return std::optional<Decoded>();
    }
    const Shape &a = picture->shape(), &b = values->shape();
    if (a[0] == b[0] && a[1] == b[1]) return std::optional(Decoded{*std::move(picture), *std::move(values)});
    return InvalidArgument("{} has {} x {} pixels, but {} has {} x {}", WhereMask(index), b[1], b[0],
                           Where(index), a[1], a[0]);
  }

  Status CheckValues(int64_t index, const HostTensor& mask) const {
    const std::span<const uint8_t> values = mask.data<uint8_t>();
    const auto unknown =
        std::ranges::find_if(values, [&](uint8_t value) { return meanings_[value] == kUnknown; });
    if (unknown == values.end()) return Ok();
    const int64_t at = unknown - values.begin(), width = mask.shape()[1];
    return InvalidArgument(
        "{}: the pixel in row {}, column {} is {}, which stands for none of the {} classes; give every class "
        "its place in `classes` (and `mask_values`), or say what to leave out (`ignore`)",
        WhereMask(index), at / width, at % width, *unknown, source_.classes.size());
  }

  SegmentationFolderSource source_;
  std::unique_ptr<io::Store> images_, masks_;  // safe from any thread
  Listing listing_;
  Meanings meanings_;
  std::vector<NamedType> fields_;
  std::shared_ptr<SkippedExamples> skipped_ = std::make_shared<SkippedExamples>();
};

// The pictures of a folder by their names without endings.
Result<std::map<std::string, std::string>> ListPictures(const std::string& path, io::Store& store,
                                                        bool are_masks, io::Sha256& hash) {
  HR_TRY(const std::vector<io::Entry> entries, store.List(""));
  std::map<std::string, std::string> keys;
  for (const auto& [key, size] : entries) {
    const FileKind kind = KindOfFile(key);
    if (kind == FileKind::kOtherPicture) return InvalidArgument("{}/{}: {}", path, key, kNotReadAdvice);
    if (kind == FileKind::kOther) continue;
    if (are_masks && EndingOf(key) != ".png") {
      return InvalidArgument("{}/{}: masks are PNG files; what other kinds keep of values is not exact", path,
                             key);
    }
    const auto [other, is_new] = keys.emplace(WithoutEnding(key), key);
    if (!is_new) {
      return InvalidArgument("{}: two pictures share a name, {} and {}; rename one", path, other->second,
                             key);
    }
    hash.Update(io::AsBytes(fmt::format("{}\n{}\n", key, size)));
  }
  if (!keys.empty()) return keys;
  return Error(Code::kNotFound, "there are no {} in {}", are_masks ? "masks (.png)" : "pictures (.jpg, .png)",
               path);
}

Result<Listing> ListPairs(const SegmentationFolderSource& source, io::Store& images, io::Store& masks) {
  io::Sha256 hash;
  HR_TRY(const auto pictures, ListPictures(source.images, images, /*are_masks=*/false, hash));
  HR_TRY(auto masks_left, ListPictures(source.masks, masks, /*are_masks=*/true, hash));
  Listing listing{.pairs = {}, .sha256 = std::move(hash).Hex()};
  std::vector<std::string> unmasked;
  for (const auto& [name, key] : pictures) {
    const auto mask = masks_left.find(name);
    if (mask == masks_left.end()) {
      unmasked.push_back(key);
      continue;
    }
    listing.pairs.push_back({key, mask->second});
    masks_left.erase(mask);
  }
  if (!masks_left.empty()) {
    return InvalidArgument("{}/{}: a mask without a picture ({}/{}.jpg or .png); {} in all", source.masks,
                           masks_left.begin()->second, source.images, masks_left.begin()->first,
                           masks_left.size());
  }
  if (!unmasked.empty() && !source.skip_unmasked) {
    return InvalidArgument(
        "{}/{}: a picture without a mask in {}; {} in all; say skip_unmasked: true to leave them out",
        source.images, unmasked[0], source.masks, unmasked.size());
  }
  return listing;
}

}  // namespace

void SegmentationFolderSource::Fields(config::Visitor& v) {
  v.Field("images", images, "The folder of pictures", config::Required());
  v.Field("masks", masks, "The folder of their masks: PNG files of the same names, gray or with a palette",
          config::Required());
  v.Field("classes", classes, "The names of the classes, in the order of their numbers", config::Required());
  v.Field("mask_values", mask_values, "What stands for each class in masks; by default 0, 1, 2, …",
          config::Between(0, 255));
  v.Field(
      "ignore", ignore,
      "What stands in masks for pixels that count for nothing; by default 255, and nothing where mask_values "
      "are given",
      config::Between(0, 255));
  v.Field("skip_unmasked", skip_unmasked, "Leave out pictures that have no mask");
  v.Field("image", image, "How pictures become images of one size");
  ShuffleSeedField(v, shuffle_seed);
}

Status SegmentationFolderSource::Validate() const {
  if (classes.size() < 2) return InvalidArgument("classes: name at least two, the background among them");
  if (!mask_values.empty() && mask_values.size() != classes.size()) {
    return InvalidArgument("mask_values: {} values for {} classes; give one for each", mask_values.size(),
                           classes.size());
  }
  std::set<std::string_view> called;
  std::map<int64_t, std::string_view> names;  // of the classes that values stand for
  for (size_t c = 0; c < classes.size(); ++c) {
    const int64_t value = MaskValue(static_cast<int64_t>(c));
    if (value < 0 || value > 255)
      return InvalidArgument("classes: a mask has no value {}, only 0 to 255", value);
    if (!called.insert(classes[c]).second) return InvalidArgument("classes: two are called {}", classes[c]);
    const auto [other, is_new] = names.emplace(value, classes[c]);
    if (is_new) continue;
    return InvalidArgument("mask_values: {} stands for both {} and {}", value, other->second, classes[c]);
  }
  if (!ignore) return Ok();
  if (*ignore < 0 || *ignore > 255)
    return InvalidArgument("ignore: a mask has no value {}, only 0 to 255", *ignore);
  const auto taken = names.find(*ignore);
  if (taken == names.end()) return Ok();
  return InvalidArgument("ignore: {} stands for {}; give the classes their values (mask_values)", *ignore,
                         taken->second);
}

Result<std::shared_ptr<const Dataset>> SegmentationFolderSource::Open() const {
  HR_TRY(Validate());
  HR_TRY(std::unique_ptr<io::Store> image_store, io::OpenStore(images));
  HR_TRY(std::unique_ptr<io::Store> mask_store, io::OpenStore(masks));
  HR_TRY(Listing listing, ListPairs(*this, *image_store, *mask_store));
  std::shared_ptr<const Dataset> dataset = std::make_shared<SegmentationFolder>(
      *this, std::move(image_store), std::move(mask_store), std::move(listing));
  return ShuffledBy(shuffle_seed, std::move(dataset));
}

}  // namespace headrace::data
