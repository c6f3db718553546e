#include "headrace/graph/emitter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace headrace {
namespace {

std::string TypeList(const Types& types) {
  std::vector<std::string> texts;
  for (const TensorType& type : types) texts.push_back(type.ToMlir());
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Scalars that decimal text carries exactly.
bool IsReadable(const HostTensor& scalar) {
  if (IsInteger(scalar.dtype())) return true;
  return (scalar.dtype() == DType::kF32 || scalar.dtype() == DType::kF64) && std::isfinite(scalar.At(0));
}

std::string ScalarText(const HostTensor& scalar) {
  switch (scalar.dtype()) {
    case DType::kI64:
      return fmt::format("{}", scalar.data<int64_t>()[0]);
    case DType::kU64:
      return fmt::format("{}", scalar.data<uint64_t>()[0]);
    case DType::kF32:
    case DType::kF64: {
      // Shortest digits that read back to the same number; MLIR wants a point in them.
      std::string text = scalar.dtype() == DType::kF32 ? fmt::format("{}", scalar.data<float>()[0])
                                                       : fmt::format("{}", scalar.data<double>()[0]);
      if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
      return text;
    }
    default:
      return fmt::format("{}", static_cast<int64_t>(scalar.At(0)));
  }
}

}  // namespace

std::string I64Array(std::span<const int64_t> values) {
  return values.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(values, ", "));
}

std::string BoolArray(std::span<const bool> values) {
  return values.empty() ? "array<i1>" : fmt::format("array<i1: {}>", fmt::join(values, ", "));
}

std::string I64Matrix(const Padding& rows) {
  if (rows.empty()) return "dense<> : tensor<0x2xi64>";
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.push_back(fmt::format("[{}, {}]", row[0], row[1]));
  return fmt::format("dense<[{}]> : tensor<{}x2xi64>", fmt::join(texts, ", "), rows.size());
}

