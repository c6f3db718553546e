#include "headrace/core/internal/yaml_parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::config::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ErrorOf(std::string_view text) { return ParseYaml(text, "a.yaml").status().message(); }

TEST(YamlParse, RemembersWhereThingsStand) {
  Result<YamlNode> root = ParseYaml("a: 1\nb:\n  c: ['x', y]\n", "a.yaml");
  ASSERT_TRUE(root.ok());
  const YamlNode* list = root->Get("b")->Get("c");
  ASSERT_EQ(list->items.size(), 2u);
  EXPECT_EQ(list->where.ToString(), "a.yaml:3:6");
  EXPECT_EQ(list->items[1].where.ToString(), "a.yaml:3:12");
  EXPECT_TRUE(list->items[0].quoted);
  EXPECT_FALSE(list->items[1].quoted);
  EXPECT_EQ(root->Get("z"), nullptr);
}

TEST(YamlParse, NothingIsNull) {
  for (const char* text : {"", "# only a comment\n", "\n\n", "~", "null"}) {
    EXPECT_EQ(ParseYaml(text, "a")->kind, YamlNode::Kind::kNull) << text;
  }
}

TEST(YamlParse, BrokenYamlKeepsTheLibrarysText) {
  EXPECT_EQ(ErrorOf("a: [1, 2\nb: 3\n"), "a.yaml:2:2: not valid YAML: end of sequence flow not found");
  EXPECT_THAT(ErrorOf("a: b: c"), HasSubstr("not valid YAML: illegal map value"));
  EXPECT_THAT(ErrorOf("a: \"open"), StartsWith("a.yaml:1:"));
  EXPECT_THAT(ErrorOf("a: *nothing"), HasSubstr("the referenced anchor is not defined"));
}

TEST(YamlParse, RefusesWhatAConfigHasNoUseFor) {
  EXPECT_EQ(ErrorOf("a: 1\nb: 2\na: 3"), "a.yaml:3:1: duplicate key a, first written on line 1");
  EXPECT_EQ(ErrorOf("a: 1\n---\nb: 2\n"), "a.yaml: more text after the end of the first YAML document");
  EXPECT_EQ(ErrorOf("a: !!int 3"), "a.yaml:1:4: the tag tag:yaml.org,2002:int has no meaning here");
  EXPECT_EQ(ErrorOf("? [a]\n: 3"), "a.yaml:1:3: a key must be a name");
  EXPECT_EQ(ErrorOf("~: 3"), "a.yaml:1:1: a key must be a name");
  EXPECT_EQ(ErrorOf(", a: 1}"), "a.yaml: more text after the end of the first YAML document");
  EXPECT_EQ(ErrorOf(std::string(60, '[') + std::string(60, ']')), "a.yaml:1:51: nested more than 50 deep");
}

TEST(YamlParse, AliasesAreCopiedUpToALimit) {
  EXPECT_EQ(ParseYaml("a: &x [1, 2]\nb: *x", "a")->Get("b")->items.size(), 2u);
  std::string laughs = "a0: &a0 [1]\n";
  for (int i = 1; i < 12; ++i) {
    laughs += fmt::format("a{0}: &a{0} [*a{1},*a{1},*a{1},*a{1},*a{1},*a{1}]\n", i, i - 1);
  }
  EXPECT_THAT(ErrorOf(laughs), HasSubstr("more than 100000 values"));
  EXPECT_EQ(ErrorOf("a: &x [*x]"), "a.yaml:1:8: an alias inside of what it names");
}

TEST(YamlParse, RefusesBytesThatAreNoText) {
  EXPECT_EQ(ErrorOf("a: 1\nb: \xff"), "a.yaml: line 2: byte 0xff is not UTF-8 text");
  EXPECT_EQ(ErrorOf("a: 1\n\nb: \x04"), "a.yaml: line 3: control character 0x04 is not allowed");
  EXPECT_EQ(ErrorOf(std::string_view("a: \0b", 5)), "a.yaml: line 1: control character 0x00 is not allowed");
  EXPECT_EQ(ErrorOf("a: \xed\xa0\x80"), "a.yaml: line 1: byte 0xed is not UTF-8 text");      // a surrogate
  EXPECT_EQ(ErrorOf("a: \xc0\x80"), "a.yaml: line 1: byte 0xc0 is not UTF-8 text");          // overlong
  EXPECT_EQ(ErrorOf("a: \xf4\x90\x80\x80"), "a.yaml: line 1: byte 0xf4 is not UTF-8 text");  // too far
  EXPECT_EQ(ParseYaml("a: \"größe ✓ 😀\"", "a")->Get("a")->text, "größe ✓ 😀");
}

TEST(YamlParse, LongValuesAreCutInErrors) {
  YamlNode node{.kind = YamlNode::Kind::kScalar, .text = std::string(100, 'x')};
  EXPECT_EQ(Describe(node), "\"" + std::string(60, 'x') + "…\"");
}

}  // namespace
}  // namespace headrace::config::internal
