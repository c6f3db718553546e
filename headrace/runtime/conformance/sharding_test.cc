// Programs over several devices: one call runs them all.
#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

using testing::Each;
using testing::ElementsAre;

class ShardingConformance : public Conformance {
 protected:
  // A matrix product on `devices` devices: rows of x are sharded, w is whole everywhere. y keeps x's
  // sharding; the sum of all of y, whole everywhere, makes the devices talk.
  Executable CompileProduct(int devices) const {
    const std::string mesh = "  sdy.mesh @mesh = <[\"data\"=" + std::to_string(devices) + "]>\n";
    const std::string rows = " {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}";
    const std::string whole = " {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}";
    const std::string scalar = " {sdy.sharding = #sdy.sharding<@mesh, []>}";
    CompileOptions options;
    options.num_partitions = devices;
    return Compile(
        "module @product {\n" + mesh + "  func.func public @main(%x: tensor<8x2xf32>" + rows +
            ", %w: tensor<2x2xf32>" + whole + ") -> (tensor<8x2xf32>" + rows + ", tensor<f32>" + scalar +
            ") {\n" +
            "    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]"
            " : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>\n"
            "    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
            "    %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1]"
            " : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>\n"
            "    return %y, %sum : tensor<8x2xf32>, tensor<f32>\n  }\n}\n",
        options);
  }
};

TEST_P(ShardingConformance, ShardyProgramOnManyDevices) {
  for (int devices : {2, 4, 8}) {
    Executable program = CompileProduct(devices);
    ASSERT_EQ(program.devices().size(), static_cast<size_t>(devices));
    const int64_t rows = 8 / devices;
    EXPECT_EQ(program.parameters()[0].type, (TensorType{DType::kF32, {rows, 2}}));
    EXPECT_EQ(program.parameters()[1].type, (TensorType{DType::kF32, {2, 2}}));
    EXPECT_EQ(*program.outputs()[0], (TensorType{DType::kF32, {rows, 2}}));

    std::vector<Buffer> arguments;
    for (int d = 0; d < devices; ++d) {
      std::vector<float> x;
      for (int64_t i = 0; i < rows * 2; ++i) x.push_back(static_cast<float>(d * rows * 2 + i));
      const auto at = static_cast<size_t>(d);
      arguments.push_back(Put(HostTensor::Of<float>({rows, 2}, x), at));
      arguments.push_back(Put(HostTensor::Of<float>({2, 2}, {1, 0, 0, 10}), at));
    }
    std::vector<const Buffer*> pointers;
    for (const Buffer& argument : arguments) pointers.push_back(&argument);
    std::vector<Event> done;
    std::vector<Buffer> outputs = Must(program.Execute(pointers, {.done = &done}));
    EXPECT_EQ(done.size(), static_cast<size_t>(devices));
    ASSERT_EQ(outputs.size(), static_cast<size_t>(2 * devices));
    std::vector<float> y, sums;
    for (size_t d = 0; d < static_cast<size_t>(devices); ++d) {
      EXPECT_EQ(&outputs[2 * d].device(), program.devices()[d]);
      for (float value : Values<float>(outputs[2 * d])) y.push_back(value);
      sums.push_back(Values<float>(outputs[2 * d + 1])[0]);
    }
    EXPECT_THAT(y, ElementsAre(0, 10, 2, 30, 4, 50, 6, 70, 8, 90, 10, 110, 12, 130, 14, 150));
    EXPECT_THAT(sums, Each(56 + 640));
  }
}

TEST_P(ShardingConformance, TheCompilerInsertsTheCollective) {
  EXPECT_THAT(Must(CompileProduct(4).OptimizedText()), testing::HasSubstr("all-reduce("));
}

