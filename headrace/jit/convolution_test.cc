// Convolutions and their gradients against those of JAX (tools/reference/convolution.py).
#include "headrace/graph/ops/convolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

void ExpectEqual(const HostTensor& got, const HostTensor& want, std::string_view what) {
  ASSERT_EQ(got.type(), want.type()) << what;
  for (int64_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got.At(i), want.At(i)) << what << ", element " << i;
  }
}

TEST(Convolution, EqualsJaxInGeneratedConfigurations) {
  auto references = ReadReferences("headrace/graph/testdata/convolution.safetensors");
  ElementReader lhs(references["lhs"]), rhs(references["rhs"]), dy(references["dy"]), out(references["out"]),
      d_lhs(references["d_lhs"]), d_rhs(references["d_rhs"]);
  const std::vector<Case> cases = ReadCases();
  ASSERT_EQ(cases.size(), 100u);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    Function function{.name = "convolution", .graph = std::make_unique<Graph>(), .results = {}};
    const TensorType x_type = {DType::kF32, c.lhs};
    const TensorType w_type = {DType::kF32, c.rhs};
    const Value x = function.graph->Parameter(x_type, "x");
    const Value w = function.graph->Parameter(w_type, "w");
    const Value y = Convolution(x, w, c.dims, c.options);
    const Value seed = function.graph->Parameter(y.type(), "dy");
    function.results = Gradient(y, std::array{x, w}, seed);
    function.results.push_back(y);
    const auto got =
        Evaluate(TestClient(), function, std::vector{lhs.Next(x_type), rhs.Next(w_type), dy.Next(y.type())});
    ASSERT_TRUE(got.ok()) << got.status().ToString();
    ExpectEqual(got->at(0), d_lhs.Next(x_type), "gradient of the input");
    ExpectEqual(got->at(1), d_rhs.Next(w_type), "gradient of the filter");
    ExpectEqual(got->at(2), out.Next(y.type()), "result");
  }
}

// Traces a convolution of x and w with `options` and returns what is wrong with it.
std::string ErrorOf(Shape lhs, Shape rhs, const ConvOptions& options,
                    const ConvDims& dims = ConvDims::ChannelsLast(2)) {
  const Types types = {{DType::kF32, std::move(lhs)}, {DType::kF32, std::move(rhs)}};
  const auto function = TryTrace("convolution", types, [&](std::span<const Value> x) {
    auto entered = x[0].graph().Enter("stem");
    return Values{Convolution(x[0], x[1], dims, options)};
  });
  return function.ok() ? "" : function.status().message();
}

TEST(Convolution, SaysWhatIsWrong) {
  const Shape x = {2, 6, 6, 4};
  EXPECT_EQ(ErrorOf(x, {3, 3, 5, 8}, {}),
            "convolution(f32[2, 6, 6, 4], f32[3, 3, 5, 8]): the input has 4 features; the filter takes 5 (in "
            "stem)");
  EXPECT_THAT(ErrorOf(x, {3, 3, 4, 8}, {.feature_groups = 2}),
              HasSubstr("the input has 4 features; the filter takes 4 in each of 2 groups"));
  EXPECT_THAT(ErrorOf(x, {3, 3, 2, 7}, {.feature_groups = 2}),
              HasSubstr("the filter's 7 output features do not divide into 2 groups"));
  EXPECT_THAT(ErrorOf(x, {3, 3, 4, 9}, {.batch_groups = 3}),
              HasSubstr("a batch of 2 does not divide into 3 groups"));
  EXPECT_THAT(ErrorOf(x, {3, 3, 2, 8}, {.feature_groups = 2, .batch_groups = 2}),
              HasSubstr("feature_groups 2 and batch_groups 2 must be positive and one of them 1"));
  EXPECT_THAT(
      ErrorOf(x, {3, 3, 4, 8}, {.strides = {2}}),
      HasSubstr(
          "strides [2] must be 2 positive numbers, one a dimension that the window slides over (in stem)"));
  EXPECT_THAT(ErrorOf(x, {3, 3, 4, 8}, {.rhs_dilation = {1, 0}}),
              HasSubstr("window dilation [1, 0] must be 2"));
  EXPECT_THAT(ErrorOf(x, {3, 3, 4, 8}, {.padding = Padding{{-4, -3}, {0, 0}}}),
              HasSubstr("padding (-4, -3) removes more than the 6 elements that there are"));
  EXPECT_THAT(
      ErrorOf(x, {3, 4, 8}, {}),
      HasSubstr("dims b01f_01io->b01f do not name every dimension of operands of ranks 4 and 3 once"));
  EXPECT_THAT(ErrorOf(x, {3, 3, 4, 8}, {}, ConvDims::Parse("b01f_01io->b00f")),
              HasSubstr("dims b01f_01io->b0? do not name"));
}

