// CompileOptions: what a program is compiled for.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "headrace/core/status.h"

namespace headrace::runtime {

struct CompileOptions {
  int num_replicas = 1;
  int num_partitions = 1;  // the devices over which one replica is sharded (SPMD)
  // Shardy (sdy.mesh, sdy.sharding) decides how; otherwise GSPMD does (mhlo.sharding).
  bool use_shardy = true;
  // Ids of the devices to run on, [num_replicas, num_partitions] row-major; empty leaves it to the plugin.
  std::vector<int64_t> device_ids;

  // XLA's own debug options for this one program, over what XLA_FLAGS says: {"xla_cpu_enable_fast_math",
  // false}.
  struct Override {
    std::string name;
    std::variant<std::string, bool, int64_t, double> value;
  };
  std::vector<Override> overrides;

  Status Validate() const;
  // As a serialized xla.CompileOptionsProto. REQUIRES: Validate() is OK. Equal options give equal bytes.
  std::string Serialize() const;
};

}  // namespace headrace::runtime
