#include "headrace/io/hash.h"

#include <gtest/gtest.h>

namespace headrace::io {
namespace {

// FIPS 180-4's examples.
TEST(Sha256, KnownVectors) {
  EXPECT_EQ(Sha256Hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex(AsBytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(AsBytes(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesAddUp) {
  Sha256 hash;
  for (const char* piece : {"a", "", "bc"}) hash.Update(AsBytes(piece));
  Sha256 moved = std::move(hash);
  EXPECT_EQ(std::move(moved).Hex(), Sha256Hex(AsBytes("abc")));
}

}  // namespace
}  // namespace headrace::io
