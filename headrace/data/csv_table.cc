#include "headrace/data/csv_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "headrace/core/config.h"

namespace headrace::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr int kExactDigits = 7;  // whole numbers of so many digits are exact in f32

// The text line by line, blank ones left out.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // Moves to the next line; false at the end.
  bool Next() {
    while (!rest_.empty()) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      if (line_.find_first_not_of(" \t") != std::string_view::npos) return true;
    }
    return false;
  }
  std::string_view line() const { return line_; }
  int64_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  int64_t number_ = 0;
};

// A cell without the spaces and quotes around it.
std::string_view Trimmed(std::string_view cell) {
  const size_t begin = cell.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  cell = cell.substr(begin, cell.find_last_not_of(" \t") + 1 - begin);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  return cell;
}

// The cell as a number; nothing unless all of it is one that is finite.
std::optional<double> ParseNumber(std::string_view cell) {
  cell = Trimmed(cell);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.begin(), cell.end(), value);
  if (error != std::errc() || end != cell.end() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// The cell as a message shows it: printable and short.
std::string Shown(std::string_view cell) {
  constexpr size_t kMost = 32;
  std::string shown(cell.substr(0, kMost));
  std::ranges::replace_if(shown, [](char c) { return c >= 0 && (c < ' ' || c == 127); }, '?');
  return cell.size() > kMost ? shown + "…" : shown;
}

std::vector<std::string_view> SplitCells(std::string_view line, char delimiter) {
  std::vector<std::string_view> cells;
  for (;;) {
    const size_t end = line.find(delimiter);
    cells.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

class TableParser {
 public:
  TableParser(std::string_view text, std::string_view name, const CsvLayout& layout)
      : text_(text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text),
        name_(name),
        layout_(layout),
        lines_(text_) {}

  Result<CsvTable> Parse();

 private:
  Status ReadFirstLine();  // sets header_, columns_ and label_
  Status FindLabel();
  Status ReadRow();
  Status ReadCell(std::string_view cell, int64_t column);
  Status ReadLabel(double value, int64_t column);
  std::string Where(int64_t column) const;

  std::string_view text_;
  std::string_view name_;
  const CsvLayout& layout_;
  Lines lines_;

  std::vector<std::string> header_;
  int64_t columns_ = 0;
  int64_t label_ = -1;  // -1: there is none
  std::vector<float> features_;
  std::vector<int32_t> labels_;
  std::vector<int64_t> numbers_;
};

Result<CsvTable> TableParser::Parse() {
  if (!lines_.Next()) return InvalidArgument("{} is empty", name_);
  HR_TRY(ReadFirstLine());
  features_.reserve((text_.size() + 1) / 2);  // a cell and what ends it take two characters or more
  bool more = header_.empty() || lines_.Next();
  for (; more; more = lines_.Next()) HR_TRY(ReadRow());
  if (numbers_.empty()) return InvalidArgument("{} holds a header, but no rows", name_);

  const auto rows = static_cast<int64_t>(numbers_.size());
  const int64_t width = columns_ - (label_ >= 0 ? 1 : 0);
  if (width == 0) return InvalidArgument("{} has no column beside the label", name_);
  auto features = std::make_shared<std::vector<float>>(std::move(features_));
  features->shrink_to_fit();
  CsvTable table{.header = std::move(header_), .lines = std::move(numbers_)};
  table.features = HostTensor({DType::kF32, {rows, width}}, std::as_bytes(std::span(*features)), features);
  if (label_ >= 0) table.labels = HostTensor::Of<int32_t>({rows}, labels_);
  return table;
}

Status TableParser::ReadFirstLine() {
  const std::vector<std::string_view> cells = SplitCells(lines_.line(), layout_.delimiter);
  columns_ = static_cast<int64_t>(cells.size());
  const auto is_number = [](std::string_view cell) { return ParseNumber(cell).has_value(); };
  const bool named = layout_.header == CsvHeader::kYes ||
                     (layout_.header == CsvHeader::kAuto && std::ranges::none_of(cells, is_number));
  if (named) {
    for (std::string_view cell : cells) header_.emplace_back(Trimmed(cell));
  }
  return FindLabel();
}

Status TableParser::FindLabel() {
  if (!layout_.label) return Ok();
  const std::string& label = *layout_.label;
  int64_t index = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), index);
  if (error == std::errc() && end == label.data() + label.size()) {
    if (index < -columns_ || index >= columns_) {
      return InvalidArgument(
          "{} has {} columns, so the label's column is one of 0 to {}, or -1 to -{} from "
          "the end, not {}",
          name_, columns_, columns_ - 1, columns_, index);
    }
    label_ = index < 0 ? index + columns_ : index;
    return Ok();
  }
  const auto found = std::ranges::find(header_, label);
  if (found != header_.end()) {
    label_ = found - header_.begin();
    return Ok();
  }
  if (header_.empty()) {
    return InvalidArgument("{} has no header, so the label's column is a number, not '{}'", name_, label);
  }
  const std::optional<std::string> nearest = config::Nearest(label, header_);
  return InvalidArgument("{} has no column '{}'{}", name_, label,
                         nearest ? fmt::format("; did you mean '{}'?", *nearest) : "");
}

Status TableParser::ReadRow() {
  const std::string_view line = lines_.line();
  const char* at = line.data();
  const char* const end = at + line.size();
  for (int64_t column = 0; column < columns_; ++column) {
    const char* const cell = at;
    uint32_t digits = 0;
    while (at != end && at - cell < kExactDigits && *at >= '0' && *at <= '9')
      digits = digits * 10 + (*at++ - '0');
    if (at != cell && column != label_ && (at == end || *at == layout_.delimiter)) {
      features_.push_back(static_cast<float>(digits));
    } else {
      at = std::find(at, end, layout_.delimiter);
      HR_TRY(ReadCell({cell, at}, column));
    }
    if (at == end) {
      if (column + 1 < columns_) break;
      numbers_.push_back(lines_.number());
      return Ok();
    }
    ++at;
  }
  return InvalidArgument("{}, row {}: {} cells, expected {} as in the first row", name_, lines_.number(),
                         std::ranges::count(line, layout_.delimiter) + 1, columns_);
}

Status TableParser::ReadCell(std::string_view cell, int64_t column) {
  const std::optional<double> value = ParseNumber(cell);
  if (!value) {
    if (Trimmed(cell).empty()) return InvalidArgument("{}: the cell is empty", Where(column));
    // A first row of which only some cells are numbers is as likely a header as a broken row.
    const bool maybe_header = numbers_.empty() && header_.empty() && layout_.header == CsvHeader::kAuto;
    return InvalidArgument("{}: '{}' is not a finite number{}", Where(column), Shown(Trimmed(cell)),
                           maybe_header ? "; if this row holds the names of columns, set header: yes" : "");
  }
  if (column == label_) return ReadLabel(*value, column);
  const auto narrowed = static_cast<float>(*value);
  if (!std::isfinite(narrowed)) {
    return InvalidArgument("{}: {} is too large for f32", Where(column), Shown(Trimmed(cell)));
  }
  features_.push_back(narrowed);
  return Ok();
}

Status TableParser::ReadLabel(double value, int64_t column) {
  using Limits = std::numeric_limits<int32_t>;
  if (value != std::trunc(value) || value < Limits::min() || value > Limits::max()) {
    return InvalidArgument("{}: the label {} is not a whole number that fits i32", Where(column), value);
  }
  labels_.push_back(static_cast<int32_t>(value));
  return Ok();
}

std::string TableParser::Where(int64_t column) const {
  return fmt::format("{}, row {}, column {}{}", name_, lines_.number(), column + 1,
                     header_.empty() ? "" : fmt::format(" ('{}')", Shown(header_[column])));
}

}  // namespace

Result<CsvTable> ParseCsvTable(std::string_view text, std::string_view name, const CsvLayout& layout) {
  return TableParser(text, name, layout).Parse();
}

}  // namespace headrace::data
