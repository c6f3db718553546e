#include "headrace/data/csv_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/io/gzip.h"
#include "headrace/io/hash.h"
#include "headrace/io/store.h"

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Files in memory, under mem://csv/.
class CsvSourceTest : public ::testing::Test {
 protected:
  void Write(std::string_view key, std::string_view text) {
    auto store = io::OpenStore("mem://csv");
    ASSERT_TRUE((*store)->Write(key, io::AsBytes(text)).ok());
  }
  Status ErrorOf(const CsvSource& source) {
    const auto dataset = source.Open();
    EXPECT_FALSE(dataset.ok());
    return dataset.status();
  }
};

TEST_F(CsvSourceTest, OpensATableAsFeaturesAndLabels) {
  Write("t.csv", "a,b,label\n1,2,0\n3,4,1\n");
  const auto dataset = CsvSource{.path = "mem://csv/t.csv", .label = "label"}.Open();
  ASSERT_TRUE(dataset.ok()) << dataset.status().ToString();
  EXPECT_EQ((*dataset)->size(), 2);
  EXPECT_THAT((*dataset)->fields(),
              ElementsAre(NamedType{"features", {DType::kF32, {2}}}, NamedType{"label", {DType::kI32, {}}}));
  const Result<Example> example = (*dataset)->Get(1);
  ASSERT_TRUE(example.ok());
  EXPECT_THAT((*example)[0].tensor.data<float>(), ElementsAre(3, 4));
  EXPECT_THAT((*example)[1].tensor.data<int32_t>(), ElementsAre(1));
  EXPECT_EQ((*dataset)->Where(1), "mem://csv/t.csv, row 3");
}

TEST_F(CsvSourceTest, ImagesAreDividedByTheirScale) {
  Write("i.csv", "0,51,102,255,7\n");
  const auto dataset =
      CsvSource{.path = "mem://csv/i.csv", .label = "-1", .image = CsvImage{{2, 2, 1}, 255}}.Open();
  ASSERT_TRUE(dataset.ok()) << dataset.status().ToString();
  const Result<Example> example = (*dataset)->Get(0);
  EXPECT_EQ((*example)[0].name, "image");
  EXPECT_EQ((*example)[0].tensor.shape(), Shape({2, 2, 1}));
  EXPECT_THAT((*example)[0].tensor.data<float>(), ElementsAre(0, 51 / 255.f, 102 / 255.f, 1));
}

TEST_F(CsvSourceTest, GzipIsToldByContentAndHashedAsItLies) {
  const std::string packed = io::Gzip(io::AsBytes("1,2\n3,4\n"));
  Write("packed.csv", packed);
  const auto dataset = CsvSource{.path = "mem://csv/packed.csv"}.Open();
  ASSERT_TRUE(dataset.ok()) << dataset.status().ToString();
  EXPECT_EQ((*dataset)->size(), 2);
  EXPECT_EQ((*dataset)->Sha256(), io::Sha256Hex(io::AsBytes(packed)));
}

TEST_F(CsvSourceTest, ShuffledRowsStillNameTheirPlace) {
  Write("s.csv", "0\n1\n2\n3\n4\n5\n6\n7\n");
  const auto dataset = CsvSource{.path = "mem://csv/s.csv", .examples = {.shuffle_seed = 7}}.Open();
  ASSERT_TRUE(dataset.ok());
  std::vector<float> order;
  for (int i = 0; i < 8; ++i) {
    const float value = (*(*dataset)->Get(i))[0].tensor.data<float>()[0];
    order.push_back(value);
    EXPECT_EQ((*dataset)->Where(i), fmt::format("mem://csv/s.csv, row {}", value + 1));
  }
  EXPECT_THAT(order, ::testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_NE(order, (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(CsvSourceTest, NamesTheLabelThatIsOutOfRange) {
  Write("l.csv", "1,0\n1,9\n1,10\n");
  EXPECT_EQ(ErrorOf({.path = "mem://csv/l.csv", .label = "1", .examples = {.classes = 10}}).ToString(),
            "INVALID_ARGUMENT: mem://csv/l.csv, row 3: label 10 is out of range; 10 classes allow 0 to 9");
}

TEST_F(CsvSourceTest, SaysWhenAnImageDoesNotFit) {
  Write("w.csv", "1,2,3,0\n");
  EXPECT_EQ(
      ErrorOf({.path = "mem://csv/w.csv", .label = "3", .image = CsvImage{{2, 2, 1}}}).message(),
      "mem://csv/w.csv: an image of shape [2, 2, 1] takes 4 values, but a row holds 3 beside the label");
}

TEST_F(CsvSourceTest, NamesTheFileThatIsMissingOrEmpty) {
  const Status missing = ErrorOf({.path = "mem://csv/none.csv"});
  EXPECT_EQ(missing.code(), Code::kNotFound);
  EXPECT_THAT(missing.message(), HasSubstr("mem://csv/none.csv"));
  const Status local = ErrorOf({.path = "no/such/file.csv"});
  EXPECT_EQ(local.code(), Code::kNotFound);
  EXPECT_THAT(local.message(), HasSubstr("no/such/file.csv"));
  Write("empty.csv", "");
  EXPECT_EQ(ErrorOf({.path = "mem://csv/empty.csv"}).message(), "mem://csv/empty.csv is empty");
  EXPECT_EQ(ErrorOf({.path = "data/"}).message(), "'data/' names no file");
}

TEST_F(CsvSourceTest, NamesTheGzipThatIsCutShort) {
  const std::string packed = io::Gzip(io::AsBytes("1,2\n3,4\n"));
  Write("cut.csv.gz", std::string_view(packed).substr(0, packed.size() - 6));
  const Status status = ErrorOf({.path = "mem://csv/cut.csv.gz"});
  EXPECT_EQ(status.code(), Code::kOutOfRange);
  EXPECT_THAT(status.message(), HasSubstr("mem://csv/cut.csv.gz"));
}

TEST_F(CsvSourceTest, ReadsItsConfig) {
  CsvSource source;
  const Status loaded = config::Load(
      "{path: a.csv, label: 784, header: yes, delimiter: ';', image: {shape: [28, 28, 1], scale: 255}, "
      "shuffle_seed: 7}",
      "run.yaml", {}, source);
  ASSERT_TRUE(loaded.ok()) << loaded.ToString();
  EXPECT_EQ(source.label, "784");
  EXPECT_EQ(source.header, "yes");
  EXPECT_EQ(source.delimiter, ";");
  EXPECT_THAT(source.image->shape, ElementsAre(28, 28, 1));
  EXPECT_EQ(source.Scale(), 255);
  EXPECT_EQ(source.examples.shuffle_seed, 7);
}

TEST_F(CsvSourceTest, RefusesAWrongConfig) {
  const auto error_of = [](std::string_view yaml) {
    CsvSource source;
    return config::Load(yaml, "run.yaml", {}, source).message();
  };
  EXPECT_THAT(error_of("{path: a.csv, delimiter: '.'}"),
              HasSubstr("delimiter: '.' is not one character that can stand between numbers"));
  EXPECT_THAT(error_of("{path: a.csv, image: {shape: [28, 28]}}"),
              HasSubstr("shape: [28, 28] is not [height, width, channels]"));
  EXPECT_THAT(error_of("{path: a.csv, header: maybe}"), HasSubstr("auto, yes"));
  EXPECT_THAT(error_of("{label: 1}"), HasSubstr("path"));
}

}  // namespace
}  // namespace headrace::data
