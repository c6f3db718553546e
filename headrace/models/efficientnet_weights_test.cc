// EfficientNet-Lite0 with the weights that tools/setup.sh puts into .deps/models, on two photographs, against
// PyTorch's logits (tools/reference/efficientnet_weights.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "headrace/data/image.h"
#include "headrace/data/image_fit.h"
#include "headrace/data/normalize.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/models/efficientnet.h"
#include "headrace/tensor/npz.h"
#include "headrace/tensor/safetensors.h"

namespace headrace::models {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path << " is missing; see tools/setup.sh";
  return {std::istreambuf_iterator<char>(file), {}};
}

HostTensor Photo(const std::string& name) {
  const std::string bytes = ReadFile(".deps/data/" + name + ".jpg");
  const data::ImageFit fit{.size = {224, 224}, .interpolation = "bicubic"};
  HostTensor image = fit.Middle(*data::DecodeImage(std::as_bytes(std::span(bytes)), name));
  data::Normalizer::Create({.preset = "efficientnet_lite"}, image.type())->Apply(image.mutable_data<float>());
  return image.Reshaped({1, 224, 224, 3});
}

TEST(EfficientnetLite0, SeesAPalaceAndADaisy) {
  const std::string file = ReadFile(".deps/models/efficientnet_lite0.safetensors");
  std::vector<NamedTensor> weights = *DecodeSafetensors(std::as_bytes(std::span(file)));
  Types types;
  std::vector<HostTensor> arguments;
  for (const NamedTensor& weight : weights) {
    types.push_back(weight.tensor.type());
    arguments.push_back(weight.tensor);
  }
  types.push_back({DType::kF32, {1, 224, 224, 3}});
  arguments.emplace_back();
  const Function function = Trace("logits", types, [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    for (size_t i = 0; i < weights.size(); ++i) variables.emplace(weights[i].name, a[i]);
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), std::move(variables), {});
    return Values{(*EfficientnetLiteConfig().Make(nn::Scope(frame), {224, 224, 3}))(a.back())};
  });

  const std::string reference = ReadFile("headrace/models/testdata/efficientnet_logits.npz");
  const std::map<std::string, int64_t> classes = {{"china", 698}, {"flower", 985}};
  for (const NamedTensor& want : *DecodeNpz(std::as_bytes(std::span(reference)))) {
    arguments.back() = Photo(want.name);
    const auto logits = jit::Evaluate(jit::TestClient(), function, arguments);
    ASSERT_TRUE(logits.ok()) << logits.status().ToString();
    const std::span<const float> got = logits->at(0).data<float>();
    EXPECT_EQ(std::ranges::max_element(got) - got.begin(), classes.at(want.name)) << want.name;
    double largest = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      largest = std::max(largest, std::abs(got[i] - want.tensor.At(static_cast<int64_t>(i))));
    }
    EXPECT_LT(largest, 1e-3) << want.name;
  }
}

}  // namespace
}  // namespace headrace::models
