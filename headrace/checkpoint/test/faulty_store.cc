#include "headrace/checkpoint/test/faulty_store.h"

namespace headrace::checkpoint {

template <class Operation>
auto FaultyStore::Run(bool writes, Operation operation) -> decltype(operation()) {
  int64_t number = ++count_;
  bool now = number == at_, since = number >= at_, before = number < at_;
  auto failure = [&] { return Error(Code::kUnavailable, "operation {} failed", number); };
  switch (fault_) {
    case Fault::kFails:
      if (now) return failure();
      break;
    case Fault::kAnswerLost:
      if (now) {
        (void)operation();
        return failure();
      }
      break;
    case Fault::kCrash:
      if (since) return failure();
      break;
    case Fault::kCrashAfter:
      if (now) (void)operation();
      if (since) return failure();
      break;
    case Fault::kFull:
      if (!before && writes) return Error(Code::kResourceExhausted, "no space left");
      break;
  }
  return operation();
}

class FaultyStore::FaultyWriter final : public io::Writer {
 public:
  FaultyWriter(FaultyStore& store, std::unique_ptr<io::Writer> inner)
      : store_(store), inner_(std::move(inner)) {}
  Status Append(io::Bytes bytes) override {
    return Sticky([&] { return store_.Run(true, [&] { return inner_->Append(bytes); }); });
  }
  Status Commit() override {
    return Sticky([&] { return store_.Run(true, [&] { return inner_->Commit(); }); });
  }

 private:
  template <class Operation>
  Status Sticky(Operation operation) {
    if (error_.ok()) error_ = operation();
    return error_;
  }

  FaultyStore& store_;
  std::unique_ptr<io::Writer> inner_;
  Status error_;
};

Result<io::Blob> FaultyStore::Read(std::string_view key) {
  return Run(false, [&] { return inner_.Read(key); });
}

Result<io::Blob> FaultyStore::ReadRange(std::string_view key, int64_t offset, int64_t size) {
  return Run(false, [&] { return inner_.ReadRange(key, offset, size); });
}

Status FaultyStore::Write(std::string_view key, io::Bytes bytes, io::WriteIf condition) {
  return Run(true, [&] { return inner_.Write(key, bytes, condition); });
}

Result<std::unique_ptr<io::Writer>> FaultyStore::Create(std::string_view key, io::WriteIf condition) {
  return Run(true, [&]() -> Result<std::unique_ptr<io::Writer>> {
    HR_TRY(auto inner, inner_.Create(key, condition));
    return std::unique_ptr<io::Writer>(std::make_unique<FaultyWriter>(*this, std::move(inner)));
  });
}

Result<int64_t> FaultyStore::Size(std::string_view key) {
  return Run(false, [&] { return inner_.Size(key); });
}

Result<std::vector<io::Entry>> FaultyStore::List(std::string_view prefix) {
  return Run(false, [&] { return inner_.List(prefix); });
}

Status FaultyStore::Delete(std::string_view key) {
  return Run(false, [&] { return inner_.Delete(key); });
}

}  // namespace headrace::checkpoint
