// Programs on one device: results, asynchrony, donation, arguments that are wrong.
#include <algorithm>

#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ExecuteConformance : public Conformance {
 protected:
  // x + x, with x donated where `attribute` says so.
  Executable CompileDouble(const std::string& attribute = "") const {
    return Compile(Module("(%x: tensor<2x3xf32>" + attribute + ") -> tensor<2x3xf32>",
                          "    %y = stablehlo.add %x, %x : tensor<2x3xf32>\n"
                          "    return %y : tensor<2x3xf32>"));
  }
  static HostTensor OneToSix() { return HostTensor::Of<float>({2, 3}, {1, 2, 3, 4, 5, 6}); }
};

TEST_P(ExecuteConformance, TinyProgram) {
  Executable program = CompileDouble();
  Buffer x = Put(OneToSix());
  std::vector<Buffer> outputs = Must(program.Execute({{&x}}));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].type().ToString(), "f32[2, 3]");
  EXPECT_EQ(&outputs[0].device(), &device(0));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_THAT(Values<float>(x), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_P(ExecuteConformance, KnowsItsSignature) {
  Executable program = CompileDouble(" {tf.aliasing_output = 0 : i32}");
  EXPECT_EQ(program.name(), "test");
  ASSERT_TRUE(program.knows_parameters());
  ASSERT_EQ(program.parameters().size(), 1u);
  EXPECT_EQ(program.parameters()[0].type.ToString(), "f32[2, 3]");
  EXPECT_TRUE(program.parameters()[0].donated);
  ASSERT_EQ(program.outputs().size(), 1u);
  EXPECT_EQ(program.outputs()[0]->ToString(), "f32[2, 3]");
  EXPECT_FALSE(CompileDouble().parameters()[0].donated);
}

TEST_P(ExecuteConformance, RunsOnTheDeviceItWasCompiledFor) {
  CompileOptions options;
  options.device_ids = {device(3).id()};
  Executable program =
      Compile(Module("(%x: tensor<f32>) -> tensor<f32>", "    return %x : tensor<f32>"), options);
  ASSERT_EQ(program.devices().size(), 1u);
  EXPECT_EQ(program.devices()[0], &device(3));
  Buffer x = Put(HostTensor::Scalar<float>(7), 3);
  std::vector<Buffer> outputs = Must(program.Execute({{&x}}));
  EXPECT_EQ(&outputs[0].device(), &device(3));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(7));
}

TEST_P(ExecuteConformance, ManyArgumentsAndOutputs) {
  constexpr int kCount = 150;
  std::string signature = "(", types, names, body;
  for (int i = 0; i < kCount; ++i) {
    const std::string comma = i == 0 ? "" : ", ", n = std::to_string(i);
    signature += comma + "%x" + n + ": tensor<i32>";
    types += comma + "tensor<i32>";
    names += comma + "%y" + n;
    body += "    %y" + n + " = stablehlo.add %x" + n + ", %x" + std::to_string((i + 1) % kCount) +
            " : tensor<i32>\n";
  }
  Executable program =
      Compile(Module(signature + ") -> (" + types + ")", body + "    return " + names + " : " + types));
  std::vector<Buffer> arguments;
  std::vector<const Buffer*> pointers;
  for (int i = 0; i < kCount; ++i) arguments.push_back(Put(HostTensor::Scalar<int32_t>(i)));
  for (const Buffer& argument : arguments) pointers.push_back(&argument);
  std::vector<Buffer> outputs = Must(program.Execute(pointers));
  ASSERT_EQ(outputs.size(), static_cast<size_t>(kCount));
  for (int i = 0; i < kCount; ++i) {
    EXPECT_THAT(Values<int32_t>(outputs[static_cast<size_t>(i)]), ElementsAre(i + (i + 1) % kCount));
  }
}

TEST_P(ExecuteConformance, NoArgumentsAndNoOutputs) {
  Executable constant = Compile(Module("() -> tensor<2xi32>",
                                       "    %c = stablehlo.constant dense<[5, 6]> : tensor<2xi32>\n"
                                       "    return %c : tensor<2xi32>"));
  std::vector<Buffer> outputs = Must(constant.Execute({}));
  EXPECT_THAT(Values<int32_t>(outputs[0]), ElementsAre(5, 6));

  Executable nothing = Compile(Module("(%x: tensor<f32>) -> ()", "    return"));
  Buffer x = Put(HostTensor::Scalar<float>(1));
  std::vector<Event> done;
  EXPECT_TRUE(Must(nothing.Execute({{&x}}, {.done = &done})).empty());
  ASSERT_EQ(done.size(), 1u);
  EXPECT_TRUE(done[0].Wait().ok());
  EXPECT_TRUE(done[0].IsReady());
}

TEST_P(ExecuteConformance, DonatedArgumentsAreGone) {
  for (const std::string attribute : {" {tf.aliasing_output = 0 : i32}", " {jax.buffer_donor = true}"}) {
    Executable program = CompileDouble(attribute);
    Buffer x = Must(Put(OneToSix()).ToDevice(device(0)));
    std::vector<Buffer> outputs = Must(program.Execute({{&x}}));
    EXPECT_TRUE(x.IsDeleted()) << attribute;
    EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(2, 4, 6, 8, 10, 12));

    auto again = program.Execute({{&x}});
    EXPECT_EQ(again.status().code(), Code::kInvalidArgument);
    EXPECT_THAT(
        again.status().message(),
        HasSubstr(
            "executing test: argument 0 holds nothing: it was deleted, or donated to an earlier execution"));
    EXPECT_FALSE(x.ToHost().ok());
  }
}

