#include "headrace/checkpoint/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/io/hash.h"

namespace headrace::checkpoint {
namespace {

using testing::HasSubstr;

Manifest Example() {
  return {.step = 600,
          .created = "2026-11-30T09:32:00Z",
          .version = "0.1.0",
          .plugin = "cpu \"0.11.2\"",
          .config_sha256 = "c0",
          .params_sha256 = "a0",
          .mesh = {{"data", 2}, {"fsdp", 4}},
          .data = {.examples = 60000, .sha256 = "d0"},
          .files = {{"model/config.json", 20, "f0"}, {"state/state.safetensors", 200, "f1"}},
          .tensors = {{"state/a",
                       {DType::kF32, {3, 4}},
                       {{"state/state.safetensors", 100, {{0, 0}, {2, 4}}, 0xffffffff},
                        {"state/state.safetensors", 132, {{2, 0}, {1, 4}}, 7}}},
                      {"state/b", {DType::kI64, {}}, {{"state/state.safetensors", 192, {}, 1}}},
                      {"state/c", {DType::kI8, {0, 9}}, {}}}};
}

TEST(Manifest, ReadsBackWhatItWrote) {
  std::string text = ToJson(Example());
  Result<Manifest> back = ParseManifest(text, "manifest.json");
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_EQ(*back, Example());
  EXPECT_EQ(back->TotalBytes(), 220);
  EXPECT_EQ(back->FindTensor("state/b")->type.ToString(), "i64[]");
  EXPECT_EQ(back->FindTensor("state/bb"), nullptr);
  EXPECT_EQ(back->FindFile("model/config.json")->size, 20);
  EXPECT_EQ(back->FindFile("model"), nullptr);
}

TEST(Manifest, IsTextThatPeopleRead) {
  std::string text = ToJson(Example());
  EXPECT_THAT(text, HasSubstr(R"(
  "format": 1,
  "step": 600,
  "created": "2026-11-30T09:32:00Z",
  "version": "0.1.0",
  "plugin": "cpu \"0.11.2\"",
  "config_sha256": "c0",
  "params_sha256": "a0",
  "mesh": [
    {"name":"data","size":2},
    {"name":"fsdp","size":4}
  ],
  "data": {"examples":60000,"sha256":"d0"},
  "files": [
    {"name":"model/config.json","size":20,"sha256":"f0"},
)"));
}

TEST(Manifest, RefusesEveryDamagedByteAndEveryShorterText) {
  const std::string text = ToJson(Example());
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] ^= 1;
    EXPECT_EQ(ParseManifest(damaged, "m").status().code(), Code::kDataLoss) << i;
    EXPECT_EQ(ParseManifest(text.substr(0, i), "m").status().code(), Code::kDataLoss) << i;
  }
  EXPECT_EQ(ParseManifest(text + "x", "m").status().code(), Code::kDataLoss);
}

TEST(Manifest, SaysWhatIsWrongWithADamagedOne) {
  EXPECT_EQ(ParseManifest("{}", "runs/a/manifest.json").status().ToString(),
            "DATA_LOSS: runs/a/manifest.json is not a manifest, or its beginning is damaged");
  std::string text = ToJson(Example());
  text[text.find("60000")] = '7';
  EXPECT_EQ(ParseManifest(text, "runs/a/manifest.json").status().ToString(),
            "DATA_LOSS: runs/a/manifest.json is damaged: it does not match its own SHA-256");
}

// Parses the example's text with one part replaced and the hash made good again.
Status ParseWith(std::string_view part, std::string_view replacement) {
  std::string text = ToJson(Example());
  size_t body = text.find("  \"format\"");
  std::string rest = text.substr(body);
  size_t found = rest.find(part);
  EXPECT_NE(found, std::string::npos) << part;
  rest.replace(found, part.size(), replacement);
  std::string whole = "{\n  \"manifest_sha256\": \"" + io::Sha256Hex(io::AsBytes(rest)) + "\",\n" + rest;
  return ParseManifest(whole, "m").status();
}

TEST(Manifest, RefusesALaterFormat) {
  EXPECT_EQ(ParseWith("\"format\": 1", "\"format\": 2").ToString(),
            "UNIMPLEMENTED: m has format 2, this version of Headrace reads format 1: use the version that "
            "wrote it");
}

TEST(Manifest, NamesTheFieldThatIsWrong) {
  auto message = [](std::string_view part, std::string_view replacement) {
    return ParseWith(part, replacement).message();
  };
  EXPECT_EQ(message("\"step\": 600", "\"stop\": 600"), "m is no valid manifest: step is missing");
  EXPECT_EQ(message("600", "-1"), "m is no valid manifest: step is not a whole number of 0 or more");
  EXPECT_EQ(message("600", "18446744073709551615"),
            "m is no valid manifest: step is not a whole number of 0 or more");
  EXPECT_EQ(message("\"c0\"", "1"), "m is no valid manifest: config_sha256 is not a string");
  EXPECT_EQ(message("\"data\": {", "\"data\": [{"), "m is no valid manifest: it is not JSON");
  EXPECT_EQ(message("{\"examples\":60000,\"sha256\":\"d0\"}", "3"),
            "m is no valid manifest: data: is not an object");
  EXPECT_EQ(message("\"name\":\"fsdp\",", ""), "m is no valid manifest: mesh[1]: name is missing");
  EXPECT_EQ(message("\"offset\":132", "\"offset\":1.5"),
            "m is no valid manifest: tensors[0]: pieces[1]: offset is not a whole number of 0 or more");
  EXPECT_EQ(message("4294967295", "4294967296"),
            "m is no valid manifest: tensors[0]: pieces[0]: crc32c has more than 32 bits");
  EXPECT_EQ(message("\"f32\"", "\"f31\""),
            "m is no valid manifest: tensors[0]: dtype is f31, which is not known");
}

TEST(Manifest, RefusesTensorsThatDoNotFit) {
  auto message = [](std::string_view part, std::string_view replacement) {
    return ParseWith(part, replacement).message();
  };
  EXPECT_EQ(message("\"offset\":132", "\"offset\":190"),
            "m is no valid manifest: a piece of tensor state/a reaches beyond its file");
  EXPECT_EQ(message("\"start\":[2,0]", "\"start\":[3,0]"),
            "m is no valid manifest: a piece of tensor state/a reaches beyond its tensor");
  EXPECT_EQ(message("\"start\":[2,0]", "\"start\":[1,0]"),
            "m is no valid manifest: the pieces of tensor state/a do not cover it");
  EXPECT_EQ(message("\"size\":[1,4]", "\"size\":[1,3]"),
            "m is no valid manifest: the pieces of tensor state/a do not cover it");
  EXPECT_EQ(message("\"size\":[1,4]", "\"size\":[4]"),
            "m is no valid manifest: a piece of tensor state/a has another rank");
  EXPECT_EQ(message("\"file\":\"state/state.safetensors\"", "\"file\":\"other\""),
            "m is no valid manifest: a piece of tensor state/a lies in a file that is not listed");
  EXPECT_EQ(message("\"shape\":[3,4]", "\"shape\":[4611686018427387904,4]"),
            "m is no valid manifest: tensor state/a is larger than any file");
  EXPECT_EQ(message("\"shape\":[0,9]", "\"shape\":[4611686018427387904,4,0]"),
            "m is no valid manifest: tensor state/c is larger than any file");
  EXPECT_EQ(message("state/b", "state/a"), "m is no valid manifest: tensor state/a is out of order");
}

TEST(Manifest, RefusesFilesOutsideOfIt) {
  for (std::string name : {"../secret", "/etc/passwd", "model/../../x", "", "model//x", "./x"}) {
    EXPECT_EQ(ParseWith("model/config.json", name).message(),
              "m is no valid manifest: file " + name + " lies outside");
  }
}

}  // namespace
}  // namespace headrace::checkpoint
