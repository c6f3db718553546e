# cmake -DOUT=gen_templates.cc -DFILES="a.yaml;b.yaml" -P embed_templates.cmake
# Writes a C++ unit that holds the files as templates named after them.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"yaml(${text})yaml\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by embed_templates.cmake from examples/; not to be edited.
#include <array>

#include \"headrace/run/gen_templates.h\"

namespace headrace::run {
namespace {
constexpr auto kAll = std::to_array<Template>({
${entries}});
}  // namespace
const std::span<const Template> kTemplates = kAll;
}  // namespace headrace::run
")
