// SHA-256 (FIPS 180-4) in lower-case hexadecimal, as manifests and pinned downloads write it.
//
//   Sha256 hash;
//   hash.Update(AsBytes("piece"));
//   std::string hex = std::move(hash).Hex();
#pragma once

#include <memory>
#include <string>

#include "headrace/io/bytes.h"

namespace headrace::io {

// Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void Update(Bytes bytes);
  // The 64 digits; ends the hash.
  std::string Hex() &&;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string Sha256Hex(Bytes bytes);

}  // namespace headrace::io
