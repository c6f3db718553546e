// Weights and imbalance are held against Hugging Face's mixtral in models/transformers_test.cc; here is the
// rest.
#include "headrace/nn/routing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/ops.h"
#include "headrace/graph/test/graph_error.h"
#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"
#include "headrace/jit/trace.h"

namespace headrace::nn {
namespace {

using ::testing::ElementsAre;

// Tokens 0, 1 and 2 would rather go to expert 0, token 3 to expert 1; all go to both.
const HostTensor kLogits = HostTensor::Of<float>({1, 4, 2}, {3, 1, 2, 1, 5, 0, 0, 1});

HostTensor Evaluated(const std::function<Value(Value)>& body) {
  const auto function = jit::TryTrace("route", Types{kLogits.type()},
                                      [&](std::span<const Value> logits) { return Values{body(logits[0])}; });
  EXPECT_TRUE(function.ok()) << function.status().ToString();
  return jit::Evaluate(jit::TestClient(), *function, {&kLogits, 1}).value().at(0);
}

HostTensor Places(int64_t k, int64_t capacity) {
  return Evaluated([&](Value logits) { return PlacesBeforeExperts(RouteToTopK(logits, k), capacity); });
}

// [tokens, experts, capacity]
TEST(Routing, FirstChoicesComeFirstAndFullExpertsLoseTheLast) {
  const HostTensor places = Places(2, 2);
  EXPECT_EQ(places.shape(), Shape({1, 4, 2, 2}));
  EXPECT_THAT(places.data<float>(), ElementsAre(1, 0, 0, 1,  // expert 1 has token 3 at its first place
                                                0, 1, 0, 0,  // and is full
                                                0, 0, 0, 0,  // token 2 finds both full
                                                0, 0, 1, 0));
}

TEST(Routing, NoTokenStandsBeforeExpertsThatItDidNotChoose) {
  EXPECT_THAT(Places(1, 3).data<float>(), ElementsAre(1, 0, 0, 0, 0, 0,  //
                                                      0, 1, 0, 0, 0, 0,  //
                                                      0, 0, 1, 0, 0, 0,  //
                                                      0, 0, 0, 1, 0, 0));
}

TEST(Routing, TheChosenShareTheWeight) {
  const auto weights = [](Value logits) { return RouteToTopK(logits, 1).weights; };
  EXPECT_THAT(Evaluated(weights).data<float>(), ElementsAre(1, 0, 1, 0, 1, 0, 0, 1));
}

TEST(Routing, SaysWhatDoesNotFit) {
  Graph graph;
  const Value logits = graph.Parameter({DType::kF32, {2, 5, 4}}, "logits");
  EXPECT_EQ(ErrorOf([&] { RouteToTopK(logits, 5); }), "routing: 5 of 4 experts cannot be chosen");
}

}  // namespace
}  // namespace headrace::nn
