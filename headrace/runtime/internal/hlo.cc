#include "headrace/runtime/internal/hlo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "headrace/runtime/internal/element_type.h"
#include "xla_subset.pb.h"

namespace headrace::runtime::internal {
namespace {

constexpr int kTuple = 13;  // xla.PrimitiveType

Result<xla::HloModuleProto> ParseModule(std::string_view format, std::string_view bytes) {
  const auto size = static_cast<int>(bytes.size());
  if (format == "hlo_with_config") {
    xla::HloModuleProtoWithConfig with_config;
    if (with_config.ParseFromArray(bytes.data(), size)) return std::move(*with_config.mutable_hlo_module());
  } else if (format == "hlo") {
    xla::HloModuleProto module;
    if (module.ParseFromArray(bytes.data(), size)) return module;
  } else {
    return Error(Code::kUnimplemented, "the optimized program comes in the format '{}', which is not HLO",
                 format);
  }
  return Error(Code::kDataLoss, "the optimized program ({} bytes of format '{}') is not a whole HLO module",
               bytes.size(), format);
}

// "f32[2,3]{1,0}"
std::string ShapeText(const xla::ShapeProto& shape) {
  if (shape.element_type() == kTuple) {
    std::vector<std::string> parts;
    for (const xla::ShapeProto& part : shape.tuple_shapes()) parts.push_back(ShapeText(part));
    return fmt::format("({})", fmt::join(parts, ", "));
  }
  std::string text =
      fmt::format("{}[{}]", XlaTypeName(shape.element_type()), fmt::join(shape.dimensions(), ","));
  if (shape.layout().minor_to_major_size() > 0) {
    text += fmt::format("{{{}}}", fmt::join(shape.layout().minor_to_major(), ","));
  }
  return text;
}

class ModulePrinter {
 public:
  explicit ModulePrinter(const xla::HloModuleProto& module) : module_(module) {
    for (const xla::HloComputationProto& computation : module.computations()) {
      computation_names_[computation.id()] = computation.name();
      for (const xla::HloInstructionProto& instruction : computation.instructions()) {
        instruction_names_[instruction.id()] = instruction.name();
      }
    }
  }

  std::string Print() {
    Line("HloModule {}", module_.name());
    for (const xla::HloInputOutputAliasProto::AliasEntryProto& entry :
         module_.input_output_alias().entries()) {
      Line("// output {{{}}} reuses the memory of parameter {}", fmt::join(entry.output_shape_index(), ","),
           entry.parameter_number());
    }
    for (const xla::HloComputationProto& computation : module_.computations()) {
      if (computation.id() != module_.entry_computation_id()) Print(computation);
    }
    for (const xla::HloComputationProto& computation : module_.computations()) {
      if (computation.id() == module_.entry_computation_id()) Print(computation);
    }
    return std::move(text_);
  }

 private:
  template <class... T>
  void Line(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
    text_ += '\n';
  }

  void Print(const xla::HloComputationProto& computation) {
    const bool entry = computation.id() == module_.entry_computation_id();
    Line("\n{}%{} {{", entry ? "ENTRY " : "", computation.name());
    for (const xla::HloInstructionProto& instruction : computation.instructions()) {
      Line("  {}%{} = {} {}({}){}", instruction.id() == computation.root_id() ? "ROOT " : "",
           instruction.name(), ShapeText(instruction.shape()), instruction.opcode(), Operands(instruction),
           Attributes(instruction));
    }
    Line("}}");
  }

  std::string Operands(const xla::HloInstructionProto& instruction) const {
    if (instruction.opcode() == "parameter") return std::to_string(instruction.parameter_number());
    std::vector<std::string> names;
    for (int64_t id : instruction.operand_ids()) names.push_back(Name(instruction_names_, id));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  std::string Attributes(const xla::HloInstructionProto& instruction) const {
    std::string text;
    auto add = [&text]<class... T>(fmt::format_string<T...> format, T&&... values) {
      text += ", ";
      fmt::format_to(std::back_inserter(text), format, std::forward<T>(values)...);
    };
    if (instruction.dimensions_size() > 0) add("dimensions={{{}}}", fmt::join(instruction.dimensions(), ","));
    if (instruction.opcode() == "get-tuple-element") add("index={}", instruction.tuple_index());
    if (!instruction.fusion_kind().empty()) add("kind={}", instruction.fusion_kind());
    if (!instruction.comparison_direction().empty()) add("direction={}", instruction.comparison_direction());
    if (!instruction.custom_call_target().empty()) add("target=\"{}\"", instruction.custom_call_target());
    std::vector<std::string> calls;
    for (int64_t id : instruction.called_computation_ids()) calls.push_back(Name(computation_names_, id));
    if (!calls.empty()) add("calls={}", fmt::join(calls, ","));
    if (!instruction.metadata().op_name().empty()) add("op_name=\"{}\"", instruction.metadata().op_name());
    return text;
  }

  static std::string Name(const std::map<int64_t, std::string>& names, int64_t id) {
    auto found = names.find(id);
    return found == names.end() ? fmt::format("%#{}", id) : "%" + found->second;
  }

  const xla::HloModuleProto& module_;
  std::map<int64_t, std::string> computation_names_;
  std::map<int64_t, std::string> instruction_names_;
  std::string text_;
};

}  // namespace

Result<std::vector<Executable::Parameter>> ReadParameters(std::string_view format, std::string_view bytes) {
  HR_TRY(xla::HloModuleProto module, ParseModule(format, bytes));
  std::vector<Executable::Parameter> parameters;
  for (const xla::ShapeProto& shape : module.host_program_shape().parameters()) {
    const std::optional<DType> dtype = FromXla(shape.element_type());
    if (!dtype) {
      return Error(
          Code::kUnimplemented,
          "parameter {} of the program is {}, which has no tensor type here; convert it inside the program",
          parameters.size(), ShapeText(shape));
    }
    const std::vector<int64_t> dims(shape.dimensions().begin(), shape.dimensions().end());
    if (std::ranges::any_of(dims, [](int64_t dim) { return dim < 0; })) {
      return Error(Code::kUnimplemented, "parameter {} of the program has a dimension without a fixed size",
                   parameters.size());
    }
    parameters.push_back({.type = {*dtype, Shape(dims)}});
  }
  auto donate = [&parameters](int64_t number) {
    if (number >= 0 && number < static_cast<int64_t>(parameters.size())) {
      parameters[static_cast<size_t>(number)].donated = true;
    }
  };
  for (const auto& entry : module.input_output_alias().entries()) donate(entry.parameter_number());
  for (const auto& entry : module.buffer_donor().entries()) donate(entry.parameter_number());
  return parameters;
}

Result<std::string> HloText(std::string_view format, std::string_view bytes) {
  HR_TRY(xla::HloModuleProto module, ParseModule(format, bytes));
  return ModulePrinter(module).Print();
}

}  // namespace headrace::runtime::internal
