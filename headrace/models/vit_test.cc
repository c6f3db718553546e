// Outputs and gradients are held against Hugging Face's in transformers_test.cc; here is the rest.
#include "headrace/models/vit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/test/graph_error.h"

namespace headrace::models {
namespace {

const VitConfig kTiny{.classes = 10,
                      .image_size = 28,
                      .patch_size = 7,
                      .num_channels = 1,
                      .hidden_size = 8,
                      .num_hidden_layers = 1,
                      .num_attention_heads = 2,
                      .intermediate_size = 12};

int64_t ParameterCount(const VitConfig& config) {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  config.Make(nn::Scope(frame), {config.image_size, config.image_size, config.num_channels});
  int64_t count = 0;
  for (const nn::VariableSpec& spec : frame.specs()) count += spec.type.shape.ElementCount();
  return count;
}

// Of the paper's ViT-Base, and of DeiT-Tiny (Touvron et al., 2021).
TEST(Vit, HasAsManyParametersAsPublished) {
  EXPECT_EQ(ParameterCount({}), 86'567'656);
  EXPECT_EQ(ParameterCount({.hidden_size = 192, .num_attention_heads = 3, .intermediate_size = 768}),
            5'717'416);
}

TEST(Vit, DrawsOnlyInTrainingWithDropout) {
  const auto error = [](const VitConfig& config, bool train) {
    return ErrorOf([&] {
      const auto build = [&](nn::Frame frame) {
        const auto model = config.Make(nn::Scope(frame), {28, 28, 1});
        (*model)(frame.graph().Parameter({DType::kF32, {2, 28, 28, 1}}, "images"));
        return frame.variables();
      };
      Graph graph;
      build(nn::Frame::Bind(graph, build(nn::Frame::Declare(graph)), {.train = train}));
    });
  };
  VitConfig dropping = kTiny;
  dropping.attention_probs_dropout_prob = 0.1;
  EXPECT_THAT(error(dropping, true), ::testing::HasSubstr("vit.encoder.layer.0.attention.attention.dropout"));
  EXPECT_EQ(error(dropping, false), "");
  EXPECT_EQ(error(kTiny, true), "");
}

TEST(Vit, SaysWhatDoesNotFit) {
  Graph scratch;
  nn::Frame frame = nn::Frame::Declare(scratch);
  EXPECT_EQ(ErrorOf([&] { kTiny.Make(nn::Scope(frame), {100}); }),
            "vit: takes images [height, width, channels], not [100]");
  EXPECT_EQ(ErrorOf([&] { kTiny.Make(nn::Scope(frame), {32, 32, 3}); }),
            "vit: is for images [28, 28, 1], but the data's are [32, 32, 3]: say model.image_size and "
            "model.num_channels");
  VitConfig uneven = kTiny;
  uneven.patch_size = 5;
  EXPECT_EQ(uneven.Validate().message(), "patch_size: images of 28 pixels do not divide into patches of 5");
  uneven.num_attention_heads = 3;
  EXPECT_EQ(uneven.Validate().message(), "num_attention_heads: a width of 8 does not divide over 3 heads");
}

}  // namespace
}  // namespace headrace::models
