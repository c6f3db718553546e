#include "headrace/data/index_shuffle.h"

#include <algorithm>
#include <bit>

#include "headrace/core/check.h"
#include "headrace/data/counter_random.h"

namespace headrace::data {
namespace {

// A network over fewer bits has too few distinct round functions to reach every order of a small n.
constexpr int kLeastBits = 8;

uint64_t Mask(int bits) { return (uint64_t{1} << bits) - 1; }

// The round function: the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), its best bits first.
uint64_t Mix(uint64_t value, int bits) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return (value ^ (value >> 31)) >> (64 - bits);
}

}  // namespace

IndexShuffle::IndexShuffle(int64_t n, uint64_t seed, int64_t epoch) : n_(n) {
  HR_CHECK(n >= 1);
  const int bits = std::max(kLeastBits, static_cast<int>(std::bit_width(static_cast<uint64_t>(n - 1))));
  low_bits_ = bits / 2;
  high_bits_ = bits - low_bits_;
  CounterRandom random(seed, RandomStream::kShuffle, static_cast<uint64_t>(epoch));
  for (uint64_t& key : keys_) key = random.Next();
}

int64_t IndexShuffle::operator()(int64_t k) const {
  HR_CHECK(k >= 0 && k < n_);
  uint64_t value = static_cast<uint64_t>(k);
  do value = Permute(value);
  while (value >= static_cast<uint64_t>(n_));
  return static_cast<int64_t>(value);
}

uint64_t IndexShuffle::Permute(uint64_t value) const {
  uint64_t low = value & Mask(low_bits_);
  uint64_t high = value >> low_bits_;
  for (int round = 0; round < kRounds; round += 2) {
    high ^= Mix(low + keys_[round], high_bits_);
    low ^= Mix(high + keys_[round + 1], low_bits_);
  }
  return high << low_bits_ | low;
}

}  // namespace headrace::data
