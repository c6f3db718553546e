#include "headrace/telemetry/json_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace headrace::telemetry {
namespace {

TEST(JsonObject, KeepsTheOrderOfItsFields) {
  JsonObject eval;
  eval.Set("loss", 0.081).Set("accuracy", 0.9756);
  JsonObject object;
  object.Set("steps", 600)
      .Set("stop_reason", "finished")
      .Set("eval", eval)
      .Set("resumed", false)
      .SetNull("note");
  EXPECT_EQ(object.OneLine(),
            R"({"steps": 600, "stop_reason": "finished", "eval": {"loss": 0.081, "accuracy": 0.9756}, )"
            R"("resumed": false, "note": null})");
  EXPECT_EQ(object.Pretty(),
            "{\n"
            "  \"steps\": 600,\n"
            "  \"stop_reason\": \"finished\",\n"
            "  \"eval\": {\"loss\": 0.081, \"accuracy\": 0.9756},\n"
            "  \"resumed\": false,\n"
            "  \"note\": null\n"
            "}\n");
}

TEST(JsonObject, IsValidWhenEmpty) {
  EXPECT_EQ(JsonObject().OneLine(), "{}");
  EXPECT_EQ(JsonObject().Pretty(), "{}\n");
}

TEST(JsonObject, ReplacesAFieldThatIsSetAgain) {
  EXPECT_EQ(JsonObject().Set("a", 1).Set("b", 2).Set("a", 3).OneLine(), R"({"a": 3, "b": 2})");
}

TEST(JsonObject, WritesTheShortestNumbersThatReadBack) {
  EXPECT_EQ(JsonObject().Set("x", 0.1).OneLine(), R"({"x": 0.1})");
  EXPECT_EQ(JsonObject().Set("x", 0.1f).OneLine(), R"({"x": 0.1})");
  EXPECT_EQ(JsonObject().Set("x", static_cast<double>(0.1f)).OneLine(), R"({"x": 0.10000000149011612})");
  EXPECT_EQ(JsonObject().Set("x", 1e-5).OneLine(), R"({"x": 1e-05})");
  EXPECT_EQ(JsonObject().Set("x", -0.0).OneLine(), R"({"x": -0})");
  EXPECT_EQ(JsonObject().Set("x", 1e300).OneLine(), R"({"x": 1e+300})");
  EXPECT_EQ(JsonObject().Set("x", std::numeric_limits<int64_t>::min()).OneLine(),
            R"({"x": -9223372036854775808})");
}

TEST(JsonObject, SpellsWhatJsonHasNoNumberFor) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(JsonObject().Set("x", infinity).Set("y", -infinity).Set("z", std::nan("")).OneLine(),
            R"({"x": "Infinity", "y": "-Infinity", "z": "NaN"})");
}

TEST(JsonObject, EscapesStringsAndKeys) {
  EXPECT_EQ(JsonObject().Set("a\"b", "tab\t, \\, newline\n, é").OneLine(),
            "{\"a\\\"b\": \"tab\\u0009, \\\\, newline\\u000a, é\"}");
}

}  // namespace
}  // namespace headrace::telemetry
