#include "headrace/io/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "headrace/core/check.h"

namespace headrace::io {

struct Sha256::Context {
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  HR_CHECK(EVP_DigestInit_ex(context_->digest, EVP_sha256(), nullptr) == 1);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(Bytes bytes) {
  HR_CHECK(EVP_DigestUpdate(context_->digest, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::Hex() && {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HR_CHECK(EVP_DigestFinal_ex(context_->digest, digest, &size) == 1);
  context_.reset();
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string Sha256Hex(Bytes bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return std::move(hash).Hex();
}

}  // namespace headrace::io
