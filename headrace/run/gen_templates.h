// What CMake makes of examples/*.yaml (embed_files.cmake).
#pragma once

#include <span>

#include "headrace/run/template.h"

namespace headrace::run {

extern const std::span<const Template> kTemplates;

}  // namespace headrace::run