TEST_P(ShardingConformance, ReplicasReduce) {
  CompileOptions options;
  options.num_replicas = 4;
  Executable program = Compile(Module("(%x: tensor<i32>) -> tensor<i32>",
                                      "    %y = \"stablehlo.all_reduce\"(%x) ({\n"
                                      "    ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
                                      "      %c = stablehlo.add %a, %b : tensor<i32>\n"
                                      "      stablehlo.return %c : tensor<i32>\n"
                                      "    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : "
                                      "(tensor<i32>) -> tensor<i32>\n"
                                      "    return %y : tensor<i32>"),
                               options);
  std::vector<Buffer> arguments;
  std::vector<const Buffer*> pointers;
  for (size_t d = 0; d < 4; ++d) arguments.push_back(Put(HostTensor::Scalar<int32_t>(1 << d), d));
  for (const Buffer& argument : arguments) pointers.push_back(&argument);
  std::vector<int32_t> sums;
  for (const Buffer& output : Must(program.Execute(pointers))) sums.push_back(Values<int32_t>(output)[0]);
  EXPECT_THAT(sums, ElementsAre(3, 3, 12, 12));
}

TEST_P(ShardingConformance, DevicesMayBeChosen) {
  CompileOptions options;
  options.num_partitions = 2;
  options.device_ids = {device(6).id(), device(1).id()};
  Executable program = Compile(
      "module {\n  sdy.mesh @mesh = <[\"data\"=2]>\n"
      "  func.func public @main(%x: tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}]>})"
      " -> (tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}]>}) {\n"
      "    %y = stablehlo.add %x, %x : tensor<2xi32>\n    return %y : tensor<2xi32>\n  }\n}\n",
      options);
  EXPECT_THAT(program.devices(), ElementsAre(&device(6), &device(1)));
  Buffer first = Put(HostTensor::Of<int32_t>({1}, {10}), 6);
  Buffer second = Put(HostTensor::Of<int32_t>({1}, {20}), 1);
  std::vector<Buffer> outputs = Must(program.Execute({{&first, &second}}));
  EXPECT_THAT(Values<int32_t>(outputs[0]), ElementsAre(20));
  EXPECT_THAT(Values<int32_t>(outputs[1]), ElementsAre(40));
}

TEST_P(ShardingConformance, DonatesOnEveryDevice) {
  CompileOptions options;
  options.num_replicas = 2;
  Executable program =
      Compile(Module("(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32>",
                     "    %y = stablehlo.add %x, %x : tensor<4xf32>\n    return %y : tensor<4xf32>"),
              options);
  const HostTensor ones = HostTensor::Of<float>({4}, {1, 1, 1, 1});
  std::vector<Buffer> state;
  for (size_t d = 0; d < 2; ++d) state.push_back(Must(Put(ones, 7).ToDevice(device(d))));
  for (int step = 0; step < 10; ++step) {
    std::vector<Buffer> next = Must(program.Execute({{&state[0], &state[1]}}));
    EXPECT_TRUE(state[0].IsDeleted() && state[1].IsDeleted());
    state = std::move(next);
  }
  EXPECT_THAT(Values<float>(state[0]), Each(1024));
  EXPECT_THAT(Values<float>(state[1]), Each(1024));
}

TEST_P(ShardingConformance, WrongArgumentsAreNamedWithTheirDevice) {
  Executable program = CompileProduct(2);
  Buffer x = Put(HostTensor({DType::kF32, {4, 2}}), 0);
  Buffer w = Put(HostTensor({DType::kF32, {2, 2}}), 0);
  Buffer x1 = Put(HostTensor({DType::kF32, {8, 2}}), 1);
  Buffer w1 = Put(HostTensor({DType::kF32, {2, 2}}), 1);
  EXPECT_EQ(program.Execute({{&x, &w, &x1, &w1}}).status().message(),
            "executing product: argument 0 of device 1 is f32[8, 2]; the program takes f32[4, 2]");
  EXPECT_EQ(program.Execute({{&x, &w}}).status().message(),
            "executing product: 2 arguments were given; the program takes 4 (2 on each of 2 devices)");
}

INSTANTIATE_TEST_SUITE_P(Plugins, ShardingConformance, testing::ValuesIn(PluginsUnderTest()), PluginName);

}  // namespace
}  // namespace headrace::runtime
