// The one suite that every Store passes; its tests are in test/store_suite.cc. A new store adds, in its own
// test:
//
//   INSTANTIATE_TEST_SUITE_P(Gs, StoreSuite, testing::Values(StoreUnderTest{"gs", [](const std::string&
//   folder) { … }}));
//
// For tests only.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"

namespace headrace::io {

struct StoreUnderTest {
  std::string name;
  std::function<std::unique_ptr<Store>(const std::string& folder)>
      make;  // an empty one; `folder` is empty too
};

// What gtest calls a case by.
inline void PrintTo(const StoreUnderTest& store, std::ostream* out) { *out << store.name; }

class StoreSuite : public testing::TestWithParam<StoreUnderTest> {
 protected:
  TemporaryFolder folder_;
  std::unique_ptr<Store> store_ = GetParam().make(folder_.path());
};

}  // namespace headrace::io
