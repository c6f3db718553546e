// ExpectGolden: compares a text with the file in testdata/ that holds it. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace headrace {

// `path` is relative to the root of the tree. With HEADRACE_UPDATE_GOLDENS=1 in the environment it writes the
// file instead; read the difference before you commit it.
inline void ExpectGolden(const std::string& path, const std::string& text) {
  if (std::getenv("HEADRACE_UPDATE_GOLDENS")) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path << " is missing; HEADRACE_UPDATE_GOLDENS=1 writes it";
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, golden) << path << ": HEADRACE_UPDATE_GOLDENS=1 writes it anew";
}

}  // namespace headrace
