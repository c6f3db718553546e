// SegmentationFolderSource: pictures in one folder, and in another a mask for each: a PNG file of the same
// name that says of every pixel which class it belongs to. As in Pascal VOC (JPEGImages, SegmentationClass),
// ADE20K (images, annotations), and what labeling tools write.
//
//   source:
//     format: segmentation_folder
//     images: data/nuclei/images              # a/b.jpg
//     masks: data/nuclei/masks                # a/b.png
//     classes: [background, nucleus]
//     mask_values: [0, 255]                   # without: 0, 1, 2, …
//     image: {size: [128, 128], channels: 1}
//
// Files are read when an example is, and decoded by whichever thread asks. A picture or a mask that turns out
// to be damaged keeps its place with weight 0 and is noted in Skipped().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"
#include "headrace/data/image_fit.h"

namespace headrace::data {

struct SegmentationFolderSource {
  static constexpr std::string_view kKind = "segmentation_folder";

  std::string images{}, masks{};
  std::vector<std::string> classes{};  // their names
  std::vector<int64_t> mask_values{};  // what stands for each in masks; empty: 0, 1, 2, …
  std::optional<int64_t> ignore{};     // stands for no class; by default 255, unless mask_values are given
  bool skip_unmasked = false;
  ImageFit image{};
  std::optional<int64_t> shuffle_seed = 0;

  void Fields(config::Visitor& v);
  Status Validate() const;
  double Scale() const { return 255; }
  // How pictures become images, for single ones that are to be predicted.
  const ImageFit& Fit() const { return image; }
  // What stands for class `number` in masks.
  int64_t MaskValue(int64_t number) const {
    return mask_values.empty() ? number : mask_values[static_cast<size_t>(number)];
  }

  // Lists both folders; reads no file. Fields: `image` f32 [height, width, channels], 0 to 1; `mask` i32
  // [height, width]; `weight`. Pictures are resized as ImageFit says, masks by taking the nearest pixel.
  // Sha256 is over the names and sizes of the files. kNotFound if a folder is empty; kInvalidArgument for a
  // mask without a picture, and for a picture without a mask unless `skip_unmasked`. Reading an example gives
  // kInvalidArgument for a mask of another size than its picture, one that is no mask, and, naming the pixel,
  // for a value that stands for nothing.
  Result<std::shared_ptr<const Dataset>> Open() const;
};

}  // namespace headrace::data