std::string Bracketed(std::span<const int64_t> values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      quoted += fmt::format("\\{:02X}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string DenseElements(const HostTensor& tensor) {
  const std::string type = tensor.type().ToMlir();
  if (tensor.size() == 0) return fmt::format("dense<> : {}", type);
  if (tensor.dtype() == DType::kPred) {
    if (tensor.size() == 1) return fmt::format("dense<{}> : {}", tensor.At(0) != 0, type);
    std::vector<std::string> bits;
    for (int64_t i = 0; i < tensor.size(); ++i) bits.push_back(tensor.At(i) != 0 ? "true" : "false");
    // A flat list reshapes to nothing in MLIR: nest it as the shape says.
    for (int axis = tensor.shape().rank() - 1; axis > 0; --axis) {
      const auto size = static_cast<size_t>(tensor.shape()[axis]);
      std::vector<std::string> rows;
      for (size_t i = 0; i < bits.size(); i += size) {
        rows.push_back(fmt::format("[{}]", fmt::join(bits.begin() + static_cast<long>(i),
                                                     bits.begin() + static_cast<long>(i + size), ", ")));
      }
      bits = std::move(rows);
    }
    return fmt::format("dense<[{}]> : {}", fmt::join(bits, ", "), type);
  }
  if (tensor.shape().rank() == 0 && IsReadable(tensor))
    return fmt::format("dense<{}> : {}", ScalarText(tensor), type);
  // The raw little-endian bytes: exact for every type.
  std::string hex;
  for (std::byte b : tensor.bytes()) hex += fmt::format("{:02X}", static_cast<unsigned>(b));
  return fmt::format("dense<\"0x{}\"> : {}", hex, type);
}

namespace {

std::string Location(const Node& node) {
  return node.scope.empty() ? "" : fmt::format(" loc({})", Quoted(node.scope));
}

}  // namespace

std::string Emitter::EmitFunction(const Function& function, std::string_view symbol,
                                  std::string_view visibility,
                                  std::span<const std::string> argument_attributes,
                                  std::span<const std::string> result_attributes) {
  out_.clear();
  names_.clear();
  next_name_ = 0;

  std::vector<std::string> arguments;
  for (size_t i = 0; i < function.parameters().size(); ++i) {
    const Value parameter = function.parameters()[i];
    names_[{&parameter.node(), 0}] = fmt::format("%arg{}", i);
    std::string attributes = i < argument_attributes.size() ? argument_attributes[i] : "";
    if (!attributes.empty()) attributes = fmt::format(" {{{}}}", attributes);
    arguments.push_back(fmt::format("%arg{}: {}{} loc({})", i, parameter.type().ToMlir(), attributes,
                                    Quoted(parameter.node().scope)));
  }
  std::vector<std::string> results;
  for (size_t i = 0; i < function.results.size(); ++i) {
    std::string attributes = i < result_attributes.size() ? result_attributes[i] : "";
    if (!attributes.empty()) attributes = fmt::format(" {{{}}}", attributes);
    results.push_back(function.results[i].type().ToMlir() + attributes);
  }

  EmitNodes(function);

  std::vector<std::string> returned;
  Types returned_types;
  for (Value result : function.results) {
    returned.push_back(Ref(result));
    returned_types.push_back(result.type());
  }
  return fmt::format("  func.func {} @{}({}) -> ({}) {{\n{}    return {} : {}\n  }}\n", visibility, symbol,
                     fmt::join(arguments, ", "), fmt::join(results, ", "), out_, fmt::join(returned, ", "),
                     TypeList(returned_types));
}

void Emitter::EmitNodes(const Function& function) {
  for (const Node* node : LiveNodes(function.results)) node->op->Emit(*node, *this);
}

std::string Emitter::EmitDeclared() {
  std::string text;
  for (size_t i = 0; i < declared_.size(); ++i) {  // grows while it is walked
    const Declared declared = declared_[i];
    text += EmitFunction(*declared.function, declared.symbol, "private");
  }
  return text;
}

void Emitter::Op(std::string_view mlir_name, const Node& node, std::span<const MlirAttribute> attributes,
                 std::string_view region) {
  Op(mlir_name, node, node.operands, attributes, region);
}

void Emitter::Op(std::string_view mlir_name, const Node& node, std::span<const Value> operands,
                 std::span<const MlirAttribute> attributes, std::string_view regions) {
  std::vector<std::string> names;
  for (Value operand : operands) names.push_back(Ref(operand));
  std::vector<std::string> properties;
  for (const MlirAttribute& attribute : attributes) {
    properties.push_back(fmt::format("{} = {}", attribute.name, attribute.text));
  }
  std::string text = fmt::format("\"{}\"({})", mlir_name, fmt::join(names, ", "));
  if (!properties.empty()) text += fmt::format(" <{{{}}}>", fmt::join(properties, ", "));
  if (!regions.empty()) text += fmt::format(" ({})", regions);
  text += fmt::format(" : ({}) -> ", TypeList(TypesOf(operands)));
  text += node.types.size() == 1 ? node.types[0].ToMlir() : fmt::format("({})", TypeList(node.types));
  Line(node, text);
}

void Emitter::Elementwise(std::string_view mlir_name, const Node& node) {
  std::vector<std::string> operands;
  for (Value operand : node.operands) operands.push_back(Ref(operand));
  Line(node, fmt::format("{} {} : {}", mlir_name, fmt::join(operands, ", "), node.types[0].ToMlir()));
}

void Emitter::Line(const Node& node, std::string_view rest) {
  const std::string name = fmt::format("%{}", next_name_++);
  const size_t count = node.types.size();
  for (size_t i = 0; i < count; ++i) {
    names_[{&node, static_cast<int>(i)}] = count == 1 ? name : fmt::format("{}#{}", name, i);
  }
  out_ += fmt::format("    {}{} = {}{}\n", name, count == 1 ? "" : fmt::format(":{}", count), rest,
                      Location(node));
}

std::string Emitter::Inline(const Node& node, const HostTensor& constant) {
  const std::string name = fmt::format("%{}", next_name_++);
  out_ += fmt::format("    {} = stablehlo.constant {}{}\n", name, DenseElements(constant), Location(node));
  return name;
}

void Emitter::Alias(const Node& node, Value value) { names_[{&node, 0}] = Ref(value); }

std::string Emitter::Ref(Value value) {
  const auto found = names_.find({&value.node(), value.result()});
  HR_CHECK(found != names_.end());
  return found->second;
}

std::string Emitter::ReductionRegion(std::string_view mlir_op, DType dtype) {
  const std::string type = fmt::format("tensor<{}>", MlirName(dtype));
  return fmt::format(
      "{{\n    ^bb0(%a: {0}, %b: {0}):\n      %r = {1} %a, %b : {0}\n      stablehlo.return %r : {0}\n    }}",
      type, mlir_op);
}

std::string Emitter::Region(const Function& function, std::span<const Value> captured,
                            std::string_view terminator) {
  const std::span<const Value> parameters = function.parameters();
  const size_t count = parameters.size() - captured.size();
  std::vector<std::string> arguments;
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::string& name = names_[{&parameters[i].node(), 0}];
    if (i >= count) {
      name = Ref(captured[i - count]);
      continue;
    }
    name = fmt::format("%{}", next_name_++);
    arguments.push_back(fmt::format("{}: {}", name, parameters[i].type().ToMlir()));
  }
  const std::string around = std::exchange(out_, {});
  EmitNodes(function);
  const std::string body = std::exchange(out_, around);
  std::vector<std::string> returned;
  for (Value result : function.results) returned.push_back(Ref(result));
  const std::string block =
      arguments.empty() ? "" : fmt::format("    ^bb0({}):\n", fmt::join(arguments, ", "));
  return fmt::format("{{\n{}{}    {} {} : {}\n    }}", block, body, terminator, fmt::join(returned, ", "),
                     TypeList(TypesOf(function.results)));
}

void Emitter::Expand(const Node& node, const Function& body) {
  for (size_t i = 0; i < node.operands.size(); ++i) {
    std::string name = Ref(node.operands[i]);
    names_[{&body.parameters()[i].node(), 0}] = std::move(name);
  }
  EmitNodes(body);
  for (size_t i = 0; i < body.results.size(); ++i) {
    std::string name = Ref(body.results[i]);
    names_[{&node, static_cast<int>(i)}] = std::move(name);
  }
}

std::string Emitter::Declare(std::shared_ptr<const Function> function) {
  for (const Declared& known : declared_) {
    if (known.function == function) return "@" + known.symbol;
  }
  const std::string symbol = fmt::format("{}_{}", function->name, declared_.size());
  declared_.push_back({.key = "", .symbol = symbol, .function = std::move(function)});
  return "@" + symbol;
}

std::string Emitter::Declare(std::string_view key, const std::function<Function()>& make) {
  for (const Declared& known : declared_) {
    if (known.key == key) return "@" + known.symbol;
  }
  const std::string symbol = Declare(std::make_shared<const Function>(make()));
  declared_.back().key = key;
  return symbol;
}

void Emitter::Call(std::string_view symbol, const Node& node) {
  std::vector<std::string> operands;
  Types types;
  for (Value operand : node.operands) {
    operands.push_back(Ref(operand));
    types.push_back(operand.type());
  }
  Line(node, fmt::format("func.call {}({}) : ({}) -> ({})", symbol, fmt::join(operands, ", "),
                         TypeList(types), TypeList(node.types)));
}

}  // namespace headrace
