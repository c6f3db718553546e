// CounterRandom: random numbers that are a pure function of (seed, stream, position).
//
// There is no state to save or to share: whoever needs the numbers of position p makes the generator of p, in
// any order and on any thread. The bits are those of Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011). Cheap to make; not thread-safe itself.
//
//   CounterRandom random(seed, RandomStream::kAugment, position);
//   const double angle = random.Uniform(-10, 10);
//   const double shift = random.Uniform(-2, 2);
#pragma once

#include <array>
#include <cstdint>

namespace headrace::data {

// One block of Philox4x32-10.
std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// What the numbers are for; streams are independent of each other. The values are part of what a seed means.
enum class RandomStream : uint32_t {
  kShuffle = 1,
  kAugment = 2,
  kSample = 3,
  kCrop = 4,
  kFlip = 5,
  kColor = 6,
  kRandAugment = 7,
  kMix = 8,
};

class CounterRandom {
 public:
  CounterRandom(uint64_t seed, RandomStream stream, uint64_t position);

  uint64_t Next();                          // 64 random bits
  double Uniform(double low, double high);  // in [low, high), from 53 bits

 private:
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> block_{};
  int used_ = 4;  // words of block_ that were handed out
};

}  // namespace headrace::data
