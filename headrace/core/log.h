// Logger: how a library tells what it is doing, without knowing where that goes.
//
// A Logger is a value, cheap to copy; it is handed to whoever may have something to say, and hands each
// record to its sink. One made without a sink drops everything. A sink is called from whatever thread logs,
// and makes itself safe. There is no logger for the whole process.
//
//   logger.Info("checkpoint saved", {{"step", 600}, {"seconds", 0.31}});
//   logger.Warning("no data for 10 s; the input is slower than the device", {{"step", 7}});
#pragma once

#include <fmt/core.h>

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace headrace {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

std::string_view Name(LogLevel level);  // "debug", "info", "warning", "error"

struct LogField {
  template <class T>
  LogField(std::string_view key, const T& value) : key(key), value(fmt::format("{}", value)) {}

  std::string_view key;
  std::string value;
};

// Valid during the call of the sink.
struct LogRecord {
  LogLevel level;
  std::string_view message;
  std::span<const LogField> fields;

  // "checkpoint saved step=600 seconds=0.31"; values that hold spaces, quotes or line ends are quoted.
  std::string ToString() const;
};

class Logger {
 public:
  using Sink = std::function<void(const LogRecord&)>;
  using Fields = std::initializer_list<LogField>;

  Logger() = default;
  // Passes on records of `least` and above.
  explicit Logger(Sink sink, LogLevel least = LogLevel::kInfo) : sink_(std::move(sink)), least_(least) {}

  // Whether a record of this level goes anywhere: ask before work that is only done to be logged.
  bool Passes(LogLevel level) const { return sink_ && level >= least_; }
  void Log(LogLevel level, std::string_view message, std::span<const LogField> fields) const;

  void Debug(std::string_view message, Fields fields = {}) const { Log(LogLevel::kDebug, message, fields); }
  void Info(std::string_view message, Fields fields = {}) const { Log(LogLevel::kInfo, message, fields); }
  void Warning(std::string_view message, Fields fields = {}) const {
    Log(LogLevel::kWarning, message, fields);
  }
  void Error(std::string_view message, Fields fields = {}) const { Log(LogLevel::kError, message, fields); }

 private:
  Sink sink_;
  LogLevel least_ = LogLevel::kInfo;
};

}  // namespace headrace
