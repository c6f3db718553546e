// MemoryStore: a Store in this process's memory, for tests and for what need not outlive the process. Copies
// share their values.
#pragma once

#include "headrace/io/store.h"

namespace headrace::io {

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(std::string name);

  std::string Name() const override;
  Result<Blob> Read(std::string_view key) override;
  Result<Blob> ReadRange(std::string_view key, int64_t offset, int64_t size) override;
  Status Write(std::string_view key, Bytes bytes, WriteIf condition = WriteIf::kAlways) override;
  Result<std::unique_ptr<Writer>> Create(std::string_view key, WriteIf condition = WriteIf::kAlways) override;
  Result<int64_t> Size(std::string_view key) override;
  Result<std::vector<Entry>> List(std::string_view prefix) override;
  Status Delete(std::string_view key) override;
  std::optional<std::string> LocalPath(std::string_view key) const override;

 private:
  struct Values;
  class BufferWriter;
  MemoryStore(std::string name, std::shared_ptr<Values> values);

  std::string name_;
  std::shared_ptr<Values> values_;
};

// mem://NAME: every store of that name in this process holds the same values.
Result<std::unique_ptr<Store>> OpenMemoryStore(std::string_view url);

}  // namespace headrace::io
