// WriterClaim: who writes a folder, and whether they may still be doing so.
//
// Every save claims its folder by creating state/writer.txt, which exactly one of several racing writers can.
// A folder that was never committed is a leftover; it may be removed once its writer is known to be dead, or
// has been silent for so long that nobody waits for it.
//
//   HR_TRY(store.Write(folder + "/state/writer.txt", io::AsBytes(ToText(claim)), io::WriteIf::kAbsent));
//   if (Judge(other, me, now) == Liveness::kDead) …
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/core/status.h"

namespace headrace::checkpoint {

inline constexpr std::string_view kClaimFile = "state/writer.txt";

struct WriterClaim {
  std::string host;           // for people
  std::string machine;        // one boot and process namespace: process ids mean something only inside it
  int64_t process = 0;        // its id
  int64_t process_start = 0;  // in clock ticks since boot: ids are used again
  std::string instance;       // one CheckpointStore
  double time = 0;            // of the claim, in seconds since 1970

  // Of this process, with a new instance.
  static WriterClaim Here();
  bool operator==(const WriterClaim&) const = default;
};

std::string ToText(const WriterClaim& claim);
// kDataLoss if it is no claim; `source` is what the error calls it.
Result<WriterClaim> ParseClaim(std::string_view text, std::string_view source);

enum class Liveness { kAlive, kDead, kUnknown };

// What `me` knows of another instance's writer: dead if its process is gone, or if it claimed more than a day
// ago on a machine that cannot be looked at.
Liveness Judge(const WriterClaim& other, const WriterClaim& me, double now);

}  // namespace headrace::checkpoint
