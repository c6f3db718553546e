#include "headrace/data/npy_source.h"

#include <limits>

#include "headrace/data/array_dataset.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"
#include "headrace/tensor/npy.h"

namespace headrace::data {
namespace {

// Reads an array of examples and adds the file's bytes to the hash.
Result<HostTensor> ReadArray(const std::string& path, io::Sha256& hash) {
  HR_TRY(const io::Blob file, io::ReadFile(path));
  if (file.bytes.empty()) return InvalidArgument("{} is empty", path);
  hash.Update(file.bytes);
  HR_TRY(HostTensor array, DecodeNpy(file.bytes, file.owner).Context("{}", path));
  if (array.shape().rank() == 0)
    return InvalidArgument("{} holds one number, not an array of examples", path);
  return array;
}

// Images as [examples, height, width, channels]; gray ones may come without their last dimension.
Result<HostTensor> AsImages(const HostTensor& array, const std::string& path) {
  const Shape& shape = array.shape();
  if (shape.rank() == 4) return array;
  if (shape.rank() == 3) return array.Reshaped({shape[0], shape[1], shape[2], 1});
  return InvalidArgument("{} is {}, expected images as [examples, height, width] or with channels behind",
                         path, array.type().ToString());
}

// Labels as i32 [examples].
Result<HostTensor> AsLabels(const HostTensor& array, const std::string& path) {
  const Shape& shape = array.shape();
  if (!IsInteger(array.dtype()) || array.size() != shape[0]) {
    return InvalidArgument("{} is {}, expected one integer for each example", path, array.type().ToString());
  }
  HostTensor labels({DType::kI32, {shape[0]}});
  const std::span<int32_t> out = labels.mutable_data<int32_t>();
  for (int64_t i = 0; i < array.size(); ++i) {
    const double value = array.At(i);
    if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("{}, example {}: the label {} does not fit i32", path, i, value);
    }
    out[i] = static_cast<int32_t>(value);
  }
  return labels;
}

}  // namespace

void NpySource::Fields(config::Visitor& v) {
  v.Field("images", images, "A .npy file of images [examples, height, width] or with channels behind");
  v.Field("features", features, "A .npy file of features [examples, ...], in place of images");
  v.Field("labels", labels, "A .npy file of labels, one integer for each example");
  v.Field("scale", scale, "Values of images or features are divided by this: 255 makes 0 to 255 into 0 to 1",
          config::Positive());
  examples.Fields(v);
}

Status NpySource::Validate() const {
  if (images.has_value() != features.has_value()) return Ok();
  return InvalidArgument("npy needs either images or features{}", images ? ", not both" : "");
}

Result<std::shared_ptr<const Dataset>> NpySource::Open() const {
  HR_TRY(Validate());
  const std::string& path = images ? *images : *features;
  io::Sha256 hash;
  HR_TRY(HostTensor values, ReadArray(path, hash));
  if (images) {
    HR_TRY(values, AsImages(values, path));
  }
  std::vector<Column> columns;
  columns.push_back({std::string(images ? kImage : kFeatures), std::move(values), scale});
  if (labels) {
    HR_TRY(const HostTensor array, ReadArray(*labels, hash));
    HR_TRY(HostTensor column, AsLabels(array, *labels));
    if (column.size() != columns[0].values.shape()[0]) {
      return InvalidArgument("{} holds {} labels, but {} holds {} examples", *labels, column.size(), path,
                             columns[0].values.shape()[0]);
    }
    columns.push_back({std::string(kLabel), std::move(column)});
  }
  HR_TRY(auto dataset,
         ArrayDataset::Create({.name = path, .sha256 = std::move(hash).Hex()}, std::move(columns)));
  return examples.Apply(std::move(dataset));
}

}  // namespace headrace::data
