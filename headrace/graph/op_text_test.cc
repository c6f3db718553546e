#include "headrace/graph/op_text.h"

#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/op_case.h"

namespace headrace {
namespace {

std::string Again(const std::string& text) {
  const auto op = ParseOp(text);
  return op.ok() ? (*op)->ToString() : op.status().ToString();
}

TEST(OpText, ReadsBackWhatItWrites) {
  for (const OpCase& op_case : ReadOpCases()) {
    const std::string text = op_case.op->ToString();
    EXPECT_EQ(Again(text), text) << "written from " << op_case.op_text;
  }
}

TEST(OpText, WritesEveryKindOfAttribute) {
  for (
      const char* text : {
          "tanh",
          "compare {direction = GE}",
          "transpose {permutation = [1, 0]}",
          "pad {padding = [[-1, 2], [0, 0]], interior = [0, 3]}",
          "iota {dtype = bf16, shape = [2, 3], dimension = 1}",
          "sharding_constraint {dims = [\"data fsdp\", \"\", \"?\"]}",
          R"(custom_call {target = "a \"b\" \\ {[,", results = [f32[2, 3], pred[]], backend_config = "x = \"é\0A\"", has_side_effect = true})",
      }) {
    // Bytes beyond ASCII are written by their numbers.
    std::string expected = text;
    if (const size_t at = expected.find("é"); at != std::string::npos) expected.replace(at, 2, "\\C3\\A9");
    EXPECT_EQ(Again(text), expected);
  }
}

TEST(OpText, LeavesOutMeansDefault) {
  EXPECT_EQ(Again(" dot_general { lhs_contract=[1],rhs_contract = [0] } "),
            "dot_general {lhs_batch = [], rhs_batch = [], lhs_contract = [1], rhs_contract = [0], precision "
            "= DEFAULT, preferred_element_type = \"\"}");
}

TEST(OpText, SaysWhatItCannotRead) {
  const std::pair<const char*, const char*> wrong[] = {
      {"transposed", "INVALID_ARGUMENT: there is no op 'transposed'"},
      {"transpose {permutation = [1, 0]",
       "INVALID_ARGUMENT: transpose: the attributes have no closing brace"},
      {"transpose {permutation}",
       "INVALID_ARGUMENT: transpose: 'permutation' is not an attribute like name = value"},
      {"transpose {perm = [0]}", "INVALID_ARGUMENT: transpose: there is no attribute 'perm'"},
      {"transpose {permutation = 0}",
       "INVALID_ARGUMENT: transpose: attribute permutation: '0' is not a list of integers"},
      {"transpose {permutation = [x]}",
       "INVALID_ARGUMENT: transpose: attribute permutation: '[x]' is not a list of integers"},
      {"pad {padding = [1]}", "INVALID_ARGUMENT: pad: attribute padding: '1' is not a pair of integers"},
      {"iota {dimension = one}", "INVALID_ARGUMENT: iota: attribute dimension: 'one' is not an integer"},
      {"iota {dtype = float}", "INVALID_ARGUMENT: iota: attribute dtype: 'float' is not an element type"},
      {"dot_general {preferred_element_type = \"f33\"}",
       "INVALID_ARGUMENT: dot_general: attribute preferred_element_type: 'f33' is not an element type"},
      {"compare {direction = AT}",
       "INVALID_ARGUMENT: compare: attribute direction: 'AT' is not one of EQ, NE, LT, LE, GT, GE"},
      {"custom_call {target = x}",
       "INVALID_ARGUMENT: custom_call: attribute target: 'x' is not a quoted string"},
      {R"(custom_call {target = "\x"})",
       R"(INVALID_ARGUMENT: custom_call: attribute target: '"\x"' is not a quoted string)"},
      {"custom_call {has_side_effect = 1}",
       "INVALID_ARGUMENT: custom_call: attribute has_side_effect: '1' is not true or false"},
      {"custom_call {results = [f32]}",
       "INVALID_ARGUMENT: custom_call: attribute results: 'f32' is not a tensor type"},
      {"custom_call {results = [f32[-1]]}",
       "INVALID_ARGUMENT: custom_call: attribute results: 'f32[-1]' is not a tensor type"},
      {"sharding_constraint {dims = [data]}",
       "INVALID_ARGUMENT: sharding_constraint: attribute dims: 'data' is not a quoted string"},
      {"convolution {dims = \"b\"}",
       "INVALID_ARGUMENT: convolution: attribute dims: 'b' is not like b01f_01io->b01f"},
      {"convolution {dims = \"%b0f_0io->b0f\"}",
       "INVALID_ARGUMENT: convolution: attribute dims: '%b0f_0io->b0f' is not like b01f_01io->b01f"},
      {"constant {value = 1}", "UNIMPLEMENTED: constant: attribute value: tensors are not read from text"},
      {"composite {decomposition = @f}",
       "UNIMPLEMENTED: composite: attribute decomposition: functions are not read from text"},
  };
  for (const auto& [text, message] : wrong) EXPECT_EQ(Again(text), message);
}

TEST(OpText, ReadsTensorTypes) {
  EXPECT_EQ(ParseTensorType(" f32[2, 3]")->ToString(), "f32[2, 3]");
  EXPECT_EQ(ParseTensorType("pred[]")->ToString(), "pred[]");
  for (const char* text : {"", "f32", "f32[2", "f32[a]", "what[2]", "f32[-2]"}) {
    EXPECT_FALSE(ParseTensorType(text).ok()) << text;
  }
}

}  // namespace
}  // namespace headrace
