#include "headrace/run/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/data/image.h"
#include "headrace/run/prediction_picture.h"

namespace headrace::run {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

HostTensor Gray() { return HostTensor::Of<uint8_t>({2, 3, 1}, {0, 128, 255, 0, 128, 255}); }

Prediction Example() {
  return {
      .source = "seven.png", .probabilities = {0.1, 0.7, 0.2}, .label = {}, .picture = Gray(), .note = ""};
}

PredictionReport WithMask() {
  Prediction prediction = Example();
  prediction.probabilities = {};
  prediction.picture = HostTensor::Of<uint8_t>({2, 3, 1}, {0, 100, 200, 0, 100, 200});
  const HostTensor mask = HostTensor::Of<int32_t>({2, 3}, {0, 0, 1, 0, 0, 1});
  prediction.mask = MakePredictedMask(mask, HostTensor::Of<int32_t>({2, 3}, {0, 0, 1, 0, 0, 0}), 2);
  return {.checkpoint = {"c", ""},
          .predictions = {prediction},
          .class_names = {"ground", "dot"},
          .mask_values = {0, 255}};
}

TEST(Prediction, TheBestClassIsTheLikeliest) { EXPECT_EQ(Example().Best(), 1); }

TEST(Prediction, AsJson) {
  PredictionReport report{.checkpoint = {"c", ""}, .predictions = {Example()}};
  EXPECT_EQ(ToJson(report),
            "{\"checkpoint\":\"c\",\"predictions\":[{\"source\":\"seven.png\",\"class\":1,"
            "\"probabilities\":[0.1,0.7,0.2]}]}");
  report.predictions[0].label = 2;
  report.predictions[0].note = "inverted";
  EXPECT_THAT(ToJson(report), AllOf(HasSubstr("\"label\":2"), HasSubstr("\"note\":\"inverted\"")));
}

TEST(Prediction, ClassesHaveTheNamesOfTheRun) {
  const PredictionReport report{
      .checkpoint = {"c", ""}, .predictions = {Example()}, .class_names = {"daisy", "rose", "tulip"}};
  EXPECT_EQ(report.NameOf(2), "2 tulip");
  EXPECT_EQ(report.NameOf(3), "3");
  EXPECT_THAT(ToJson(report), HasSubstr("\"class\":1,\"probabilities\":[0.1,0.7,0.2],\"name\":\"rose\""));
  EXPECT_EQ(PredictionReport().NameOf(7), "7");
}

TEST(Prediction, OfMasksAsJson) {
  EXPECT_THAT(ToJson(WithMask()), HasSubstr(R"("shares":{"ground":0.66)"));
  EXPECT_THAT(ToJson(WithMask()), AllOf(HasSubstr(R"("accuracy":0.83)"), HasSubstr(R"("mean_iou":0.65)")));
}

TEST(Predict, WithoutARunSaysSo) {
  EXPECT_EQ(Predict({.path = "runs/gone"}).status().message(), "there is no run at runs/gone");
}

TEST(PictureLines, ShadesTakeTwoRowsEach) {
  EXPECT_THAT(PictureLines(Gray(), /*colour=*/false), ElementsAre(" =@"));
  const HostTensor three_rows = HostTensor::Of<uint8_t>({3, 1, 1}, {255, 255, 255});
  EXPECT_THAT(PictureLines(three_rows, /*colour=*/false), ElementsAre("@", "="));  // below the last: black
}

TEST(PictureLines, ColoursArePairsOfPixels) {
  const HostTensor colours = HostTensor::Of<uint8_t>({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(PictureLines(colours, /*colour=*/true),
              ElementsAre("\x1b[38;2;1;2;3;48;2;4;5;6m\u2580\x1b[0m"));
}

// The colour of a pixel of a drawing.
std::vector<double> At(const HostTensor& drawing, int64_t x, int64_t y) {
  const int64_t at = (y * drawing.shape()[1] + x) * 3;
  return {drawing.At(at), drawing.At(at + 1), drawing.At(at + 2)};
}

TEST(DrawPrediction, IsAPngThatShowsThePictureAndBars) {
  const Result<std::string> png = DrawPrediction({}, Example());
  ASSERT_TRUE(png.ok()) << png.status().ToString();
  const Result<HostTensor> drawing = data::DecodeImage(io::AsBytes(*png), "drawing");
  ASSERT_TRUE(drawing.ok()) << drawing.status().ToString();
  EXPECT_EQ(drawing->shape()[2], 3);
  EXPECT_THAT(At(*drawing, 2, 2), ElementsAre(255, 255, 255));  // the margin
  // The picture begins at (20, 54) and is 280 wide: three columns, black, gray, white.
  EXPECT_THAT(At(*drawing, 60, 100), ElementsAre(0, 0, 0));
  EXPECT_THAT(At(*drawing, 160, 100), ElementsAre(128, 128, 128));
  EXPECT_THAT(At(*drawing, 250, 100), ElementsAre(255, 255, 255));
  // The bars begin at x 354, 26 a row; the likeliest is blue and longer than the others.
  EXPECT_THAT(At(*drawing, 360, 54 + 26 + 13), ElementsAre(33, 110, 190));
  EXPECT_THAT(At(*drawing, 480, 54 + 26 + 13), ElementsAre(33, 110, 190));
  EXPECT_THAT(At(*drawing, 360, 54 + 13), ElementsAre(178, 196, 214));
  EXPECT_THAT(At(*drawing, 480, 54 + 13), ElementsAre(255, 255, 255));
}

TEST(DrawPrediction, AWrongOneIsRed) {
  Prediction wrong = Example();
  wrong.label = 2;
  const HostTensor drawing = *data::DecodeImage(io::AsBytes(*DrawPrediction({}, wrong)), "drawing");
  EXPECT_THAT(At(drawing, 360, 54 + 26 + 13), ElementsAre(196, 64, 48));
}

TEST(DrawPrediction, NeedsAPicture) {
  Prediction features = Example();
  features.picture.reset();
  EXPECT_EQ(DrawPrediction({}, features).status().message(), "seven.png: there is no picture to draw");
}

TEST(DrawPrediction, ShowsMasksOverThePictureAndWhatIsRight) {
  const PredictionReport report = WithMask();
  const std::string png = *DrawPrediction(report, report.predictions[0]);
  const HostTensor drawing = *data::DecodeImage(io::AsBytes(png), "drawing");
  EXPECT_EQ(drawing.shape()[1], 20 + 3 * 300);
  // The first panel begins at (20, 80), each 300 further; pixels are 93 wide. The right ones are class 1 in
  // what was predicted, of what is right only the upper.
  const auto tinted = ElementsAre((200 + 230) / 2, (200 + 159) / 2, 200 / 2);
  for (int64_t y : {100, 220}) {
    EXPECT_THAT(At(drawing, 20 + 140, y), ElementsAre(100, 100, 100));
    EXPECT_THAT(At(drawing, 20 + 270, y), ElementsAre(200, 200, 200));
    EXPECT_THAT(At(drawing, 320 + 140, y), ElementsAre(100, 100, 100));
    EXPECT_THAT(At(drawing, 320 + 270, y), tinted);
  }
  EXPECT_THAT(At(drawing, 620 + 270, 100), tinted);
  EXPECT_THAT(At(drawing, 620 + 270, 220), ElementsAre(200, 200, 200));
}

TEST(Shrunk, KeepsWhatIsSmallAndTheShapeOfWhatIsNot) {
  EXPECT_EQ(Shrunk(Gray(), 3).shape(), Shape({2, 3, 1}));
  EXPECT_EQ(Shrunk(HostTensor({DType::kU8, {100, 400, 3}}), 64).shape(), Shape({16, 64, 3}));
  EXPECT_EQ(Shrunk(HostTensor({DType::kU8, {1, 400, 3}}), 64).shape(), Shape({1, 64, 3}));
}

}  // namespace
}  // namespace headrace::run
