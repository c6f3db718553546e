// ImageFolderSource: pictures in folders, one folder a class, as torchvision's ImageFolder has them.
//
//   source: {format: image_folder, path: data/flowers, image: {size: [224, 224], resize: 256}}
//
// Classes are the folders in `path`, numbered in the order of their names. The pictures of a class are the
// files below its folder, at any depth, that end as JPEG, PNG, PGM or PPM files do; other files are not
// looked at, but for pictures of other kinds, which are an error. As the order is by class, examples are
// shuffled before they are split unless `shuffle_seed` is null.
//
// Files are read when an example is, and decoded by whichever thread asks. One that turns out to be no
// picture, or a damaged one, keeps its place with weight 0 and is noted in Skipped().
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "headrace/core/config.h"
#include "headrace/data/example_options.h"
#include "headrace/data/image_fit.h"

namespace headrace::data {

struct ImageFolderSource {
  static constexpr std::string_view kKind = "image_folder";

  std::string path{};
  ImageFit image{};
  ExampleOptions examples{.classes = {}, .shuffle_seed = 0};

  void Fields(config::Visitor& v);
  double Scale() const { return 255; }
  // How pictures become images, for single ones that are to be predicted.
  const ImageFit& Fit() const { return image; }

  // Lists the folder; reads no picture. Fields: `image` f32 [height, width, channels], 0 to 1; `label`;
  // `weight`. Sha256 is over the names and sizes of the files: to read every picture before the first step
  // would take hours where there are millions. kNotFound if there is no folder; kInvalidArgument, saying what
  // was expected, for one without class folders, a class without pictures, a picture outside of the class
  // folders, or of a kind that is not read.
  Result<std::shared_ptr<const Dataset>> Open() const;
};

}  // namespace headrace::data
