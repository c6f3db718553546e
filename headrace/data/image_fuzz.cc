// Any bytes are a picture or an error, and a mask or an error; every picture that is read can be written.
#include <cstdint>
#include <span>

#include "headrace/core/check.h"
#include "headrace/data/image.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  namespace data = headrace::data;
  const auto picture = data::DecodeImage(std::as_bytes(std::span(bytes, size)), "fuzz");
  const auto mask = data::DecodeMask(std::as_bytes(std::span(bytes, size)), "fuzz");
  if (mask.ok()) HR_CHECK(mask->shape()[2] == 1);
  if (picture.ok() && picture->size() < 100000) HR_CHECK(data::EncodePng(*picture).ok());
  return 0;
}
