// Dataset: random access to examples. The one interface between where data lies and what is made of it.
//
// An example is one value for each field: an `image` f32[28, 28, 1], a `label` i32[]. Every example has the
// same fields. A Dataset is constant once it is open: all of it is safe to use from any thread, and the same
// index gives the same bytes for ever. Owned by shared_ptr, since views (a split, a shuffle) share what lies
// below them.
//
//   HR_TRY(std::shared_ptr<const Dataset> digits, CsvSource{.path = "digits.csv.gz", .label = "-1"}.Open());
//   HR_TRY(Example first, digits->Get(0));
//   HR_TRY(Splits splits, Split(digits, {.train = 4000, .eval = 1000}));
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/data/resize.h"
#include "headrace/data/skipped_examples.h"
#include "headrace/tensor/named_tensor.h"

namespace headrace::data {

// The names of fields that mean the same in every dataset.
inline constexpr std::string_view kImage = "image";        // f32 [height, width, channels]
inline constexpr std::string_view kFeatures = "features";  // f32 [columns]
inline constexpr std::string_view kLabel = "label";        // i32 [], a class from 0
inline constexpr std::string_view kMask = "mask";      // i32 [height, width], classes of an image's pixels
inline constexpr std::string_view kWeight = "weight";  // f32 [], 1, or 0 for a row that only fills up

// In a mask: a pixel that counts for nothing.
inline constexpr int32_t kIgnored = -1;

using Example = std::vector<NamedTensor>;

// Memory for one example: a span for each field, in the order of the fields, of exactly the field's bytes.
using Row = std::span<const std::span<std::byte>>;
inline std::span<float> FloatsOf(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}
inline std::span<int32_t> IntsOf(std::span<std::byte> bytes) {
  return {reinterpret_cast<int32_t*>(bytes.data()), bytes.size() / sizeof(int32_t)};
}

// Changes one example in place. What it does is a pure function of the example, its own settings and the
// example's position in the training sequence.
using Transform = std::function<void(int64_t position, Row row)>;

// Which part of a picture of so many rows and columns an example shows.
using CutPicture = std::function<Box(int64_t height, int64_t width)>;

class Dataset {
 public:
  virtual ~Dataset() = default;

  // What messages call this data: "data/mnist_5k.csv.gz".
  virtual std::string Name() const = 0;
  // Where example `index` comes from, for messages: "data/mnist_5k.csv.gz, row 18".
  virtual std::string Where(int64_t index) const = 0;
  // SHA-256, in hex, of the bytes that the data was read from, as they lie in their files.
  virtual std::string Sha256() const = 0;

  virtual int64_t size() const = 0;
  virtual const std::vector<NamedType>& fields() const = 0;

  // Writes example `index`. REQUIRES: 0 <= index < size(), and `row` fits fields()
  virtual Status Fill(int64_t index, Row row) const = 0;

  // What else data of pictures or of named classes can do and tell.

  // Whether examples are made of pictures of any size; FillCut then writes the part that `cut` says, brought
  // to the size of the field. REQUIRES: as Fill, and can_cut()
  virtual bool can_cut() const { return false; }
  virtual Status FillCut(int64_t index, const CutPicture& cut, Row row) const;
  // The label of an example, where it is known without reading the example.
  virtual std::optional<int32_t> KnownLabel([[maybe_unused]] int64_t index) const { return {}; }
  // The name of each class; empty where they have none.
  virtual std::vector<std::string> ClassNames() const { return {}; }
  // The examples that turned out to be unreadable so far; their weight is 0. Null where there cannot be any.
  virtual std::shared_ptr<const SkippedExamples> Skipped() const { return nullptr; }

  // Example `index` as tensors of its own. kOutOfRange if there is no such example.
  Result<Example> Get(int64_t index) const;
};

// Position of the field of that name, or -1.
int FindField(std::span<const NamedType> fields, std::string_view name);

// Their names, for messages: "image, label".
std::string NamesOf(std::span<const NamedType> fields);

// kInvalidArgument unless every label is a class from 0 to classes - 1; names the first that is not, and
// where it is. A dataset without labels is fine.
Status CheckLabels(const Dataset& dataset, int64_t classes);

}  // namespace headrace::data
