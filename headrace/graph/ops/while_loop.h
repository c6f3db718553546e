// Loops whose length is known only when they run.
#pragma once

#include "headrace/graph/function.h"

namespace headrace {

// The state after `body` ran for as long as `condition` (pred[]) held of it. Both may use values of the graph
// around them. It has no gradient: nobody knows how many steps there are to go back.
//
//   Values halved = While([](auto s) { return Values{Greater(s[0], one)}; },
//                         [](auto s) { return Values{s[0] * 0.5}; }, {x});
Values While(const ValueFn& condition, const ValueFn& body, Values state);

// The same for at most `limit` steps, with a gradient: it takes the time of `limit` steps of which those
// after the last do nothing, and the gradient keeps what each step needs.
Values BoundedWhile(int64_t limit, const ValueFn& condition, const ValueFn& body, Values state);

}  // namespace headrace
