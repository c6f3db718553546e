// LayerCase: a layer or function of this module held against numbers of flax or JAX. For tests only.
//
// A reference file (tools/reference/layers.py says how it is laid out) holds the operands, variables, results
// and cotangents of each case.
//
//   const LayerCase kCases[] = {{"linear", Made<Linear>(3, 5)}, {"relu", Of(Relu)}};
//   TEST_P(Layers, EqualFlax) { ExpectEqualsReference(GetParam(), "headrace/nn/testdata/layers.safetensors");
//   }
#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "headrace/nn/scope.h"

namespace headrace::nn {

struct LayerCase {
  std::string name;
  std::function<Value(Scope, std::span<const Value>)> apply;  // of the operands in0, in1, …
  bool train = false;
};

inline void PrintTo(const LayerCase& layer, std::ostream* out) { *out << layer.name; }

// A layer made of these arguments, applied to the one operand.
template <class Layer, class... Args>
auto Made(const Args&... args) {
  return [=](Scope scope, std::span<const Value> x) { return Layer(scope, args...)(x[0]); };
}

// A function without parameters, of the one operand.
template <class Function>
auto Of(Function function) {
  return [=](Scope, std::span<const Value> x) { return function(x[0]); };
}

// The references of one case, without its name.
std::map<std::string, HostTensor> ReadCase(std::string_view file, const std::string& name);

// Runs the case and compares its result, the cotangents of everything that is floating-point, and what
// becomes of its state.
void ExpectEqualsReference(const LayerCase& layer, std::string_view file);

}  // namespace headrace::nn
