// FaultyStore: a Store in which one chosen operation goes wrong, for tests that enumerate them all.
#pragma once

#include <atomic>
#include <memory>

#include "headrace/io/store.h"

namespace headrace::checkpoint {

enum class Fault {
  kFails,       // the operation does nothing and reports an error; the next ones work
  kAnswerLost,  // the operation takes place, and reports an error all the same
  kCrash,       // the operation does nothing, and neither does anything after it
  kCrashAfter,  // the operation takes place, and nothing after it
  kFull,        // from this operation on nothing can be written
};

class FaultyStore final : public io::Store {
 public:
  // Operation `at`, counted from 1, goes wrong. `inner` outlives the store.
  FaultyStore(io::Store& inner, Fault fault, int64_t at) : inner_(inner), fault_(fault), at_(at) {}

  // How many operations there have been.
  int64_t count() const { return count_; }

  std::string Name() const override { return inner_.Name(); }
  Result<io::Blob> Read(std::string_view key) override;
  Result<io::Blob> ReadRange(std::string_view key, int64_t offset, int64_t size) override;
  Status Write(std::string_view key, io::Bytes bytes, io::WriteIf condition) override;
  Result<std::unique_ptr<io::Writer>> Create(std::string_view key, io::WriteIf condition) override;
  Result<int64_t> Size(std::string_view key) override;
  Result<std::vector<io::Entry>> List(std::string_view prefix) override;
  Status Delete(std::string_view key) override;
  std::optional<std::string> LocalPath(std::string_view key) const override { return inner_.LocalPath(key); }

 private:
  class FaultyWriter;

  // Runs one operation, or not, as the fault wants it.
  template <class Operation>
  auto Run(bool writes, Operation operation) -> decltype(operation());

  io::Store& inner_;
  const Fault fault_;
  const int64_t at_;
  std::atomic<int64_t> count_ = 0;
};

}  // namespace headrace::checkpoint