TEST_P(ExecuteConformance, DonationCanBeDeclined) {
  Executable program = CompileDouble(" {tf.aliasing_output = 0 : i32}");
  Buffer x = Must(Put(OneToSix()).ToDevice(device(0)));
  const std::vector<int64_t> keep = {0};
  std::vector<Buffer> outputs = Must(program.Execute({{&x}}, {.keep = keep}));
  EXPECT_FALSE(x.IsDeleted());
  EXPECT_THAT(Values<float>(x), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(2, 4, 6, 8, 10, 12));
}

TEST_P(ExecuteConformance, DonatingHostMemoryLeavesTheHostAlone) {
  Executable program = CompileDouble(" {tf.aliasing_output = 0 : i32}");
  const HostTensor host = OneToSix();
  Buffer x = Put(host);  // may be the host's own bytes
  std::vector<Buffer> outputs = Must(program.Execute({{&x}}));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_THAT(host.data<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
}

// A training loop's pattern: the state is donated from step to step, and a small output of each step is
// fetched while the next is already under way.
TEST_P(ExecuteConformance, FetchesWhileTheNextStepRuns) {
  Executable step = Compile(
      Module("(%s: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<64x64xf32>, tensor<f32>)",
             "    %one = stablehlo.constant dense<1.0> : tensor<64x64xf32>\n"
             "    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
             "    %t = stablehlo.add %s, %one : tensor<64x64xf32>\n"
             "    %loss = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, 1]"
             " : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>\n"
             "    return %t, %loss : tensor<64x64xf32>, tensor<f32>"));
  Buffer state = Put(HostTensor({DType::kF32, {64, 64}}));
  std::vector<HostCopy> losses;
  for (int i = 0; i < 20; ++i) {
    std::vector<Buffer> outputs = Must(step.Execute({{&state}}));
    state = std::move(outputs[0]);
    losses.push_back(Must(outputs[1].ToHostAsync()));  // and outputs[1] is dropped before it is there
  }
  for (int i = 0; i < 20; ++i) {
    HostTensor loss = Must(std::move(losses[static_cast<size_t>(i)]).Wait());
    EXPECT_EQ(loss.data<float>()[0], 4096.0f * static_cast<float>(i + 1));
  }
}

// A checkpoint's pattern: a copy of the state is started, and the state is donated before the copy is done.
TEST_P(ExecuteConformance, DonationWaitsForACopyUnderWay) {
  constexpr int64_t kSize = 1 << 20;
  const std::string type = "tensor<" + std::to_string(kSize) + "xf32>";
  Executable step =
      Compile(Module("(%s: " + type + " {tf.aliasing_output = 0 : i32}) -> " + type,
                     "    %one = stablehlo.constant dense<1.0> : " + type +
                         "\n    %t = stablehlo.add %s, %one : " + type + "\n    return %t : " + type));
  Buffer state = Must(Put(HostTensor({DType::kF32, {kSize}})).ToDevice(device(0)));
  std::vector<HostCopy> copies;
  for (int i = 0; i < 10; ++i) {
    copies.push_back(Must(state.ToHostAsync()));
    state = std::move(Must(step.Execute({{&state}}))[0]);
  }
  for (int i = 0; i < 10; ++i) {
    HostTensor copy = Must(std::move(copies[static_cast<size_t>(i)]).Wait());
    EXPECT_EQ(std::ranges::count(copy.data<float>(), static_cast<float>(i)), kSize);
  }
}

TEST_P(ExecuteConformance, WrongArgumentsAreNamed) {
  Executable program = CompileDouble();
  Buffer good = Put(OneToSix());
  Buffer wrong_shape = Put(HostTensor({DType::kF32, {2, 4}}));
  Buffer wrong_type = Put(HostTensor({DType::kI32, {2, 3}}));
  Buffer elsewhere = Put(OneToSix(), 1);
  auto message = [&](std::vector<const Buffer*> arguments) {
    auto outputs = program.Execute(arguments);
    EXPECT_EQ(outputs.status().code(), Code::kInvalidArgument);
    return outputs.status().message();
  };
  EXPECT_EQ(message({}), "executing test: 0 arguments were given; the program takes 1");
  EXPECT_EQ(message({&good, &good}), "executing test: 2 arguments were given; the program takes 1");
  EXPECT_EQ(message({&wrong_shape}), "executing test: argument 0 is f32[2, 4]; the program takes f32[2, 3]");
  EXPECT_EQ(message({&wrong_type}), "executing test: argument 0 is i32[2, 3]; the program takes f32[2, 3]");
  EXPECT_EQ(message({&elsewhere}), "executing test: argument 0 is on " + device(1).description() +
                                       "; the program runs on " + device(0).description());
}

TEST_P(ExecuteConformance, EverythingMayOutliveTheClient) {
  Executable program = CompileDouble();
  Buffer x = Put(OneToSix());
  client_.reset();
  std::vector<Buffer> outputs = Must(program.Execute({{&x}}));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(2, 4, 6, 8, 10, 12));
}

INSTANTIATE_TEST_SUITE_P(Plugins, ExecuteConformance, testing::ValuesIn(PluginsUnderTest()), PluginName);

}  // namespace
}  // namespace headrace::runtime
