#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "headrace/core/config.h"
#include "headrace/core/internal/sample_config.h"

namespace headrace::config {
namespace {

using nlohmann::json;

json SampleSchema() {
  internal::Sample sample;
  return json::parse(JsonSchema(StructRef::Of(sample), "A sample"));
}

TEST(ConfigSchema, SaysTheDraftAndClosesEveryObject) {
  const json schema = SampleSchema();
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["title"], "A sample");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["source"]["additionalProperties"], false);
}

TEST(ConfigSchema, Leaves) {
  const json properties = SampleSchema()["properties"];
  EXPECT_EQ(properties["name"], json::parse(R"({"type": ["string", "number", "boolean"], "default": "run",
                         "description": "What the run is called"})"));
  EXPECT_EQ(properties["dtype"]["enum"], json::parse(R"(["f32", "bf16"])"));
  EXPECT_EQ(properties["shuffle"], json::parse(R"({"type": "boolean", "default": true})"));
  const json source = properties["source"]["properties"];
  EXPECT_EQ(source["label"], json::parse(R"({"type": ["integer", "null"], "minimum": 0, "default": null})"));
  EXPECT_EQ(source["shape"]["items"], json::parse(R"({"type": "integer", "minimum": 1})"));
  EXPECT_EQ(source["shape"]["default"], json::parse("[28, 28, 1]"));
}

TEST(ConfigSchema, WhatMustBeGivenIsRequired) {
  const json source = SampleSchema()["properties"]["source"];
  EXPECT_EQ(source["required"], json::parse(R"(["path"])"));
  EXPECT_EQ(source["properties"]["path"],
            json::parse(R"({"type": ["string", "number", "boolean"], "minLength": 1,
                         "description": "The file to read"})"));
}

TEST(ConfigSchema, OneBranchAKind) {
  const json kinds = SampleSchema()["properties"]["optimizer"]["oneOf"];
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0]["properties"]["kind"]["const"], "adamw");
  EXPECT_FALSE(kinds[0].contains("required"));  // the default kind need not be named
  EXPECT_EQ(kinds[1]["properties"]["kind"]["const"], "sgd");
  EXPECT_EQ(kinds[1]["required"], json::parse(R"(["kind"])"));
  EXPECT_EQ(kinds[1]["properties"]["learning_rate"]["exclusiveMinimum"], 0);
  EXPECT_FALSE(kinds[1]["properties"].contains("betas"));
}

TEST(ConfigSchema, AnOptionalStructMayBeNull) {
  const json split = SampleSchema()["properties"]["split"];
  EXPECT_EQ(split["oneOf"][0]["properties"]["train"]["default"], 4000);
  EXPECT_EQ(split["oneOf"][1]["type"], "null");
}

}  // namespace
}  // namespace headrace::config
