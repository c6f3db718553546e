// LogFile: a local file that grows by whole lines or records (metrics.jsonl, event files). Object stores
// cannot append, so this is not part of Store.
//
// A process that dies while it appends can leave half a line; whoever opens the log again says how much of it
// to keep, and the rest is cut off. An append that fails (full disk) takes back what it wrote, so that the
// file stays whole. Safe to use from any thread.
//
//   HR_TRY(auto log, LogFile::Open("runs/mnist/metrics.jsonl", WholeLines));
//   HR_TRY(log->Append(AsBytes("{\"step\": 10}\n")));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "headrace/core/status.h"
#include "headrace/io/file_system.h"

namespace headrace::io {

// Says of a log's present bytes how many, from the front, to keep.
using KeepLength = std::function<Result<int64_t>(Bytes)>;

// Up to and with the last '\n'.
Result<int64_t> WholeLines(Bytes log);
// Up to the first record (record.h) that is cut short or damaged.
Result<int64_t> WholeRecords(Bytes log);
// Nothing: begin anew.
Result<int64_t> KeepNothing(Bytes log);

class LogFile {
 public:
  // Opens `path`, making it and its folders where they are missing. What exists is cut to `keep` of it.
  // Something that is not a regular file (a pipe, /dev/null) is only appended to.
  static Result<std::unique_ptr<LogFile>> Open(std::string path, const KeepLength& keep,
                                               FileSystem& files = RealFileSystem());
  ~LogFile();

  // Appends one or several whole lines or records: visible to other processes when it returns, and there
  // after this process is killed. On an error nothing of `bytes` is in the file.
  Status Append(Bytes bytes);
  // Makes everything appended so far survive a power cut.
  Status Flush();

  const std::string& path() const { return path_; }
  // Bytes kept and appended.
  int64_t size() const;

 private:
  LogFile(std::string path, FileSystem& files, int fd);
  Status CutTo(const KeepLength& keep);
  Status Repair();

  const std::string path_;
  FileSystem& files_;
  const int fd_;
  mutable std::mutex mutex_;
  bool regular_ = true;  // or a pipe, a terminal, a device: nothing can be cut there
  int64_t size_ = 0;     // bytes that are whole
  bool torn_ = false;    // whether the file holds more than those
};

}  // namespace headrace::io
