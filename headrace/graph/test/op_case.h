// OpCase: one use of one op with the types of its operands, read from testdata/cases. For tests only.
//
// A case is a block of lines; tools/reference/ops.py draws its operands and computes what JAX makes of them:
//
//   case gather_rows
//   op gather {…}
//   in f32[5, 3]                       # normal; else: uniform LOW HIGH, integers LOW HIGH, values …
//   in i32[4] integers 0 5
//   without differences: a reason      # or gradient, or batching
//   tolerance 1e-4: a reason
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "headrace/graph/op_text.h"
#include "headrace/graph/registry.h"

namespace headrace {

inline constexpr std::string_view kCaseFolder = "headrace/graph/testdata/cases";

struct OpCase {
  std::string file;  // without folder and ending: "slice"
  std::string name;
  std::string op_text;
  std::shared_ptr<const Op> op;
  Types operands;
  std::map<std::string, std::string> without;  // what is not tested, with the reason
  double tolerance = 0;                        // 0: the usual one of the element type

  bool Tests(const std::string& what) const { return !without.contains(what); }

  // Whether cotangents of its results have somewhere to go, and the case does not leave them out.
  bool HasGradient() const {
    auto is_inexact = [](const TensorType& type) { return IsInexact(type.dtype); };
    return Tests("gradient") && std::ranges::any_of(operands, is_inexact) &&
           std::ranges::any_of(op->Infer(operands), is_inexact);
  }
};

inline void PrintTo(const OpCase& op_case, std::ostream* out) { *out << op_case.op_text; }

inline std::string OpCaseName(const OpCase& op_case) { return op_case.file + "_" + op_case.name; }

namespace internal {

inline void ReadCaseLine(const std::string& line, std::vector<OpCase>& cases, const std::string& file) {
  const size_t space = line.find(' ');
  const std::string word = line.substr(0, space);
  const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
  if (word == "case") {
    cases.push_back({.file = file, .name = rest});
    return;
  }
  OpCase& op_case = cases.at(cases.size() - 1);
  const size_t colon = rest.find(": ");
  const bool has_reason = colon != std::string::npos && colon + 2 < rest.size();
  if (word == "op") {
    op_case.op_text = rest;
    auto op = ParseOp(rest);
    if (!op.ok()) throw std::runtime_error(op.status().ToString());
    op_case.op = *op;
  } else if (word == "in") {
    auto type = ParseTensorType(rest.substr(0, rest.find(']') + 1));
    if (!type.ok()) throw std::runtime_error(type.status().ToString());
    op_case.operands.push_back(*type);
  } else if (word == "without" && has_reason) {
    op_case.without[rest.substr(0, colon)] = rest.substr(colon + 2);
  } else if (word == "tolerance" && has_reason) {
    op_case.tolerance = std::stod(rest);
  } else {
    throw std::runtime_error("not a line of a case");
  }
}

}  // namespace internal

// The cases of all files that `include` takes. Throws std::runtime_error, naming file and line, for what is
// not a case.
inline std::vector<OpCase> ReadOpCases(const std::function<bool(const OpCase&)>& include = {}) {
  std::vector<OpCase> cases;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCaseFolder)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    std::ifstream lines(path);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      line.erase(std::min(line.find('#'), line.size()));
      line.erase(line.find_last_not_of(" \t") + 1);
      if (line.empty()) continue;
      try {
        internal::ReadCaseLine(line, cases, path.stem().string());
      } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("{}:{}: {}", path.string(), number, error.what()));
      }
    }
  }
  if (include) std::erase_if(cases, [&](const OpCase& op_case) { return !include(op_case); });
  return cases;
}

}  // namespace headrace
