#include "headrace/run/hlo_program.h"

#include "headrace/io/input_error.h"
#include "headrace/io/store.h"

namespace headrace::run {
namespace {

constexpr std::string_view kBytecodeMagic = "ML\xefR";

bool IsText(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos && bytes.find("func") != std::string_view::npos;
}

// Refuses what text says of itself.
Status CheckText(std::string_view text, std::string_view name) {
  if (text.find("HloModule ") != std::string_view::npos) {
    return InvalidArgument(
        "{} is HLO text; it must be StableHLO (in JAX: lowered.as_text(), not compiled.as_text())", name);
  }
  if (text.find("tensor<?") != std::string_view::npos || text.find("x?x") != std::string_view::npos) {
    return Error(Code::kUnimplemented,
                 "{} has dimensions of unknown size; export it with fixed shapes (in JAX: "
                 "jax.ShapeDtypeStruct((2, 3), ...) instead of symbolic ones)",
                 name);
  }
  return Ok();
}

}  // namespace

Result<HloProgram> IdentifyHloProgram(std::string bytes, std::string_view name) {
  const std::string_view view = bytes;
  const size_t magic = view.find(kBytecodeMagic);
  if (view.empty()) return InvalidArgument("{} is empty", name);
  if (magic != std::string_view::npos && magic > 0) {
    return InvalidArgument(
        "{} wraps a program in another format, as jax.export's serialize() does; write what is inside of it: "
        "exported.mlir_module_serialized",
        name);
  }
  if (magic == std::string_view::npos) {
    if (!IsText(view)) {
      return InvalidArgument("{} is neither StableHLO text nor MLIR bytecode", name);
    }
    HR_TRY(CheckText(view, name));
  }
  const bool indexed = view.find("_platform_index") != std::string_view::npos;
  return HloProgram{std::move(bytes), indexed};
}

Result<HloProgram> ReadHloProgram(const std::string& path) {
  HR_TRY(const io::Blob blob, io::AsInput(io::ReadFile(path)));
  return IdentifyHloProgram(std::string(blob.text()), path);
}

}  // namespace headrace::run
