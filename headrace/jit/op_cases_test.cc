// Every case in graph/testdata/cases: values and gradients against those of JAX (tools/reference/ops.py),
// gradients against finite differences, batches against single runs.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/op_case.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/graph/verify.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::jit {
namespace {

using Tensors = std::vector<HostTensor>;

// Relative to 1 + |expected|. Results of one program on one machine differ in the order of sums and in how
// polynomials are fused: a few units in the last place, and half of the digits of bf16 and f16 sums.
double Tolerance(const OpCase& op_case, DType dtype) {
  dtype = PartOf(dtype);
  if (!IsFloat(dtype)) return 0;
  if (op_case.tolerance > 0) return op_case.tolerance;
  switch (dtype) {
    case DType::kF64:
      return 1e-13;
    case DType::kF32:
      return 2e-6;
    default:
      return 2e-2;
  }
}

// The parts of complex numbers along a new last dimension; other tensors are themselves.
HostTensor Parts(const HostTensor& tensor) {
  if (!IsComplex(tensor.dtype())) return tensor;
  std::vector<int64_t> dims = tensor.shape().dims();
  dims.push_back(2);
  return HostTensor::CopyOf({PartOf(tensor.dtype()), Shape(std::move(dims))}, tensor.bytes());
}

void ExpectNear(const HostTensor& actual, const HostTensor& expected, double tolerance,
                std::string_view what) {
  SCOPED_TRACE(what);
  ASSERT_EQ(actual.type(), expected.type());
  const HostTensor actual_parts = Parts(actual);
  const HostTensor expected_parts = Parts(expected);
  for (int64_t i = 0; i < actual_parts.size(); ++i) {
    const double a = actual_parts.At(i);
    const double b = expected_parts.At(i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    ASSERT_LE(std::abs(a - b), tolerance * (1 + std::abs(b)))
        << "element " << i << " is " << a << ", not " << b;
  }
}

Tensors MustEvaluate(const Function& function, const Tensors& arguments) {
  const Status verified = Verify(function);
  EXPECT_TRUE(verified.ok()) << verified.ToString();
  auto results = Evaluate(TestClient(), function, arguments);
  if (!results.ok()) {
    ADD_FAILURE() << results.status().ToString();
    return {};
  }
  return *std::move(results);
}

Types TypesOf(const Tensors& tensors) {
  Types types;
  for (const HostTensor& tensor : tensors) types.push_back(tensor.type());
  return types;
}

template <class T>
std::vector<T> Joined(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Numbers of [-1, 1), of complex ones both parts, that need no seed file: splitmix64 of a counter.
HostTensor Noise(const Shape& shape, DType dtype, uint64_t stream) {
  if (IsComplex(dtype)) {
    std::vector<int64_t> dims = shape.dims();
    dims.push_back(2);
    return HostTensor::CopyOf({dtype, shape}, Noise(Shape(std::move(dims)), PartOf(dtype), stream).bytes());
  }
  HostTensor tensor({dtype, shape});
  for (int64_t i = 0; i < tensor.size(); ++i) {
    uint64_t z = (stream << 32) + (static_cast<uint64_t>(i) + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    tensor.Set(i, std::ldexp(static_cast<double>(z >> 11), -52) - 1);
  }
  return tensor;
}

// The same elements, each a place further: a second example that keeps every operand in its range.
HostTensor Rolled(const HostTensor& tensor) {
  HostTensor rolled(tensor.type());
  const auto width = static_cast<size_t>(ByteSize(tensor.dtype()));
  const auto bytes = tensor.bytes();
  std::ranges::rotate_copy(bytes, bytes.begin() + static_cast<long>(std::min(width, bytes.size())),
                           rolled.mutable_bytes().begin());
  return rolled;
}

// One case with its references.
class OpCases : public ::testing::TestWithParam<OpCase> {
 protected:
  void SetUp() override {
    const std::string folder = std::string(kCaseFolder) + "/";
    for (auto& [name, tensor] : ReadReferences(folder + GetParam().file + ".safetensors")) {
      const std::string prefix = GetParam().name + "/";
      if (name.starts_with(prefix)) references_.emplace(name.substr(prefix.size()), tensor);
    }
    operands_ = All("in");
    seeds_ = All("seed");
    ASSERT_EQ(TypesOf(operands_), GetParam().operands) << "run tools/reference/ops.py";
    ASSERT_EQ(!seeds_.empty(), GetParam().HasGradient()) << "run tools/reference/ops.py";
  }

  // Those of one kind, by rising number.
  Tensors All(const std::string& kind) const {
    Tensors tensors;
    for (int i = 0; i < 16; ++i) {
      const auto found = references_.find(kind + std::to_string(i));
      if (found != references_.end()) tensors.push_back(found->second);
    }
    return tensors;
  }

  // The op on the first operands, and if it has a gradient, the cotangents of those that are inexact from
  // the seeds, which are the arguments behind them.
  Values ResultsAndGradients(std::span<const Value> x, Graph& graph) const {
    const Values operands(x.begin(), x.begin() + static_cast<long>(operands_.size()));
    Values results = graph.Apply(GetParam().op, operands);
    if (!GetParam().HasGradient()) return results;
    Values inputs, outputs;
    for (Value operand : operands) {
      if (IsInexact(operand.dtype())) inputs.push_back(operand);
    }
    for (Value result : results) {
      if (IsInexact(result.dtype())) outputs.push_back(result);
    }
    return Joined(results, Gradient(outputs, inputs, x.subspan(operands_.size())));
  }

  std::map<std::string, HostTensor> references_;
  Tensors operands_;
  Tensors seeds_;
};

class OpGradients : public OpCases {};
class OpBatches : public OpCases {};

TEST_P(OpCases, EqualJax) {
  Function function{.name = "op", .graph = std::make_unique<Graph>(), .results = {}};
  for (const TensorType& type : TypesOf(Joined(operands_, seeds_))) function.graph->Parameter(type, "x");
  const Values parameters = function.parameters();
  function.results = ResultsAndGradients(parameters, *function.graph);
  const Tensors ours = MustEvaluate(function, Joined(operands_, seeds_));
  const Tensors theirs = Joined(All("out"), All("grad"));
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    ExpectNear(ours[i], theirs[i], Tolerance(GetParam(), ours[i].dtype()),
               i < All("out").size() ? "result" : "gradient");
  }
}

DType Widest(DType dtype) { return IsComplex(dtype) ? DType::kC128 : DType::kF64; }

// Along random directions d: (<w, f(x + h d)> - <w, f(x - h d)>) / 2h = <gradient, d>, in f64, where h = 1e-5
// leaves an error of h^2 and of 1e-16 / h. <a, b> is Re(sum(a · b)).
TEST_P(OpGradients, EqualDifferences) {
  constexpr double kStep = 1e-5;
  constexpr int kDirections = 3;
  Tensors points, directions, weights;
  for (const HostTensor& operand : operands_) {
    points.push_back(IsInexact(operand.dtype()) ? operand.ConvertTo(Widest(operand.dtype())) : operand);
  }
  for (const HostTensor& seed : seeds_) weights.push_back(seed.ConvertTo(Widest(seed.dtype())));
  for (int k = 0; k < kDirections; ++k) {
    for (const HostTensor& point : points) {
      if (IsInexact(point.dtype()))
        directions.push_back(Noise(point.shape(), point.dtype(), directions.size()));
    }
  }

  const auto floats = directions.size() / kDirections;
  const Tensors arguments = Joined(Joined(points, weights), directions);
  const Function function = Trace("differences", TypesOf(arguments), [&](std::span<const Value> x) {
    Graph& graph = x[0].graph();
    const auto w = x.subspan(points.size(), weights.size());
    auto projected = [&](std::span<const Value> at) {
      Value sum = Scalar(graph, DType::kF64, 0);
      size_t next = 0;
      for (Value result : graph.Apply(GetParam().op, Values(at.begin(), at.end()))) {
        if (IsInexact(result.dtype())) sum = sum + Sum(Real(result * w[next++]));
      }
      return sum;
    };
    const Values with_gradients = ResultsAndGradients(x.first(points.size() + weights.size()), graph);
    const auto gradients = std::span(with_gradients).last(floats);
    Values results;
    for (int k = 0; k < kDirections; ++k) {
      const auto d = x.subspan(points.size() + weights.size() + static_cast<size_t>(k) * floats, floats);
      auto moved = [&](double step) {
        Values at(x.begin(), x.begin() + static_cast<long>(points.size()));
        size_t next = 0;
        for (Value& operand : at) {
          if (IsInexact(operand.dtype())) operand = operand + d[next++] * step;
        }
        return at;
      };
      Value slope = Scalar(graph, DType::kF64, 0);
      for (size_t i = 0; i < floats; ++i) slope = slope + Sum(Real(gradients[i] * d[i]));
      results.push_back((projected(moved(kStep)) - projected(moved(-kStep))) / (2 * kStep));
      results.push_back(slope);
    }
    return results;
  });
  const Tensors results = MustEvaluate(function, arguments);
  for (size_t k = 0; k + 1 < results.size(); k += 2)
    ExpectNear(results[k + 1], results[k], 1e-6, "direction");
}

// A batch of two examples equals the two stacked, whichever operands the batch is in; gradients too.
TEST_P(OpBatches, EqualSingleRuns) {
  const size_t count = operands_.size();
  ASSERT_LE(count, 4u);
  Tensors second;
  for (const HostTensor& operand : operands_) second.push_back(Rolled(operand));
  const Tensors arguments = Joined(Joined(operands_, second), seeds_);

  const Function function = Trace("batch", TypesOf(arguments), [&](std::span<const Value> x) {
    Graph& graph = x[0].graph();
    const Values seeds(x.begin() + static_cast<long>(2 * count), x.end());
    Values results;
    for (unsigned batched = 1; batched < 1u << count; ++batched) {
      Values stacked, first, other;
      std::vector<std::optional<int>> in_axes;
      for (size_t i = 0; i < count; ++i) {
        const bool in_batch = batched >> i & 1;
        first.push_back(x[i]);
        other.push_back(in_batch ? x[count + i] : x[i]);
        stacked.push_back(in_batch ? Concatenate({ExpandDims(first[i], 0), ExpandDims(other[i], 0)}, 0)
                                   : x[i]);
        in_axes.push_back(in_batch ? std::optional(0) : std::nullopt);
      }
      in_axes.resize(count + seeds.size());
      const Values batch =
          Vmap([&](std::span<const Value> v) { return ResultsAndGradients(v, v[0].graph()); },
               Joined(stacked, seeds), in_axes);
      const Values a = ResultsAndGradients(Joined(first, seeds), graph);
      const Values b = ResultsAndGradients(Joined(other, seeds), graph);
      for (size_t i = 0; i < batch.size(); ++i) {
        results.push_back(batch[i]);
        results.push_back(Concatenate({ExpandDims(a[i], 0), ExpandDims(b[i], 0)}, 0));
      }
    }
    return results;
  });
  const Tensors results = MustEvaluate(function, arguments);
  for (size_t i = 0; i + 1 < results.size(); i += 2) {
    ExpectNear(results[i], results[i + 1], Tolerance(GetParam(), results[i].dtype()),
               "batch and single runs");
  }
}

std::string NameOf(const ::testing::TestParamInfo<OpCase>& info) { return OpCaseName(info.param); }

bool HasDifferences(const OpCase& op_case) { return op_case.HasGradient() && op_case.Tests("differences"); }
bool HasBatches(const OpCase& op_case) { return op_case.Tests("batching"); }

// Of the cases that `include` takes, the first of every op, or the others. The first reach the code of every
// op, and sanitizers run those alone; the others are about its numbers.
auto Cases(bool first, const std::function<bool(const OpCase&)>& include = {}) {
  std::vector<OpCase> cases = ReadOpCases(include);
  std::set<std::string_view> seen;
  std::erase_if(cases, [&](const OpCase& each) { return seen.insert(each.op->name()).second != first; });
  return ::testing::ValuesIn(cases);
}

INSTANTIATE_TEST_SUITE_P(First, OpCases, Cases(true), NameOf);
INSTANTIATE_TEST_SUITE_P(First, OpGradients, Cases(true, HasDifferences), NameOf);
INSTANTIATE_TEST_SUITE_P(First, OpBatches, Cases(true, HasBatches), NameOf);
INSTANTIATE_TEST_SUITE_P(More, OpCases, Cases(false), NameOf);
INSTANTIATE_TEST_SUITE_P(More, OpGradients, Cases(false, HasDifferences), NameOf);
INSTANTIATE_TEST_SUITE_P(More, OpBatches, Cases(false, HasBatches), NameOf);

// Where JAX says 1: the slope at the corner is the mean of those beside it, as PyTorch has it.
TEST(Gradients, OfAbsAtZeroIsZero) {
  const Function function =
      Trace("abs", Types{{DType::kF32, {}}}, [](std::span<const Value> x) { return Gradient(Abs(x[0]), x); });
  EXPECT_EQ(MustEvaluate(function, {HostTensor::Scalar(0.0f)}).at(0).At(0), 0);
}

// Where JAX says NaN: x^0 is 1 everywhere.
TEST(Gradients, OfZeroToTheZeroIsZero) {
  const Types types(2, {DType::kF32, {}});
  const Function function =
      Trace("pow", types, [](std::span<const Value> x) { return Gradient(Pow(x[0], x[1]), x); });
  const Tensors zeros(2, HostTensor::Scalar(0.0f));
  const Tensors gradients = MustEvaluate(function, zeros);
  EXPECT_EQ(gradients.at(0).At(0), 0);
  EXPECT_EQ(gradients.at(1).At(0), 0);
}

}  // namespace
}  // namespace headrace::jit
