// Store: named bytes somewhere (a folder, memory, an object store), with the guarantees a checkpoint needs.
//
// Keys are relative, '/'-separated, never empty, never with an empty part, "." or ".." as a part, and no key
// is a folder of another; anything else is kInvalidArgument. A Write is all or nothing and durable when it
// returns: on files it is a temporary file, fsync, rename and fsync of the folder; on object stores one
// upload. There is no rename and no append, since object stores have neither (logs append with log_file.h).
// Every Store is safe to use from any thread. Every implementation passes the one suite in store_suite.h.
//
//   HR_TRY(std::unique_ptr<Store> store, OpenStore("runs/mnist"));
//   HR_TRY(store->Write("summary.json", AsBytes(text)));
//   HR_TRY(std::string back, store->ReadText("summary.json"));
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/io/bytes.h"

namespace headrace::io {

struct Entry {
  std::string key;
  int64_t size = 0;
};

// When a Write may take place.
enum class WriteIf {
  kAlways,
  kAbsent,  // only if the key does not exist yet; else kAlreadyExists. Exactly one of several racing writers
            // wins.
};

// Bytes written piece by piece; nothing is visible under the key before Commit, and a writer that is
// destroyed without it leaves nothing behind. After an error every further call repeats it, so that a broken
// value is never committed. Not thread-safe.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual Status Append(Bytes bytes) = 0;
  // REQUIRES: not committed before
  virtual Status Commit() = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  // What messages call this place: "runs/mnist", "gs://bucket/prefix".
  virtual std::string Name() const = 0;

  // The whole value, mapped where that is possible. kNotFound if there is none. Memory that is not a mapping
  // is 64-byte aligned.
  virtual Result<Blob> Read(std::string_view key) = 0;
  // `size` bytes from `offset`; kOutOfRange, with the real size, if the value is shorter.
  virtual Result<Blob> ReadRange(std::string_view key, int64_t offset, int64_t size) = 0;
  virtual Status Write(std::string_view key, Bytes bytes, WriteIf condition = WriteIf::kAlways) = 0;
  virtual Result<std::unique_ptr<Writer>> Create(std::string_view key,
                                                 WriteIf condition = WriteIf::kAlways) = 0;
  // Size in bytes; kNotFound if there is none.
  virtual Result<int64_t> Size(std::string_view key) = 0;
  // Every key that starts with `prefix`, at any depth, sorted by bytes.
  virtual Result<std::vector<Entry>> List(std::string_view prefix) = 0;
  // Removes one key, durably; absent is fine.
  virtual Status Delete(std::string_view key) = 0;
  // Where this key lies in the local file system, for libraries that only take paths; nothing elsewhere.
  virtual std::optional<std::string> LocalPath(std::string_view key) const = 0;

  // The whole value as a string of its own.
  Result<std::string> ReadText(std::string_view key);
};

// Opens the place that `url` names: a path or file://, mem://NAME (shared by every store of that name in this
// process). A local folder is made when it is first written to. Unknown schemes are kUnimplemented, naming
// what is known.
Result<std::unique_ptr<Store>> OpenStore(std::string_view url);

// The value at `url`, a local path or a store's URL with the key behind it (mem://NAME/KEY), as Read.
Result<Blob> ReadFile(std::string_view url);

}  // namespace headrace::io
