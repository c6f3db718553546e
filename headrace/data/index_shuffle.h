// IndexShuffle: a random order of 0 … n-1 that takes no memory.
//
// Place k of the order is computed, not looked up: a Feistel network over the smallest power of two that
// holds n is a bijection of that range, and a value that falls outside 0 … n-1 is put through it again until
// it falls inside (cycle walking; Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
// So the order is a pure function of (n, seed, epoch), the same on every machine. A value; safe to call from
// any thread.
//
//   const IndexShuffle shuffle(dataset.size(), seed, epoch);
//   const int64_t example = shuffle(0);  // the first example of this epoch
#pragma once

#include <array>
#include <cstdint>

namespace headrace::data {

class IndexShuffle {
 public:
  // REQUIRES: n >= 1
  IndexShuffle(int64_t n, uint64_t seed, int64_t epoch);

  // The index in place k. REQUIRES: 0 <= k < n
  int64_t operator()(int64_t k) const;

 private:
  static constexpr int kRounds = 8;

  uint64_t Permute(uint64_t value) const;

  int64_t n_;
  int low_bits_;
  int high_bits_;
  std::array<uint64_t, kRounds> keys_;
};

}  // namespace headrace::data
