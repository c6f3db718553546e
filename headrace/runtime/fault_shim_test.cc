#include "headrace/runtime/fault_shim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

using testing::HasSubstr;

class FaultShimTest : public testing::Test {
 protected:
  static constexpr const char* kProgram =
      "func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %y = stablehlo.add %x, %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}";

  FaultShim shim_{*Must(Plugin::Load(".deps/pjrt/cpu/pjrt_c_api_cpu_plugin.so"))};
  std::unique_ptr<Client> client_ = Must(Client::Create(shim_.plugin()));
  HostTensor x_ = HostTensor::Of<float>({4}, {1, 2, 3, 4});
};

TEST_F(FaultShimTest, PassesThrough) {
  Executable program = Must(client_->Compile(kProgram));
  Buffer x = Must(client_->ToDevice(x_));
  HostTensor y = Must(Must(program.Execute({{&x}}))[0].ToHost());
  EXPECT_THAT(y.data<float>(), testing::ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(shim_.Calls("PJRT_LoadedExecutable_Execute"), 1);
  EXPECT_THAT(shim_.plugin().path(), HasSubstr("(fault shim)"));
}

TEST_F(FaultShimTest, FailsTheCallThatWasNamed) {
  shim_.FailCall("PJRT_Client_Compile", 2, Code::kUnavailable, "gone fishing");
  EXPECT_TRUE(client_->Compile(kProgram).ok());
  EXPECT_EQ(client_->Compile(kProgram).status().ToString(), "UNAVAILABLE: compiling for cpu: gone fishing");
  EXPECT_TRUE(client_->Compile(kProgram).ok());
}

TEST_F(FaultShimTest, ThePluginsOwnErrorsStayItsOwn) {
  EXPECT_THAT(client_->Compile("rubbish").status().message(), HasSubstr("rubbish"));
}

TEST_F(FaultShimTest, RecordsCompileOptions) {
  CompileOptions options;
  options.device_ids = {2};
  options.overrides = {{"xla_cpu_enable_fast_min_max", true}};
  ASSERT_TRUE(client_->Compile(kProgram, options).ok());
  ASSERT_TRUE(client_->Compile(kProgram).ok());
  CompileOptions defaults;
  defaults.overrides = {{"xla_cpu_enable_fast_min_max", false}};
  EXPECT_THAT(shim_.compile_options(), testing::ElementsAre(options.Serialize(), defaults.Serialize()));
}

TEST_F(FaultShimTest, LimitsMemory) {
  shim_.LimitHostBuffers(40);
  const int64_t before = shim_.host_buffer_bytes();
  Buffer first = Must(client_->ToDevice(x_));
  Buffer second = Must(client_->ToDevice(x_));
  EXPECT_EQ(shim_.host_buffer_bytes(), before + 32);
  EXPECT_EQ(client_->ToDevice(x_).status().ToString(),
            "RESOURCE_EXHAUSTED: moving f32[4] to " + client_->devices()[0].description() +
                ": out of memory: 16 bytes asked, 32 of 40 in use");
  first.Delete();
  EXPECT_TRUE(client_->ToDevice(x_).ok());
  EXPECT_EQ(shim_.host_buffer_bytes(), before + 16);
}

TEST_F(FaultShimTest, Delays) {
  Buffer x = Must(client_->ToDevice(x_));
  shim_.Delay("PJRT_Buffer_ToHostBuffer", std::chrono::milliseconds(20));
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(x.ToHost().ok());
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
}

// Whatever call fails, its words come back, nothing crashes, and the next attempt works.
TEST_F(FaultShimTest, EveryCallOfARoundTripMayFail) {
  const char* const calls[] = {"PJRT_Client_BufferFromHostBuffer",
                               "PJRT_Event_OnReady",
                               "PJRT_Client_Compile",
                               "PJRT_LoadedExecutable_GetExecutable",
                               "PJRT_Executable_Name",
                               "PJRT_LoadedExecutable_AddressableDevices",
                               "PJRT_Executable_OutputElementTypes",
                               "PJRT_Executable_OutputDimensions",
                               "PJRT_LoadedExecutable_Execute",
                               "PJRT_Buffer_ToHostBuffer",
                               "PJRT_Event_Await",
                               "PJRT_Client_Create",
                               "PJRT_Client_PlatformName",
                               "PJRT_Client_Devices",
                               "PJRT_DeviceDescription_Kind",
                               "PJRT_Device_IsAddressable"};
  auto round_trip = [this]() -> Status {
    HR_TRY(std::unique_ptr<Client> client, Client::Create(shim_.plugin()));
    HR_TRY(Buffer x, client->ToDevice(x_));
    HR_TRY(Executable program, client->Compile(kProgram));
    HR_TRY(std::vector<Buffer> outputs, program.Execute({{&x}}));
    HR_TRY(HostTensor y, outputs[0].ToHost());
    return y.data<float>()[3] == 8 ? Ok() : Error(Code::kDataLoss, "wrong result");
  };
  for (const char* call : calls) {
    shim_.FailCall(call, 1, Code::kAborted, "the shim's words");
    Status status = round_trip();
    EXPECT_EQ(status.code(), Code::kAborted) << call << ": " << status.ToString();
    EXPECT_THAT(status.message(), testing::EndsWith("the shim's words")) << call;
    EXPECT_TRUE(round_trip().ok()) << call;
  }
}

// A plugin that will not show its optimized program leaves the parameters unknown, and checks them itself.
TEST_F(FaultShimTest, ParametersMayBeUnknown) {
  shim_.FailCall("PJRT_Executable_OptimizedProgram", 1, Code::kUnimplemented, "no");
  Executable program = Must(client_->Compile(kProgram));
  EXPECT_FALSE(program.knows_parameters());
  EXPECT_FALSE(program.Execute({}).ok());
  Buffer x = Must(client_->ToDevice(x_));
  EXPECT_THAT(Must(Must(program.Execute({{&x}}))[0].ToHost()).data<float>(),
              testing::ElementsAre(2, 4, 6, 8));
}

}  // namespace
}  // namespace headrace::runtime
