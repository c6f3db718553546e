#include "headrace/tensor/internal/npy_header.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <vector>

namespace headrace {
namespace {

struct Row {
  DType dtype;
  std::string_view descr;
};

constexpr Row kRows[] = {
    {DType::kPred, "|b1"}, {DType::kI8, "|i1"},    {DType::kI16, "<i2"}, {DType::kI32, "<i4"},
    {DType::kI64, "<i8"},  {DType::kU8, "|u1"},    {DType::kU16, "<u2"}, {DType::kU32, "<u4"},
    {DType::kU64, "<u8"},  {DType::kF16, "<f2"},   {DType::kF32, "<f4"}, {DType::kF64, "<f8"},
    {DType::kC64, "<c8"},  {DType::kC128, "<c16"},
};

constexpr int kMostDimensions = 64;  // numpy's own limit

Result<DType> ParseDescr(std::string_view descr) {
  for (const Row& row : kRows) {
    // Of one byte there is no byte order, and any mark of it is as good.
    const bool same = row.descr == descr ||
                      (row.descr[0] == '|' && descr.size() == row.descr.size() &&
                       std::string_view("|<>=").contains(descr[0]) && descr.substr(1) == row.descr.substr(1));
    if (same) return row.dtype;
  }
  constexpr auto kCode = Code::kUnimplemented;
  if (descr.starts_with('>')) {
    return Error(kCode, "the numbers are big-endian ('{}'); save a.astype(a.dtype.newbyteorder('<'))", descr);
  }
  if (descr.contains('V') || descr == "<f1") {
    return Error(kCode,
                 "the type '{}' is what numpy makes of bfloat16 and float8 and does not say which; save "
                 "a.astype('float32') instead, or use safetensors",
                 descr);
  }
  if (descr.contains('O')) return Error(kCode, "the array holds Python objects; save an array of numbers");
  return Error(kCode, "the type '{}' is not supported; save bools, integers, floats or complex numbers",
               descr);
}

// Reads the one kind of dictionary that numpy writes.
class DictionaryParser {
 public:
  explicit DictionaryParser(std::string_view text) : rest_(text) {}

  Result<NpyHeader> Parse() {
    NpyHeader header;
    std::set<std::string> seen;
    HR_TRY(Expect('{'));
    while (!Take('}')) {
      HR_TRY(const std::string key, String());
      if (!seen.insert(key).second) return Broken(fmt::format("the key '{}' comes twice", key));
      HR_TRY(Expect(':'));
      HR_TRY(Value(key, header));
      if (!Take(',')) {
        HR_TRY(Expect('}'));
        break;
      }
    }
    SkipSpace();
    if (!rest_.empty()) return Broken("something follows the dictionary");
    if (seen.size() != 3) return Broken("it does not hold descr, fortran_order and shape");
    return header;
  }

 private:
  static Status Broken(std::string_view why) {
    return Error(Code::kDataLoss, "the header is not numpy's ({}); the file is damaged", why);
  }

  Status Value(const std::string& key, NpyHeader& header) {
    if (key == "descr") {
      if (Take('[')) {
        return Error(Code::kUnimplemented,
                     "the array has named fields; save each field as an array of its own");
      }
      HR_TRY(const std::string descr, String());
      HR_TRY(header.type.dtype, ParseDescr(descr));
      return Ok();
    }
    if (key == "fortran_order") {
      header.fortran_order = TakeWord("True");
      return header.fortran_order || TakeWord("False") ? Ok()
                                                       : Broken("fortran_order is neither True nor False");
    }
    if (key == "shape") {
      HR_TRY(header.type.shape, Tuple());
      return Ok();
    }
    return Broken(fmt::format("it has the key '{}'", key));
  }

  Result<Shape> Tuple() {
    std::vector<int64_t> dims;
    HR_TRY(Expect('('));
    while (!Take(')')) {
      HR_TRY(const int64_t dim, Size());
      dims.push_back(dim);
      if (!Take(',')) {
        HR_TRY(Expect(')'));
        break;
      }
    }
    return Shape(std::move(dims));
  }

  Result<int64_t> Size() {
    SkipSpace();
    int64_t size = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
    if (error != std::errc() || size < 0) return Broken("a size in shape is not a whole number");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // a long of Python 2
    return size;
  }

  Result<std::string> String() {
    SkipSpace();
    const char quote = rest_.empty() ? ' ' : rest_[0];
    if (quote != '\'' && quote != '"') return Broken("a string is missing");
    const size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return Broken("a string does not end");
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  Status Expect(char c) { return Take(c) ? Ok() : Broken(fmt::format("'{}' is missing", c)); }
  bool Take(char c) { return TakeWord({&c, 1}); }
  bool TakeWord(std::string_view word) {
    SkipSpace();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void SkipSpace() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }

  std::string_view rest_;
};

}  // namespace

Result<NpyHeader> ParseNpyHeader(std::string_view text) { return DictionaryParser(text).Parse(); }

Result<std::string> FormatNpyHeader(const TensorType& type) {
  if (type.shape.rank() > kMostDimensions) {
    return InvalidArgument("numpy holds at most {} dimensions, and this array has {}; reshape it",
                           kMostDimensions, type.shape.rank());
  }
  const auto row = std::ranges::find(kRows, type.dtype, &Row::dtype);
  if (row == std::end(kRows)) {
    return Error(Code::kUnimplemented,
                 "numpy has no type {}; convert the tensor to f32 first, or use safetensors",
                 Name(type.dtype));
  }
  return fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", row->descr,
                     fmt::join(type.shape, ", "), type.shape.rank() == 1 ? "," : "");
}

}  // namespace headrace
