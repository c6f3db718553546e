#include "headrace/run/segmentation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/data/image.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"
#include "headrace/run/colour.h"
#include "headrace/run/predicted_mask.h"

namespace headrace::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<NamedType> kExample = {
    {"image", {DType::kF32, {2, 2, 1}}}, {"mask", {DType::kI32, {2, 2}}}, {"weight", {DType::kF32, {}}}};

models::ModelConfig Unet(int64_t levels = 1) {
  return models::UnetConfig{.classes = 2, .width = 2, .levels = levels};
}

TEST(SegmentationTask, NeedsMasksOfImagesThatFit) {
  EXPECT_EQ(SegmentationTask("cells", Unet(), {kExample[0]}).status().message(),
            "a segmentation model learns from images and their masks, but the data has only: image; say "
            "data.source.format: segmentation_folder");
  EXPECT_THAT(
      SegmentationTask("cells", Unet(2), kExample).status().message(),
      HasSubstr("unet: takes images [height, width, channels] whose height and width are multiples of "
                "4, not [2, 2, 1]; change the images' size (data.source.image.size) or model.levels"));
}

// A network of zeros that says the same of every pixel: logits 0 and 1, so class 1.
class SaysOne : public testing::Test {
 protected:
  SaysOne() : task_(*SegmentationTask("cells", Unet(), kExample)) {
    for (const nn::VariableSpec& spec : task_.variables) {
      types_.push_back(spec.type);
      arguments_.emplace_back(spec.type);
      if (spec.name == "outc.conv.bias") arguments_.back().Set(1, 1);
    }
  }

  // The weight, then the sums, of two examples, of which the second does not count; nor does one pixel.
  std::vector<double> Measured(bool train) {
    const std::vector<HostTensor> batch = {HostTensor({DType::kF32, {2, 2, 2, 1}}),
                                           HostTensor::Of<int32_t>({2, 2, 2}, {1, 0, -1, 1, 0, 0, 0, 0}),
                                           HostTensor::Of<float>({2}, {1, 0})};
    Types types = types_;
    for (const HostTensor& field : batch) types.push_back(field.type());
    const size_t count = task_.variables.size();
    const Result<Function> function = jit::TryTrace("measure", types, [&](std::span<const Value> a) {
      std::map<std::string, Value> variables;
      for (size_t i = 0; i < count; ++i) variables.emplace(task_.variables[i].name, a[i]);
      nn::Frame frame = nn::Frame::Bind(a[0].graph(), variables, {.train = train});
      const train::Measures measures =
          task_.measure(frame, {{"image", a[count]}, {"mask", a[count + 1]}, {"weight", a[count + 2]}});
      Values values = {measures.weight};
      for (const train::NamedSum& sum : measures.sums) values.push_back(sum.sum);
      return values;
    });
    EXPECT_TRUE(function.ok()) << function.status().ToString();
    std::vector<HostTensor> arguments = arguments_;
    arguments.insert(arguments.end(), batch.begin(), batch.end());
    const auto results = jit::Evaluate(jit::TestClient(), *function, arguments);
    EXPECT_TRUE(results.ok()) << results.status().ToString();
    std::vector<double> numbers;
    for (const HostTensor& result : *results) numbers.push_back(result.At(0));
    return numbers;
  }

  train::Task task_;
  Types types_;
  std::vector<HostTensor> arguments_;
};

TEST_F(SaysOne, MeasuresThePixelsThatCount) {
  const std::vector<double> sums = Measured(/*train=*/true);
  ASSERT_EQ(sums.size(), 3u);
  EXPECT_EQ(sums[0], 3);
  EXPECT_NEAR(sums[1], 2 * std::log1p(std::exp(-1.0)) + std::log1p(std::exp(1.0)), 1e-5);
  EXPECT_EQ(sums[2], 2);
}

