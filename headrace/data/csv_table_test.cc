#include "headrace/data/csv_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headrace::data {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CsvTable Parsed(std::string_view text, const CsvLayout& layout = {}) {
  Result<CsvTable> table = ParseCsvTable(text, "t.csv", layout);
  EXPECT_TRUE(table.ok()) << table.status().ToString();
  return table.ok() ? *std::move(table) : CsvTable{};
}

std::string ErrorOf(std::string_view text, const CsvLayout& layout = {}) {
  const Result<CsvTable> table = ParseCsvTable(text, "t.csv", layout);
  EXPECT_FALSE(table.ok());
  EXPECT_EQ(table.status().code(), Code::kInvalidArgument);
  return table.status().message();
}

TEST(CsvTable, ReadsRowsOfNumbers) {
  const CsvTable table = Parsed("1,2,3\n4,5,6\n");
  EXPECT_EQ(table.features.shape(), Shape({2, 3}));
  EXPECT_THAT(table.features.data<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(table.header, IsEmpty());
  EXPECT_FALSE(table.labels);
  EXPECT_THAT(table.lines, ElementsAre(1, 2));
}

TEST(CsvTable, ReadsEveryWayToWriteANumber) {
  const CsvTable table = Parsed("-1.5,+2,1e3\n .25 ,\"7\",\t8\n16777216,12345678,0.1\n-0,007,1e-200\n");
  EXPECT_THAT(table.features.data<float>(),
              ElementsAre(-1.5f, 2, 1000, .25f, 7, 8, 16777216, 12345678, 0.1f, 0, 7, 0));
}

TEST(CsvTable, TakesAnyLineEndAndSkipsBlankLines) {
  const CsvTable table = Parsed(
      "\xEF\xBB\xBF"
      "1,2\r\n\r\n  \n3,4");
  EXPECT_THAT(table.features.data<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(table.lines, ElementsAre(1, 4));
}

TEST(CsvTable, TakesOtherDelimiters) {
  EXPECT_THAT(Parsed("1\t2\n", {.delimiter = '\t'}).features.data<float>(), ElementsAre(1, 2));
  EXPECT_THAT(Parsed("1;2\n", {.delimiter = ';'}).features.data<float>(), ElementsAre(1, 2));
}

TEST(CsvTable, TakesTheLabelsOutOfTheirColumn) {
  for (std::string label : {"1", "-2"}) {
    const CsvTable table = Parsed("1,9,3\n4,8.0,6\n", {.label = label});
    EXPECT_THAT(table.features.data<float>(), ElementsAre(1, 3, 4, 6)) << label;
    EXPECT_THAT(table.labels->data<int32_t>(), ElementsAre(9, 8)) << label;
  }
}

TEST(CsvTable, FindsTheHeader) {
  const CsvTable table = Parsed("x, \"y z\" ,label\n1,2,3\n", {.label = "y z"});
  EXPECT_THAT(table.header, ElementsAre("x", "y z", "label"));
  EXPECT_THAT(table.features.data<float>(), ElementsAre(1, 3));
  EXPECT_THAT(table.labels->data<int32_t>(), ElementsAre(2));
  EXPECT_THAT(table.lines, ElementsAre(2));
  EXPECT_THAT(Parsed("1,2\n3,4\n", {.header = CsvHeader::kYes}).features.data<float>(), ElementsAre(3, 4));
}

TEST(CsvTable, NamesTheRowOfTheWrongWidth) {
  EXPECT_EQ(ErrorOf("1,2,3\n4,5\n"), "t.csv, row 2: 2 cells, expected 3 as in the first row");
  EXPECT_EQ(ErrorOf("1,2,3\n\n4,5,6,7\n"), "t.csv, row 3: 4 cells, expected 3 as in the first row");
  EXPECT_EQ(ErrorOf("1,2\n3,4\n5,6,\n"), "t.csv, row 3: 3 cells, expected 2 as in the first row");
}

TEST(CsvTable, NamesTheCellThatIsNoNumber) {
  EXPECT_EQ(ErrorOf("1,2\n3,4x\n"), "t.csv, row 2, column 2: '4x' is not a finite number");
  EXPECT_EQ(ErrorOf("a,b\n1,2\n3,nan\n"), "t.csv, row 3, column 2 ('b'): 'nan' is not a finite number");
  EXPECT_EQ(ErrorOf("1,2\n,4\n"), "t.csv, row 2, column 1: the cell is empty");
  EXPECT_EQ(ErrorOf("1\n1e300\n"), "t.csv, row 2, column 1: 1e300 is too large for f32");
  EXPECT_EQ(ErrorOf("1\n1e999\n"), "t.csv, row 2, column 1: '1e999' is not a finite number");
  EXPECT_EQ(ErrorOf("1\n+-3\n"), "t.csv, row 2, column 1: '+-3' is not a finite number");
  EXPECT_EQ(ErrorOf("1\na\x01\x7f\n"), "t.csv, row 2, column 1: 'a?\?' is not a finite number");
  EXPECT_EQ(ErrorOf("1\n" + std::string(40, 'x')),
            "t.csv, row 2, column 1: '" + std::string(32, 'x') + "…' is not a finite number");
}

TEST(CsvTable, AHalfNumericFirstRowIsNoHeader) {
  EXPECT_EQ(ErrorOf("1,b\n1,2\n"),
            "t.csv, row 1, column 2: 'b' is not a finite number; if this row holds the names of columns, set "
            "header: yes");
  EXPECT_EQ(ErrorOf("x,y\n1,2\n", {.header = CsvHeader::kNo}),
            "t.csv, row 1, column 1: 'x' is not a finite number");
}

TEST(CsvTable, SaysWhatTheLabelColumnCanBe) {
  EXPECT_EQ(ErrorOf("1,2\n", {.label = "2"}),
            "t.csv has 2 columns, so the label's column is one of 0 to 1, or -1 to -2 from the end, not 2");
  EXPECT_EQ(ErrorOf("1,2\n", {.label = "-3"}),
            "t.csv has 2 columns, so the label's column is one of 0 to 1, or -1 to -2 from the end, not -3");
  EXPECT_EQ(ErrorOf("1,2\n", {.label = "digit"}),
            "t.csv has no header, so the label's column is a number, not 'digit'");
  EXPECT_EQ(ErrorOf("pixel,digit\n1,2\n", {.label = "digits"}),
            "t.csv has no column 'digits'; did you mean 'digit'?");
  EXPECT_EQ(ErrorOf("1\n2\n", {.label = "0"}), "t.csv has no column beside the label");
}

TEST(CsvTable, RefusesLabelsThatAreNoClasses) {
  EXPECT_EQ(ErrorOf("1,2.5\n", {.label = "1"}),
            "t.csv, row 1, column 2: the label 2.5 is not a whole number that fits i32");
  EXPECT_EQ(ErrorOf("1,3000000000\n", {.label = "1"}),
            "t.csv, row 1, column 2: the label 3000000000 is not a whole number that fits i32");
}

TEST(CsvTable, RefusesWhatHoldsNoRows) {
  EXPECT_EQ(ErrorOf(""), "t.csv is empty");
  EXPECT_EQ(ErrorOf("\n \r\n"), "t.csv is empty");
  EXPECT_EQ(ErrorOf("a,b\n"), "t.csv holds a header, but no rows");
}

}  // namespace
}  // namespace headrace::data
