// Native code in a program, and errors that only appear while it runs.
#include "headrace/runtime/custom_call.h"

#include <xla/ffi/api/ffi.h>

#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

namespace ffi = ::xla::ffi;
using testing::ElementsAre;
using testing::HasSubstr;

// y = factor x, and an error for a factor of 0.
ffi::Error Scale(ffi::Buffer<ffi::F32> x, float factor, ffi::ResultBuffer<ffi::F32> y) {
  if (factor == 0) return ffi::Error::InvalidArgument("a factor of 0 loses everything");
  for (size_t i = 0; i < x.element_count(); ++i) y->typed_data()[i] = factor * x.typed_data()[i];
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER(
    kScale, Scale,
    ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Attr<float>("factor").Ret<ffi::Buffer<ffi::F32>>());
XLA_FFI_DEFINE_HANDLER(
    kOther, Scale,
    ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Attr<float>("factor").Ret<ffi::Buffer<ffi::F32>>());

class CustomCallConformance : public Conformance {
 protected:
  static std::string Program(const std::string& factor) {
    return Module(
        "(%x: tensor<3xf32>) -> tensor<3xf32>",
        "    %y = stablehlo.custom_call @headrace_test_scale(%x) {api_version = 4 : i32, backend_config = "
        "{factor = " +
            factor + " : f32}} : (tensor<3xf32>) -> tensor<3xf32>\n    return %y : tensor<3xf32>");
  }
};

TEST_P(CustomCallConformance, AHandlerRuns) {
  Status registered = RegisterCustomCall(*plugin_, {.target = "headrace_test_scale", .handler = kScale});
  if (Lacks("custom_calls")) {
    EXPECT_THAT(client_->Compile(Program("3.0")).status().message(), HasSubstr("headrace_test_scale"));
    return;
  }
  ASSERT_TRUE(registered.ok()) << registered.ToString();
  Executable program = Compile(Program("3.0"));
  Buffer x = Put(HostTensor::Of<float>({3}, {1, 2, 3}));
  EXPECT_THAT(Values<float>(Must(program.Execute({{&x}}))[0]), ElementsAre(3, 6, 9));
}

TEST_P(CustomCallConformance, ANameHasOneHandler) {
  if (Lacks("custom_calls")) GTEST_SKIP() << "takes no custom calls";
  const CustomCall call{.target = "headrace_test_one", .handler = kScale};
  EXPECT_TRUE(RegisterCustomCall(*plugin_, call).ok());
  EXPECT_TRUE(RegisterCustomCall(*plugin_, call).ok());
  EXPECT_EQ(RegisterCustomCall(*plugin_, {.target = "headrace_test_one", .handler = kOther}).ToString(),
            "ALREADY_EXISTS: the custom call 'headrace_test_one' has another handler on Host already");
}

TEST_P(CustomCallConformance, AnUnknownNameIsNamed) {
  auto program =
      client_->Compile(Module("() -> tensor<f32>",
                              "    %y = stablehlo.custom_call @nobody_knows_this() {api_version = 4 : i32}"
                              " : () -> tensor<f32>\n    return %y : tensor<f32>"));
  ASSERT_FALSE(program.ok());
  EXPECT_THAT(program.status().message(), HasSubstr("nobody_knows_this"));
}

// An error of the work itself comes out wherever one waits for it, in the handler's words, and the device
// goes on.
TEST_P(CustomCallConformance, ErrorsOfTheWorkSurfaceOnWait) {
  if (Lacks("custom_calls")) GTEST_SKIP() << "takes no custom calls";
  ASSERT_TRUE(RegisterCustomCall(*plugin_, {.target = "headrace_test_scale", .handler = kScale}).ok());
  // The product before it is large enough for Execute to return first.
  Executable program = Compile(Module(
      "(%x: tensor<512x512xf32>) -> tensor<512x512xf32>",
      "    %p = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]"
      " : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>\n"
      "    %y = stablehlo.custom_call @headrace_test_scale(%p) {api_version = 4 : i32, backend_config = "
      "{factor = 0.0 : f32}} : (tensor<512x512xf32>) -> tensor<512x512xf32>\n    return %y : "
      "tensor<512x512xf32>"));
  Buffer x = Put(HostTensor({DType::kF32, {512, 512}}));
  std::vector<Event> done;
  std::vector<Buffer> outputs = Must(program.Execute({{&x}}, {.done = &done}));
  const std::string words = "a factor of 0 loses everything";
  EXPECT_THAT(done[0].Wait().message(), HasSubstr(words));
  EXPECT_THAT(outputs[0].Wait().message(), HasSubstr(words));
  Status host = outputs[0].ToHost().status();
  EXPECT_EQ(host.code(), Code::kInvalidArgument);
  EXPECT_THAT(host.message(), HasSubstr("copying f32[512, 512] to the host: "));
  EXPECT_THAT(host.message(), HasSubstr(words));
  // What depends on it fails with the same words, what does not runs.
  auto dependent = program.Execute({{&outputs[0]}});
  Status failed = dependent.ok() ? (*dependent)[0].Wait() : dependent.status();
  EXPECT_THAT(failed.message(), HasSubstr(words));
  EXPECT_EQ(Values<float>(x).size(), 512u * 512u);
}

INSTANTIATE_TEST_SUITE_P(Plugins, CustomCallConformance, testing::ValuesIn(PluginsUnderTest()), PluginName);

}  // namespace
}  // namespace headrace::runtime
