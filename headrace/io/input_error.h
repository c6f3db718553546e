// AsInput: the rule for what a person names, in a config or as an argument, to be read.
//
// Whatever is wrong with such a file is wrong with what named it, and theirs to mend: that it is missing, a
// folder, cut short, damaged or of a kind that is not supported is kInvalidArgument, with which a program
// ends as after wrong usage. What is wrong with the machine (no permission, no memory) keeps its own code.
//
//   HR_TRY(const Blob file, AsInput(ReadFile("mnist.yaml")));
#pragma once

#include <utility>

#include "headrace/core/status.h"

namespace headrace::io {

// Of what reading or decoding an input says. The message stays.
Status AsInput(Status status);
template <class T>
Result<T> AsInput(Result<T> result) {
  if (result.ok()) return result;
  return AsInput(std::move(result).status());
}

}  // namespace headrace::io
