// Compiling, loading again, and what a compiled program says of itself.
#include <map>

#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CompileConformance : public Conformance {
 protected:
  static std::string Square() {
    return Module("(%x: tensor<16x16xf32>) -> tensor<16x16xf32>",
                  "    %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]"
                  " : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>\n"
                  "    return %y : tensor<16x16xf32>");
  }
};

TEST_P(CompileConformance, BadProgramsKeepTheCompilersText) {
  auto message = [&](const std::string& program) {
    auto executable = client_->Compile(program);
    EXPECT_FALSE(executable.ok());
    return executable.ok() ? "" : executable.status().message();
  };
  EXPECT_THAT(message("this is no program"), HasSubstr("compiling for cpu: "));
  EXPECT_THAT(message(Module("(%x: tensor<2xf32>) -> tensor<3xf32>", "    return %x : tensor<2xf32>")),
              HasSubstr("'tensor<2xf32>'"));
  EXPECT_THAT(
      message(Module("(%x: tensor<2xf32>) -> tensor<2xf32>",
                     "    %y = stablehlo.no_such_op %x : tensor<2xf32>\n    return %y : tensor<2xf32>")),
      HasSubstr("no_such_op"));
  EXPECT_THAT(message(""), HasSubstr("compiling for cpu: "));
}

TEST_P(CompileConformance, MoreDevicesThanThereAre) {
  CompileOptions options;
  options.num_replicas = 100;
  EXPECT_EQ(client_->Compile(Square(), options).status().message(),
            "the program is to run on 100 devices (100 replicas of 1 partitions); cpu has 8");
  options.num_replicas = 1;
  options.device_ids = {4711};
  EXPECT_EQ(client_->Compile(Square(), options).status().message(),
            "device_ids names device 4711, which does not exist; cpu has 8 devices, the first is 0");
}

TEST_P(CompileConformance, TypesThatTensorsDoNotHaveAreRefused) {
  auto output = client_->Compile(Module("() -> !stablehlo.token",
                                        "    %y = stablehlo.after_all : !stablehlo.token\n"
                                        "    return %y : !stablehlo.token"));
  EXPECT_EQ(output.status().message(),
            "output 0 of the program is of type token, which has no tensor type here; convert it inside the "
            "program");
}

TEST_P(CompileConformance, SerializesAndLoads) {
  Executable program =
      Compile(Module("(%x: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32>",
                     "    %y = stablehlo.add %x, %x : tensor<2xf32>\n    return %y : tensor<2xf32>"));
  const std::string bytes = Must(program.Serialize());
  Executable loaded = Must(client_->Load(bytes));
  EXPECT_EQ(loaded.name(), program.name());
  ASSERT_EQ(loaded.parameters().size(), 1u);
  EXPECT_EQ(loaded.parameters()[0].type, program.parameters()[0].type);
  EXPECT_TRUE(loaded.parameters()[0].donated);
  Buffer x = Put(HostTensor::Of<float>({2}, {1, 2}));
  EXPECT_THAT(Values<float>(Must(loaded.Execute({{&x}}))[0]), ElementsAre(2, 4));
}

TEST_P(CompileConformance, BrokenBytesDoNotLoad) {
  EXPECT_THAT(client_->Load("rubbish").status().message(),
              HasSubstr("loading a compiled program of 7 bytes on cpu"));
  std::string bytes = Must(Compile(Square()).Serialize());
  EXPECT_FALSE(client_->Load(bytes.substr(0, bytes.size() / 2)).ok());
}

TEST_P(CompileConformance, SaysWhatItCosts) {
  Executable program = Compile(Square());
  CompiledMemory memory = Must(program.Memory());
  EXPECT_EQ(memory.arguments, 1024);
  EXPECT_EQ(memory.outputs, 1024);
  EXPECT_EQ(memory.aliased, 0);

  auto cost = program.CostAnalysis();
  if (Lacks("cost_analysis")) {
    EXPECT_EQ(cost.status().code(), Code::kUnimplemented) << cost.status().ToString();
    return;
  }
  std::map<std::string, float> figures;
  for (const NamedValue& value : Must(std::move(cost))) figures[value.name] = std::get<float>(value.value);
  EXPECT_EQ(figures["flops"], 2 * 16 * 16 * 16);
}

TEST_P(CompileConformance, ShowsTheOptimizedProgram) {
  Executable program = Compile(
      "module @shown {\n  func.func public @main(%x: tensor<4xf32>) -> tensor<f32> {\n"
      "    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "    %y = stablehlo.multiply %x, %x : tensor<4xf32> loc(\"model/layers.3/square\")\n"
      "    %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]"
      " : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
      "    return %s : tensor<f32>\n  }\n}\n");
  const std::string text = Must(program.OptimizedText());
  EXPECT_THAT(text, HasSubstr("HloModule shown"));
  EXPECT_THAT(text, HasSubstr("ENTRY %"));
  EXPECT_THAT(text, HasSubstr("= f32[4]{0} parameter(0)"));
  EXPECT_THAT(text, HasSubstr("op_name=\"model/layers.3/square\""));
  EXPECT_THAT(Must(program.OptimizedProto()), HasSubstr("layers.3"));
}

TEST_P(CompileConformance, DebugOptionsReachTheCompiler) {
  CompileOptions options;
  options.overrides = {{"xla_cpu_enable_fast_math", true}};
  EXPECT_TRUE(client_->Compile(Square(), options).ok());
  options.overrides = {{"no_such_option", true}};
  EXPECT_THAT(client_->Compile(Square(), options).status().message(), HasSubstr("no_such_option"));
}

TEST_P(CompileConformance, FingerprintsFollowTheProgram) {
  auto first = Compile(Square()).Fingerprint();
  auto again = Compile(Square()).Fingerprint();
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  EXPECT_EQ(*first, *again);
}

INSTANTIATE_TEST_SUITE_P(Plugins, CompileConformance, testing::ValuesIn(PluginsUnderTest()), PluginName);

}  // namespace
}  // namespace headrace::runtime
