#include "headrace/optim/optimizer.h"

#include "headrace/graph/ops.h"

namespace headrace::optim {

Value StepInput::Kept(Value next, Value before) const {
  return applies ? Select(applies, next, before) : next;
}

}  // namespace headrace::optim
