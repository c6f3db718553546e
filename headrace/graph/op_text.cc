#include "headrace/graph/op_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "headrace/graph/emitter.h"
#include "headrace/graph/registry.h"

namespace headrace {
namespace {

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// What stands between an outer pair of brackets; nothing if there is none.
std::optional<std::string_view> Inside(std::string_view text, char open, char close) {
  text = Trimmed(text);
  if (text.size() < 2 || text.front() != open || text.back() != close) return std::nullopt;
  return text.substr(1, text.size() - 2);
}

template <class T>
std::optional<T> ParseNumber(std::string_view text) {
  text = Trimmed(text);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

int HexDigit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

// What Quoted() made: \" and \\ and \0A; nothing if it is not quoted so.
std::optional<std::string> Unquoted(std::string_view text) {
  const auto inside = Inside(text, '"', '"');
  if (!inside) return std::nullopt;
  std::string plain;
  for (size_t i = 0; i < inside->size(); ++i) {
    const char c = (*inside)[i];
    if (c == '"') return std::nullopt;
    if (c != '\\') {
      plain += c;
      continue;
    }
    const std::string_view rest = inside->substr(i + 1);
    if (rest.starts_with('"') || rest.starts_with('\\')) {
      plain += rest[0];
      i += 1;
    } else if (rest.size() >= 2 && std::isxdigit(static_cast<unsigned char>(rest[0])) &&
               std::isxdigit(static_cast<unsigned char>(rest[1]))) {
      plain += static_cast<char>(16 * HexDigit(rest[0]) + HexDigit(rest[1]));
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  return plain;
}

std::optional<Ints> ParseInts(std::string_view text) {
  const auto inside = Inside(text, '[', ']');
  if (!inside) return std::nullopt;
  Ints ints;
  for (const std::string& part : SplitTopLevel(*inside)) {
    const auto number = ParseNumber<int64_t>(part);
    if (!number) return std::nullopt;
    ints.push_back(*number);
  }
  return ints;
}

}  // namespace

std::vector<std::string> SplitTopLevel(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  bool quoted = false;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (quoted && c == '\\' && i + 1 < text.size()) {
      ++i;  // what follows is no quote
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (quoted && i < text.size()) continue;
    if (c == '[' || c == '{' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == ')') --depth;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    const std::string_view part = Trimmed(text.substr(start, i - start));
    if (!part.empty()) parts.emplace_back(part);
    start = i + 1;
  }
  return parts;
}

Result<TensorType> ParseTensorType(std::string_view text) {
  const std::string_view trimmed = Trimmed(text);
  const size_t bracket = trimmed.find('[');
  const auto dtype = ParseDType(trimmed.substr(0, bracket));
  const auto dims = bracket == std::string_view::npos ? std::nullopt : ParseInts(trimmed.substr(bracket));
  const bool sized = dims && std::ranges::all_of(*dims, [](int64_t dim) { return dim >= 0; });
  if (!dtype || !sized) return InvalidArgument("'{}' is not a tensor type like f32[2, 3]", text);
  return TensorType{*dtype, Shape(*dims)};
}

// ---- printing ----

void AttributePrinter::Put(std::string_view name, std::string_view value) {
  text_ += fmt::format("{}{} = {}", text_.empty() ? "" : ", ", name, value);
}
void AttributePrinter::Visit(std::string_view name, bool& value) { Put(name, value ? "true" : "false"); }
void AttributePrinter::Visit(std::string_view name, int64_t& value) { Put(name, fmt::format("{}", value)); }
void AttributePrinter::Visit(std::string_view name, double& value) { Put(name, fmt::format("{}", value)); }
void AttributePrinter::Visit(std::string_view name, std::string& value) { Put(name, Quoted(value)); }
void AttributePrinter::Visit(std::string_view name, Ints& value) { Put(name, Bracketed(value)); }
void AttributePrinter::Visit(std::string_view name, DType& value) { Put(name, Name(value)); }
void AttributePrinter::Visit(std::string_view name, Shape& value) { Put(name, value.ToString()); }
void AttributePrinter::Visit(std::string_view name, Padding& value) {
  std::vector<std::string> rows;
  for (const auto& row : value) rows.push_back(Bracketed(row));
  Put(name, fmt::format("[{}]", fmt::join(rows, ", ")));
}
void AttributePrinter::Visit(std::string_view name, std::vector<std::string>& value) {
  std::vector<std::string> quoted;
  for (const std::string& text : value) quoted.push_back(Quoted(text));
  Put(name, fmt::format("[{}]", fmt::join(quoted, ", ")));
}
void AttributePrinter::Visit(std::string_view name, std::vector<TensorType>& value) {
  std::vector<std::string> types;
  for (const TensorType& type : value) types.push_back(type.ToString());
  Put(name, fmt::format("[{}]", fmt::join(types, ", ")));
}
void AttributePrinter::Visit(std::string_view name, HostTensor& value) { Put(name, DenseElements(value)); }
void AttributePrinter::Visit(std::string_view name, std::shared_ptr<const Function>& value) {
  Put(name, value ? "@" + value->name : "@");
}
void AttributePrinter::Visit(std::string_view name, std::vector<std::shared_ptr<const Function>>& value) {
  std::vector<std::string> names;
  for (const auto& function : value) names.push_back("@" + function->name);
  Put(name, fmt::format("[{}]", fmt::join(names, ", ")));
}
void AttributePrinter::VisitEnum(std::string_view name, int& index, std::span<const std::string_view> names) {
  Put(name, names[static_cast<size_t>(index)]);
}

// ---- parsing ----

AttributeParser::AttributeParser(std::string_view text) {
  for (const std::string& part : SplitTopLevel(text)) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos) {
      status_ = InvalidArgument("'{}' is not an attribute like name = value", part);
      return;
    }
    values_.emplace(Trimmed(std::string_view(part).substr(0, equals)),
                    Trimmed(std::string_view(part).substr(equals + 1)));
  }
}

Status AttributeParser::Finish() const {
  if (!status_.ok()) return status_;
  if (!values_.empty()) return InvalidArgument("there is no attribute '{}'", values_.begin()->first);
  return Ok();
}

const std::string* AttributeParser::Take(std::string_view name) {
  const auto found = values_.find(name);
  if (found == values_.end()) return nullptr;
  taken_ = std::move(found->second);
  values_.erase(found);
  return &taken_;
}

void AttributeParser::Problem(std::string_view name, std::string_view text, std::string_view expected) {
  if (status_.ok()) status_ = InvalidArgument("attribute {}: '{}' is not {}", name, text, expected);
}

void AttributeParser::Visit(std::string_view name, bool& value) {
  const std::string* text = Take(name);
  if (!text) return;
  if (*text != "true" && *text != "false") return Problem(name, *text, "true or false");
  value = *text == "true";
}
void AttributeParser::Visit(std::string_view name, int64_t& value) {
  const std::string* text = Take(name);
  if (!text) return;
  const auto number = ParseNumber<int64_t>(*text);
  if (!number) return Problem(name, *text, "an integer");
  value = *number;
}
void AttributeParser::Visit(std::string_view name, double& value) {
  const std::string* text = Take(name);
  if (!text) return;
  const auto number = ParseNumber<double>(*text);
  if (!number) return Problem(name, *text, "a number");
  value = *number;
}
void AttributeParser::Visit(std::string_view name, std::string& value) {
  const std::string* text = Take(name);
  if (!text) return;
  auto plain = Unquoted(*text);
  if (!plain) return Problem(name, *text, "a quoted string");
  value = *std::move(plain);
}
void AttributeParser::Visit(std::string_view name, Ints& value) {
  const std::string* text = Take(name);
  if (!text) return;
  auto ints = ParseInts(*text);
  if (!ints) return Problem(name, *text, "a list of integers");
  value = std::move(*ints);
}
void AttributeParser::Visit(std::string_view name, Shape& value) {
  Ints dims = value.dims();
  Visit(name, dims);
  value = Shape(dims);
}
void AttributeParser::Visit(std::string_view name, DType& value) {
  const std::string* text = Take(name);
  if (!text) return;
  const auto dtype = ParseDType(*text);
  if (!dtype) return Problem(name, *text, "an element type");
  value = *dtype;
}
void AttributeParser::Visit(std::string_view name, Padding& value) {
  const std::string* text = Take(name);
  if (!text) return;
  const auto inside = Inside(*text, '[', ']');
  if (!inside) return Problem(name, *text, "a list of pairs");
  Padding padding;
  for (const std::string& part : SplitTopLevel(*inside)) {
    const auto pair = ParseInts(part);
    if (!pair || pair->size() != 2) return Problem(name, part, "a pair of integers");
    padding.push_back({(*pair)[0], (*pair)[1]});
  }
  value = std::move(padding);
}
void AttributeParser::Visit(std::string_view name, std::vector<std::string>& value) {
  const std::string* text = Take(name);
  if (!text) return;
  const auto inside = Inside(*text, '[', ']');
  if (!inside) return Problem(name, *text, "a list of strings");
  std::vector<std::string> strings;
  for (const std::string& part : SplitTopLevel(*inside)) {
    auto string = Unquoted(part);
    if (!string) return Problem(name, part, "a quoted string");
    strings.push_back(*std::move(string));
  }
  value = std::move(strings);
}
void AttributeParser::Visit(std::string_view name, std::vector<TensorType>& value) {
  const std::string* text = Take(name);
  if (!text) return;
  const auto inside = Inside(*text, '[', ']');
  if (!inside) return Problem(name, *text, "a list of tensor types");
  std::vector<TensorType> types;
  for (const std::string& part : SplitTopLevel(*inside)) {
    auto type = ParseTensorType(part);
    if (!type.ok()) return Problem(name, part, "a tensor type");
    types.push_back(*std::move(type));
  }
  value = std::move(types);
}
void AttributeParser::Visit(std::string_view name, HostTensor&) {
  if (Take(name)) status_ = Error(Code::kUnimplemented, "attribute {}: tensors are not read from text", name);
}
void AttributeParser::Visit(std::string_view name, std::shared_ptr<const Function>&) {
  if (Take(name))
    status_ = Error(Code::kUnimplemented, "attribute {}: functions are not read from text", name);
}
void AttributeParser::Visit(std::string_view name, std::vector<std::shared_ptr<const Function>>&) {
  if (Take(name))
    status_ = Error(Code::kUnimplemented, "attribute {}: functions are not read from text", name);
}
void AttributeParser::VisitEnum(std::string_view name, int& index, std::span<const std::string_view> names) {
  const std::string* text = Take(name);
  if (!text) return;
  const auto found = std::ranges::find(names, std::string_view(*text));
  if (found == names.end()) return Problem(name, *text, fmt::format("one of {}", fmt::join(names, ", ")));
  index = static_cast<int>(found - names.begin());
}

Result<std::shared_ptr<const Op>> ParseOp(std::string_view text) {
  const std::string_view trimmed = Trimmed(text);
  const size_t brace = trimmed.find('{');
  const std::string_view name = Trimmed(trimmed.substr(0, brace));
  std::unique_ptr<Op> op = MakeOp(name);
  if (!op) return InvalidArgument("there is no op '{}'", name);
  std::string_view attributes;
  if (brace != std::string_view::npos) {
    const auto inside = Inside(trimmed.substr(brace), '{', '}');
    if (!inside) return InvalidArgument("{}: the attributes have no closing brace", name);
    attributes = *inside;
  }
  AttributeParser parser(attributes);
  try {
    op->Attributes(parser);
  } catch (const GraphError& error) {  // an op reads a text of its own out of an attribute
    return InvalidArgument("{}: {}", name, error.message());
  }
  HR_TRY(parser.Finish().Context("{}", name));
  return std::shared_ptr<const Op>(std::move(op));
}

}  // namespace headrace
