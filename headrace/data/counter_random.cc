#include "headrace/data/counter_random.h"

namespace headrace::data {
namespace {

uint32_t Low(uint64_t bits) { return static_cast<uint32_t>(bits); }
uint32_t High(uint64_t bits) { return static_cast<uint32_t>(bits >> 32); }

}  // namespace

std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t even = uint64_t{0xD2511F53} * counter[0];
    const uint64_t odd = uint64_t{0xCD9E8D57} * counter[2];
    counter = {High(odd) ^ counter[1] ^ key[0], Low(odd), High(even) ^ counter[3] ^ key[1], Low(even)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};  // golden ratio and sqrt(3) - 1
  }
  return counter;
}

CounterRandom::CounterRandom(uint64_t seed, RandomStream stream, uint64_t position)
    : counter_{0, static_cast<uint32_t>(stream), Low(position), High(position)},
      key_{Low(seed), High(seed)} {}

uint64_t CounterRandom::Next() {
  if (used_ == 4) {
    block_ = Philox4x32(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  const uint64_t low = block_[used_];
  const uint64_t high = block_[used_ + 1];
  used_ += 2;
  return low | high << 32;
}

double CounterRandom::Uniform(double low, double high) {
  const double unit = static_cast<double>(Next() >> 11) * 0x1p-53;
  return low + (high - low) * unit;
}

}  // namespace headrace::data
