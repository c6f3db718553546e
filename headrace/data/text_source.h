// TextSource: windows of plain text, one token a byte, each with the bytes that come next as targets.
//
//   source: {format: text, path: data/shakespeare/*.txt, length: 128}
//
// The files are one text, in the order of their names, and none of it is changed or left out: a window may
// run from one file into the next. Windows lie end to end, so a split is by contiguous parts, and no byte of
// what is held out is ever a target of training but its first; what is left at the very end, shorter than a
// window, belongs to none.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "headrace/core/config.h"
#include "headrace/data/dataset.h"

namespace headrace::data {

// The names of its fields.
inline constexpr std::string_view kTokens = "tokens";    // i32 [length], from 0
inline constexpr std::string_view kTargets = "targets";  // i32 [length], what comes behind each token

struct TextSource {
  static constexpr std::string_view kKind = "text";
  static constexpr int64_t kVocabulary = 256;  // tokens are bytes

  std::string path{};
  int64_t length = 128;

  void Fields(config::Visitor& v);
  double Scale() const { return 1; }

  // Fields: `tokens` and `targets`, i32 [length]; target i is the token behind token i. Sha256 is over the
  // bytes of all files, one after the other. kNotFound, saying what is there, if no file matches;
  // kInvalidArgument for a text that holds no window.
  Result<std::shared_ptr<const Dataset>> Open() const;
};

}  // namespace headrace::data
