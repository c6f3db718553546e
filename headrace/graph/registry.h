// The registry of ops: every op by name, and ops as text. Filled at start-up, then constant.
//
//   HR_TRY(std::shared_ptr<const Op> op, ParseOp("transpose {permutation = [1, 0]}"));
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/graph/op.h"

namespace headrace {

// Names of all ops, sorted.
std::vector<std::string> OpNames();

// A new op with its default attributes; null for an unknown name.
std::unique_ptr<Op> MakeOp(std::string_view name);

// Reads back what Op::ToString writes; attributes that are left out keep their defaults. (Constants with
// tensors and ops with functions have no text to read back: kUnimplemented.)
Result<std::shared_ptr<const Op>> ParseOp(std::string_view text);

// ---- for the files in ops/ ----

using OpFactory = std::function<std::unique_ptr<Op>()>;
struct OpEntry {
  std::string_view name;
  OpFactory make;
};

// Entries for op structs with default attributes; each file in ops/ defines one function that returns its
// entries, and registry.cc lists those functions.
//   std::vector<OpEntry> ShapeOps() { return EntriesOf<BroadcastInDimOp, ReshapeOp, TransposeOp>(); }
template <class... Ts>
std::vector<OpEntry> EntriesOf() {
  return {OpEntry{Ts::kName, [] { return std::unique_ptr<Op>(std::make_unique<Ts>()); }}...};
}

}  // namespace headrace
