// Convolutions and their gradients against those of JAX (tools/reference/convolution.py).
#include "headrace/graph/ops/convolution.h"

#include <gtest/gtest.h>

#include <fstream>

#include "headrace/graph/gradient.h"
#include "headrace/graph/op_text.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/test/reference_file.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::jit {
namespace {

struct Case {
  std::string text;
  ConvDims dims;
  ConvOptions options;
  Shape lhs, rhs;
};

// "dims = …, strides = …", as the op itself would print it.
Status ParseAttributes(std::string_view text, Case& c) {
  AttributeParser parser(text);
  std::string dims;
  Padding padding;
  parser.Visit("dims", dims);
  parser.Visit("strides", c.options.strides);
  parser.Visit("padding", padding);
  parser.Visit("lhs_dilation", c.options.lhs_dilation);
  parser.Visit("rhs_dilation", c.options.rhs_dilation);
  parser.Visit("feature_groups", c.options.feature_groups);
  parser.Visit("batch_groups", c.options.batch_groups);
  c.dims = ConvDims::Parse(dims);
  c.options.padding = padding;
  return parser.Finish();
}

std::vector<Case> ReadCases() {
  std::ifstream file("headrace/graph/testdata/convolution.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(" | ");
    const size_t second = line.find(" | ", first + 3);
    Case c = {.text = line};
    EXPECT_TRUE(ParseAttributes(line.substr(0, first), c).ok()) << line;
    c.lhs = ParseTensorType("f32" + line.substr(first + 3, second - first - 3))->shape;
    c.rhs = ParseTensorType("f32" + line.substr(second + 3))->shape;
    cases.push_back(std::move(c));
  }
  return cases;
}

// Hands out the elements of a reference, one case after the other.
class Reader {
 public:
  explicit Reader(const HostTensor& all) : all_(all) {}
  HostTensor Next(const Shape& shape) {
    HostTensor tensor({DType::kF32, shape});
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, all_.At(at_ + i));
    at_ += tensor.size();
    return tensor;
  }

 private:
  HostTensor all_;
  int64_t at_ = 0;
};

void ExpectEqual(const HostTensor& got, const HostTensor& want, std::string_view what) {
  ASSERT_EQ(got.type(), want.type()) << what;
  for (int64_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got.At(i), want.At(i)) << what << ", element " << i;
  }
}

TEST(Convolution, EqualsJaxInGeneratedConfigurations) {
  auto references = ReadReferences("headrace/graph/testdata/convolution.safetensors");
  Reader lhs(references["lhs"]), rhs(references["rhs"]), dy(references["dy"]), out(references["out"]),
      d_lhs(references["d_lhs"]), d_rhs(references["d_rhs"]);
  const std::vector<Case> cases = ReadCases();
  ASSERT_EQ(cases.size(), 100u);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    // The shape of the result, then the program: result and both gradients.
    const Types operands = {{DType::kF32, c.lhs}, {DType::kF32, c.rhs}};
    auto convolution = [&](std::span<const Value> x) {
      return Values{Convolution(x[0], x[1], c.dims, c.options)};
    };
    const auto forward = TryTrace("convolution", operands, convolution);
    ASSERT_TRUE(forward.ok()) << forward.status().ToString();
    const TensorType result = forward->results[0].type();
    const auto function =
        TryTrace("convolution", Types{operands[0], operands[1], result}, [&](std::span<const Value> x) {
          const Value y = convolution(x)[0];
          Values results = Gradient(y, x.first(2), x[2]);
          results.push_back(y);
          return results;
        });
    ASSERT_TRUE(function.ok()) << function.status().ToString();
    const auto got = Evaluate(TestClient(), *function,
                              std::vector{lhs.Next(c.lhs), rhs.Next(c.rhs), dy.Next(result.shape)});
    ASSERT_TRUE(got.ok()) << got.status().ToString();
    ExpectEqual(got->at(0), d_lhs.Next(c.lhs), "gradient of the input");
    ExpectEqual(got->at(1), d_rhs.Next(c.rhs), "gradient of the filter");
    ExpectEqual(got->at(2), out.Next(result.shape), "result");
  }
}

}  // namespace
}  // namespace headrace::jit