TEST(ConvDims, ReadBackWhatTheyPrint) {
  EXPECT_EQ(ConvDims::ChannelsLast(2).ToString(), "b01f_01io->b01f");
  EXPECT_EQ(ConvDims::ChannelsFirst(3).ToString(), "bf012_oi012->bf012");
  for (const char* text : {"bf_io->fb", "f0b21_201oi->01b2f"})
    EXPECT_EQ(ConvDims::Parse(text).ToString(), text);
  EXPECT_EQ(ConvDims::Parse("b01f"), ConvDims());
}

// TensorFlow's rule: as much as gives ceil(size / stride), the odd one behind.
TEST(WindowPadding, SamePadsForEveryStride) {
  auto same = [](int64_t size, const Window& window) {
    return ResolvePadding(PaddingMode::kSame, std::vector{size}, window)[0];
  };
  EXPECT_THAT(same(28, {.size = {3}}), ElementsAre(1, 1));
  EXPECT_THAT(same(28, {.size = {2}}), ElementsAre(0, 1));
  EXPECT_THAT(same(28, {.size = {3}, .strides = {2}}), ElementsAre(0, 1));
  EXPECT_THAT(same(29, {.size = {3}, .strides = {2}}), ElementsAre(1, 1));
  EXPECT_THAT(same(28, {.size = {1}, .strides = {2}}), ElementsAre(0, 0));
  EXPECT_THAT(same(10, {.size = {3}, .window_dilation = {3}}), ElementsAre(3, 3));
  EXPECT_THAT(same(0, {.size = {3}}), ElementsAre(1, 1));
}

// Twice differentiated and batched: against one example after the other, in sums that are exact.
TEST(Convolution, SecondGradientsOfABatchEqualSingleOnes) {
  const Types types = {{DType::kF32, {3, 2, 5, 4, 2}}, {DType::kF32, {3, 2, 3, 1, 4}}};
  auto second = [](std::span<const Value> x) {
    const Value y = Convolution(x[0], x[1], ConvDims::ChannelsLast(2),
                                {.strides = {2, 1}, .padding = PaddingMode::kSame, .feature_groups = 2});
    const Values first = Gradient(Sum(y * y), x);
    return Gradient(Sum(first[0] * first[0]) + Sum(first[1]), x);
  };
  const auto function = TryTrace("second", types, [&](std::span<const Value> x) {
    Values results = Vmap(second, x, {{0}, {0}});
    for (int64_t i = 0; i < 3; ++i) {
      const Value example[] = {Reshape(Slice(x[0], 0, i, i + 1), Ints{2, 5, 4, 2}),
                               Reshape(Slice(x[1], 0, i, i + 1), Ints{2, 3, 1, 4})};
      for (Value gradient : second(example)) results.push_back(gradient);
    }
    return results;
  });
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  std::vector<HostTensor> arguments;
  for (const TensorType& type : types) {
    HostTensor tensor(type);
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, static_cast<double>(i * i % 5 - 2));
    arguments.push_back(tensor);
  }
  const auto got = Evaluate(TestClient(), *function, arguments);
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  for (size_t operand = 0; operand < 2; ++operand) {
    const HostTensor& batched = got->at(operand);
    for (int64_t i = 0, at = 0; i < 3; ++i) {
      const HostTensor& single = got->at(2 + 2 * static_cast<size_t>(i) + operand);
      for (int64_t k = 0; k < single.size(); ++k, ++at)
        ASSERT_EQ(batched.At(at), single.At(k)) << i << " " << k;
    }
  }
}

}  // namespace
}  // namespace headrace::jit
