#include "headrace/io/memory_store.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "headrace/io/internal/aligned_memory.h"
#include "headrace/io/internal/key.h"

namespace headrace::io {

struct MemoryStore::Values {
  std::mutex mutex;
  std::map<std::string, Blob, std::less<>> blobs;
};

class MemoryStore::BufferWriter final : public Writer {
 public:
  BufferWriter(MemoryStore store, std::string key, WriteIf condition)
      : store_(std::move(store)), key_(std::move(key)), condition_(condition) {}

  Status Append(Bytes bytes) override {
    buffer_.append(AsText(bytes));
    return Ok();
  }
  Status Commit() override { return store_.Write(key_, AsBytes(buffer_), condition_); }

 private:
  MemoryStore store_;  // shares the values
  std::string key_;
  WriteIf condition_;
  std::string buffer_;
};

MemoryStore::MemoryStore(std::string name) : MemoryStore(std::move(name), std::make_shared<Values>()) {}
MemoryStore::MemoryStore(std::string name, std::shared_ptr<Values> values)
    : name_(std::move(name)), values_(std::move(values)) {}

std::string MemoryStore::Name() const { return name_; }

Result<Blob> MemoryStore::Read(std::string_view key) {
  HR_TRY(CheckKey(key));
  std::lock_guard lock(values_->mutex);
  const auto found = values_->blobs.find(key);
  if (found == values_->blobs.end()) {
    return Error(Code::kNotFound, "reading {}/{}: nothing is stored under this key; check it", name_, key);
  }
  return found->second;
}

Result<Blob> MemoryStore::ReadRange(std::string_view key, int64_t offset, int64_t size) {
  HR_TRY(Blob blob, Read(key));
  HR_TRY(CheckRange(fmt::format("{}/{}", name_, key), offset, size, static_cast<int64_t>(blob.bytes.size())));
  blob.bytes = blob.bytes.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
  return blob;
}

Status MemoryStore::Write(std::string_view key, Bytes bytes, WriteIf condition) {
  HR_TRY(CheckKey(key));
  Blob blob = CopyToBlob(bytes);
  std::lock_guard lock(values_->mutex);
  if (condition == WriteIf::kAbsent && values_->blobs.contains(key)) {
    return Error(Code::kAlreadyExists, "writing {}/{}: it exists already", name_, key);
  }
  values_->blobs.insert_or_assign(std::string(key), std::move(blob));
  return Ok();
}

Result<std::unique_ptr<Writer>> MemoryStore::Create(std::string_view key, WriteIf condition) {
  HR_TRY(CheckKey(key));
  return std::unique_ptr<Writer>(std::make_unique<BufferWriter>(*this, std::string(key), condition));
}

Result<int64_t> MemoryStore::Size(std::string_view key) {
  HR_TRY(const Blob blob, Read(key));
  return static_cast<int64_t>(blob.bytes.size());
}

Result<std::vector<Entry>> MemoryStore::List(std::string_view prefix) {
  HR_TRY(CheckPrefix(prefix));
  std::vector<Entry> entries;
  std::lock_guard lock(values_->mutex);
  for (auto at = values_->blobs.lower_bound(prefix); at != values_->blobs.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    entries.push_back({at->first, static_cast<int64_t>(at->second.bytes.size())});
  }
  return entries;
}

Status MemoryStore::Delete(std::string_view key) {
  HR_TRY(CheckKey(key));
  std::lock_guard lock(values_->mutex);
  if (const auto found = values_->blobs.find(key); found != values_->blobs.end()) values_->blobs.erase(found);
  return Ok();
}

std::optional<std::string> MemoryStore::LocalPath(std::string_view) const { return std::nullopt; }

Result<std::unique_ptr<Store>> OpenMemoryStore(std::string_view url) {
  static std::mutex mutex;
  static std::map<std::string, MemoryStore, std::less<>> stores;
  if (url == "mem://") return InvalidArgument("'mem://' has no name; write mem://NAME");
  std::lock_guard lock(mutex);
  auto found = stores.find(url);
  if (found == stores.end()) found = stores.emplace(url, MemoryStore(std::string(url))).first;
  return std::unique_ptr<Store>(std::make_unique<MemoryStore>(found->second));
}

}  // namespace headrace::io
