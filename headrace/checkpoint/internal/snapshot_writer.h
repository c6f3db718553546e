// WriteSnapshot: writes the files of a checkpoint, all but its manifest.
#pragma once

#include <string>

#include "headrace/checkpoint/manifest.h"
#include "headrace/checkpoint/snapshot.h"
#include "headrace/io/store.h"

namespace headrace::checkpoint {

// Writes model/ and state/ under `folder`, which nobody else writes, files of at most about `max_file_bytes`.
// Returns the manifest that commits them, `created` still empty.
Result<Manifest> WriteSnapshot(io::Store& store, const std::string& folder, const Snapshot& snapshot,
                               int64_t max_file_bytes);

}  // namespace headrace::checkpoint
