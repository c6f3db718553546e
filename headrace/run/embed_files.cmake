# cmake -DOUT=gen_x.cc -DFILES="a.yaml;b.yaml" -DTYPE=Template -DSPAN=kTemplates -DHEADER=gen_x.h -DNAME=NAME_WE
#   -P embed_files.cmake
# Writes a C++ unit that holds the files as `const std::span<const TYPE> SPAN`, each {name, text}; NAME is the part of
# the file's path that its name is (as in get_filename_component).
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} ${NAME})
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"text(${text})text\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by embed_files.cmake; not to be edited.
#include <array>

#include \"headrace/run/${HEADER}\"

namespace headrace::run {
namespace {
constexpr auto kAll = std::to_array<${TYPE}>({
${entries}});
}  // namespace
const std::span<const ${TYPE}> ${SPAN} = kAll;
}  // namespace headrace::run
")
