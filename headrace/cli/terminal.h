// Terminal: where a command's words go. Results go to Out, everything else to Err; styled only for eyes.
//
// Not thread-safe. Text is written through; what could not be written (a full disk) comes out of Flush.
//
//   terminal.Out("{}  {}\n", terminal.Bold("cpu"), path);
//   terminal.Err("{}\n", "fetching …");
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "headrace/core/status.h"

namespace headrace::cli {

class Terminal {
 public:
  struct Style {
    bool out = false;  // whether to colour what goes to `out`
    bool err = false;
  };
  // Borrows both streams.
  Terminal(std::FILE* out, std::FILE* err, Style style) : out_(out), err_(err), style_(style) {}

  template <class... Args>
  void Out(fmt::format_string<Args...> text, Args&&... args) {
    Write(out_, fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  void Err(fmt::format_string<Args...> text, Args&&... args) {
    Write(err_, fmt::format(text, std::forward<Args>(args)...));
  }

  // "error: <message>" on Err.
  void Error(std::string_view message);

  // Whether what goes to Out is coloured.
  bool styled() const { return style_.out; }

  // For Out.
  std::string Bold(std::string_view text) const;
  std::string Green(std::string_view text) const;
  std::string Yellow(std::string_view text) const;
  std::string Red(std::string_view text) const;
  std::string Dim(std::string_view text) const;

  // kDataLoss if any of Out was lost.
  Status Flush();

 private:
  void Write(std::FILE* stream, std::string_view text);

  std::FILE* out_;
  std::FILE* err_;
  Style style_;
  int lost_ = 0;  // errno of the first write to `out` that failed
};

// Whether text that goes to `stream` should be coloured: it is a terminal that understands that, and NO_COLOR
// is not set (no-color.org).
bool WantsColor(std::FILE* stream);

}  // namespace headrace::cli
