// Blocks that are worked out again on the way back, and layers that run as a loop: the same training, in less
// memory or a smaller program.
#include <gtest/gtest.h>

#include <cmath>

#include "headrace/data/dataset.h"
#include "headrace/jit/test_client.h"
#include "headrace/models/models.h"
#include "headrace/run/classification.h"
#include "headrace/run/language_modeling.h"
#include "headrace/train/trainer.h"

namespace headrace::models {
namespace {

constexpr int64_t kBatch = 8;
constexpr int64_t kLength = 16;
constexpr int64_t kSide = 32;

HostTensor Counting(const Shape& shape, int64_t below) {
  HostTensor tensor({DType::kI32, shape});
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, static_cast<double>((7 * i + i / 3) % below));
  return tensor;
}

struct Case {
  std::string name;
  ModelConfig config;
};

std::vector<Case> Cases() {
  LlamaConfig llama{.vocab_size = 32, .hidden_size = 16, .intermediate_size = 24, .num_hidden_layers = 2};
  llama.num_attention_heads = 2;
  LlamaConfig mixtral = llama;
  mixtral.moe = MixtureConfig{.experts = 3, .top_k = 2, .aux_loss_coef = 0.1};
  GptConfig gpt{.vocab_size = 32, .n_positions = kLength, .n_embd = 16, .n_layer = 2, .n_head = 2};
  gpt.resid_pdrop = gpt.attn_pdrop = gpt.embd_pdrop = 0.1;
  VitConfig vit{.classes = 5, .image_size = kSide, .patch_size = 16, .hidden_size = 16};
  vit.num_hidden_layers = vit.num_attention_heads = 2;
  vit.hidden_dropout_prob = 0.1;
  return {{"gpt", gpt},
          {"llama", llama},
          {"mixtral", mixtral},
          {"vit", vit},
          {"resnet", ResnetConfig{.classes = 5, .depth = 18}}};
}

// A batch of text or of images, for the family.
struct Input {
  std::vector<NamedType> example;
  data::Batch batch;
};

Input InputFor(const ModelConfig& config, int64_t length) {
  if (PurposeOf(config) == Purpose::kLanguage) {
    const TensorType row = {DType::kI32, {length}};
    const HostTensor tokens = Counting({kBatch, length}, 32);
    return {{{std::string(data::kTokens), row}, {std::string(data::kTargets), row}},
            {.index = 0,
             .fields = {{std::string(data::kTokens), tokens}, {std::string(data::kTargets), tokens}}}};
  }
  const Shape image = {kSide, kSide, 3};
  const HostTensor pixels = Counting({kBatch, kSide, kSide, 3}, 17).ConvertTo(DType::kF32);
  return {
      {{std::string(data::kImage), {DType::kF32, image}}, {std::string(data::kLabel), {DType::kI32, {}}}},
      {.index = 0,
       .fields = {{std::string(data::kImage), pixels}, {std::string(data::kLabel), Counting({kBatch}, 5)}}}};
}

std::unique_ptr<train::Trainer> NewTrainer(const ModelConfig& config, const Input& input,
                                           train::StepOptions options) {
  const auto make =
      PurposeOf(config) == Purpose::kLanguage ? run::LanguageModelingTask : run::ClassificationTask;
  std::vector<NamedType> fields;
  for (const NamedTensor& field : input.batch.fields) fields.push_back({field.name, field.tensor.type()});
  optim::SgdConfig sgd;
  sgd.learning_rate = 0.01;
  options.optimizer = sgd;
  options.total_steps = 4;
  auto trainer = train::Trainer::Create(*jit::Devices::Of(jit::TestClient()),
                                        *make("task", config, input.example), fields, options);
  EXPECT_TRUE(trainer.ok()) << trainer.status().ToString();
  EXPECT_TRUE((*trainer)->Initialize(3).ok());
  return *std::move(trainer);
}

// Losses of a few steps, and the model after them.
struct Trained {
  std::vector<double> losses;
  checkpoint::TensorMap model;
};

Trained Train(const ModelConfig& config, const train::StepOptions& options) {
  const Input input = InputFor(config, kLength);
  const auto trainer = NewTrainer(config, input, options);
  Trained trained;
  for (int64_t step = 0; step < 2; ++step)
    trained.losses.push_back((*(*trainer->Step(input.batch)).Wait()).metrics[0]);
  trained.model = trainer->ToHost()->model;
  return trained;
}

void ExpectSame(const Trained& got, const Trained& want) {
  for (size_t i = 0; i < want.losses.size(); ++i)
    EXPECT_NEAR(got.losses[i], want.losses[i], 1e-5 * (1 + want.losses[i])) << "step " << i;
  EXPECT_NE(want.losses.back(), want.losses.front());
  ASSERT_EQ(got.model.size(), want.model.size());
  for (const auto& [name, tensor] : want.model) {
    double largest = 0;
    for (int64_t i = 0; i < tensor.size(); ++i) largest = std::max(largest, std::fabs(tensor.At(i)));
    for (int64_t i = 0; i < tensor.size(); ++i)
      ASSERT_NEAR(got.model.at(name).At(i), tensor.At(i), 1e-4 * (largest + 1e-3))
          << name << ", element " << i;
  }
}

TEST(Remat, EveryFamilyLearnsTheSame) {
  for (const auto& [name, config] : Cases()) {
    const Trained kept = Train(config, {});
    for (const RematPolicy policy : {RematPolicy::kDots, RematPolicy::kFull}) {
      if (policy == RematPolicy::kDots && name != "gpt") continue;  // compiling takes long
      SCOPED_TRACE(fmt::format("{}, policy {}", name, static_cast<int>(policy)));
      ExpectSame(Train(config, {.remat = policy}), kept);
    }
  }
}

ModelConfig Scanned(ModelConfig config) {
  std::visit(
      [](auto& kind) {
        if constexpr (requires { kind.scan_layers; }) kind.scan_layers = true;
      },
      config);
  return config;
}

TEST(ScanLayers, EveryTransformerLearnsTheSame) {
  for (const auto& [name, config] : Cases()) {
    if (name == "resnet") continue;
    const Trained unrolled = Train(config, {});
    for (const RematPolicy policy : {RematPolicy::kNone, RematPolicy::kFull}) {
      if (policy == RematPolicy::kFull && name != "mixtral") continue;  // compiling takes long
      SCOPED_TRACE(fmt::format("{}, policy {}", name, static_cast<int>(policy)));
      ExpectSame(Train(Scanned(config), {.remat = policy}), unrolled);
    }
  }
}

TEST(ScanLayers, OnlyTheCopiesOfParametersGrowWithTheLayers) {
  const auto lines = [](int64_t layers) {
    GptConfig gpt{.vocab_size = 32, .n_positions = kLength, .n_embd = 16, .n_layer = layers, .n_head = 2};
    gpt.scan_layers = true;
    const std::string text(NewTrainer(gpt, InputFor(gpt, kLength), {})->step_program().text());
    std::map<std::string, int64_t> counts;
    for (const std::string op : {"stablehlo.dot_general", "stablehlo.while"}) {
      for (size_t at = text.find(op); at != std::string::npos; at = text.find(op, at + 1)) ++counts[op];
    }
    return counts;
  };
  EXPECT_EQ(lines(8), lines(2));
  EXPECT_EQ(lines(2).at("stablehlo.while"), 2);  // forward and back
}

// Loops are as fast as what is written out, but on a CPU not for convolutions.
TEST(Accumulation, OnlyConvolutionsAreWrittenOut) {
  for (const auto& [name, config] : Cases()) {
    if (name != "gpt" && name != "resnet") continue;
    const auto trainer = NewTrainer(config, InputFor(config, kLength), {.microbatches = kBatch});
    EXPECT_EQ(trainer->step_program().text().contains("stablehlo.while"), name == "gpt") << name;
  }
}

// A block's input is there before the block begins, or compilers make it anew for each of its readers, from
// the inputs of all blocks before it.
TEST(Blocks, BeginBehindABarrier) {
  GptConfig gpt{.vocab_size = 32, .n_positions = kLength, .n_embd = 16, .n_layer = 3, .n_head = 2};
  const auto trainer = NewTrainer(gpt, InputFor(gpt, kLength), {});
  const std::string_view text = trainer->step_program().text();
  int barriers = 0;
  for (size_t at = text.find("optimization_barrier"); at != std::string::npos;
       at = text.find("optimization_barrier", at + 1))
    ++barriers;
  EXPECT_EQ(barriers, 2 * 3);  // forward and back
}

// What is kept of each layer is then its input alone.
TEST(Remat, DeepModelsTakeLessMemory) {
  const GptConfig gpt{.vocab_size = 32, .n_positions = 128, .n_embd = 32, .n_layer = 6, .n_head = 2};
  const Input input = InputFor(gpt, gpt.n_positions);
  const auto temporaries = [&](RematPolicy policy) {
    return NewTrainer(gpt, input, {.remat = policy})->step_program().executable().Memory()->temporaries;
  };
  const int64_t kept = temporaries(RematPolicy::kNone);
  EXPECT_LT(temporaries(RematPolicy::kFull), 0.6 * static_cast<double>(kept));
}

}  // namespace
}  // namespace headrace::models