TEST_F(SaysOne, EvaluationsCountClassesForTheirIntersectionOverUnion) {
  EXPECT_THAT(task_.EvaluatedNames(),
              ElementsAre("loss", "accuracy", "is/0", "said/0", "both/0", "is/1", "said/1", "both/1"));
  const std::vector<double> sums = Measured(/*train=*/false);
  ASSERT_EQ(sums.size(), 9u);
  EXPECT_THAT(std::span(sums).subspan(3), ElementsAre(1, 0, 0, 2, 3, 2));
  std::vector<NamedMean> means;
  for (size_t i = 0; i < 8; ++i) means.push_back({task_.EvaluatedNames()[i], sums[i + 1] / sums[0]});
  const std::vector<NamedMean> report = kSegmentation.report(means);
  ASSERT_EQ(report.size(), 3u);
  EXPECT_EQ(report[1].name, "accuracy");
  EXPECT_EQ(report[2].name, "mean_iou");
  EXPECT_NEAR(report[2].value, (0.0 / 1 + 2.0 / 3) / 2, 1e-6);
}

TEST_F(SaysOne, PredictsTheClassOfEachPixel) {
  const Result<Function> function = TracePrediction(Unet(), task_.variables, {DType::kF32, {1, 2, 2, 1}});
  ASSERT_TRUE(function.ok()) << function.status().ToString();
  std::vector<HostTensor> arguments = arguments_;
  arguments.emplace_back(TensorType{DType::kF32, {1, 2, 2, 1}});
  const auto results = jit::Evaluate(jit::TestClient(), *function, arguments);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ(results->front().type(), (TensorType{DType::kI32, {1, 2, 2}}));
  EXPECT_THAT(results->front().data<int32_t>(), ElementsAre(1, 1, 1, 1));
}

TEST(CompareMasks, CountsWhatIsKnown) {
  const HostTensor said = HostTensor::Of<int32_t>({2, 3}, {0, 1, 1, 2, 0, 0});
  const HostTensor is = HostTensor::Of<int32_t>({2, 3}, {0, 1, 0, -1, 0, 1});
  const MaskAgreement agreement = *CompareMasks(said, is, 4);
  EXPECT_NEAR(agreement.accuracy, 3.0 / 5, 1e-12);
  EXPECT_NEAR(agreement.mean_iou, (2.0 / 4 + 1.0 / 3) / 2, 1e-12);  // classes 2 and 3 do not occur
  EXPECT_EQ(agreement.ToString(), "60.0 % of the pixels are right, mean IoU 0.417");
  EXPECT_FALSE(CompareMasks(said, HostTensor::Of<int32_t>({2, 3}, {-1, -1, -1, -1, -1, -1}), 4));
}

TEST(PredictedMask, SharesAreOfAllPixels) {
  const PredictedMask mask = MakePredictedMask(HostTensor::Of<int32_t>({1, 4}, {0, 2, 2, 0}), {}, 3);
  EXPECT_THAT(mask.shares, ElementsAre(0.5, 0, 0.5));
  EXPECT_FALSE(mask.agreement);
}

TEST(PredictedMask, FilesHoldTheValuesOfTheData) {
  const std::string png = *EncodeMask(HostTensor::Of<int32_t>({1, 3}, {1, 0, 1}), {7, 255});
  EXPECT_THAT(data::DecodeMask(io::AsBytes(png), "x")->data<uint8_t>(), ElementsAre(255, 7, 255));
}

TEST(Tinted, LaysColoursOverAllButTheFirstClassAndWhatDoesNotCount) {
  const HostTensor picture = HostTensor::Of<uint8_t>({1, 3, 1}, {100, 100, 100});
  const HostTensor tinted = Tinted(picture, HostTensor::Of<int32_t>({1, 3}, {0, 1, -1}));
  const Rgb colour = ColourOfClass(1);
  EXPECT_THAT(tinted.data<uint8_t>(), ElementsAre(100, 100, 100, (100 + colour.r) / 2, (100 + colour.g) / 2,
                                                  (100 + colour.b) / 2, 100, 100, 100));
}

}  // namespace
}  // namespace headrace::run
