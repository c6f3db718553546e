#include "headrace/run/hlo_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/io/store.h"
#include "headrace/io/temporary_folder.h"
#include "headrace/tensor/npy.h"

namespace headrace::run {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kFolder = "headrace/run/testdata/hlo/";  // made by tools/reference/exported_variants.py

HostTensor ReadNpy(const std::string& folder, const std::string& name) {
  auto store = *io::OpenStore(folder);
  return *DecodeNpy(io::AsBytes(*store->ReadText(name)));
}

class HloRun : public testing::Test {
 protected:
  Result<HloRunReport> Run(const std::string& program, const std::vector<std::string>& inputs) {
    HloRunOptions options{.program = kFolder + program, .output = folder_ / "out"};
    options.device.plugin_folders = {".deps/pjrt"};
    for (const std::string& input : inputs) {
      options.inputs.push_back(input.starts_with('/') ? input : kFolder + input);
    }
    return RunHlo(options);
  }
  std::string ErrorOf(const std::string& program, const std::vector<std::string>& inputs) {
    return Run(program, inputs).status().message();
  }
  // A file with this array, for an input.
  std::string Write(const std::string& name, const HostTensor& tensor) {
    auto store = *io::OpenStore(folder_.path());
    EXPECT_TRUE(store->Write(name, io::AsBytes(*EncodeNpy(tensor))).ok());
    return folder_ / name;
  }

  io::TemporaryFolder folder_;
};

TEST_F(HloRun, AJaxExportGivesJaxsResults) {
  for (const char* program : {"scores.mlir", "scores.mlirbc"}) {
    const Result<HloRunReport> report = Run(program, {"x.npy", "w.npy"});
    ASSERT_EQ(report.status().ToString(), "OK") << program;
    ASSERT_THAT(report->outputs, SizeIs(3));
    for (int i = 0; i < 3; ++i) {
      const HostTensor expected = ReadNpy(kFolder, fmt::format("expected{}.npy", i));
      const HostTensor actual = ReadNpy(folder_ / "out", fmt::format("out{}.npy", i));
      ASSERT_EQ(actual.type(), expected.type());
      EXPECT_EQ(report->outputs[static_cast<size_t>(i)].type, expected.type());
      for (int64_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(actual.At(k), expected.At(k), 1e-6);
    }
  }
}

TEST_F(HloRun, WrongInputsAreNamedWithBothTypes) {
  EXPECT_EQ(ErrorOf("scores.mlir", {"x.npy"}), "the program takes 2 inputs: f32[3, 4], f32[4, 2]; got 1");
  EXPECT_EQ(ErrorOf("scores.mlir", {"x.npy", "x.npy"}),
            "input 1 (headrace/run/testdata/hlo/x.npy) is f32[3, 4], but the program takes f32[4, 2]");
  const std::string doubles = Write("x64.npy", HostTensor({DType::kF64, {3, 4}}));
  EXPECT_THAT(ErrorOf("scores.mlir", {doubles, "w.npy"}),
              HasSubstr("x64.npy) is f64[3, 4], but the program takes f32[3, 4]"));
  EXPECT_THAT(ErrorOf("scores.mlir", {"x.npy", "scores.mlir"}), HasSubstr("scores.mlir"));
  EXPECT_THAT(ErrorOf("scores.mlir", {"x.npy", "gone.npy"}), HasSubstr("gone.npy"));
}

TEST_F(HloRun, NothingIsWrittenWhenItFails) {
  EXPECT_FALSE(Run("scores.mlir", {"x.npy"}).ok());
  EXPECT_THAT(*(*io::OpenStore(folder_.path()))->List(""), IsEmpty());
}

TEST_F(HloRun, AnExportForSeveralPlatformsTakesTheirIndex) {
  EXPECT_THAT(
      ErrorOf("platforms.mlirbc", {"x.npy", "w.npy"}),
      HasSubstr("takes 3 inputs: i32[], f32[3, 4], f32[4, 2]; got 2. It was exported for several platforms"));
  const std::string index = Write("index.npy", HostTensor::Scalar<int32_t>(1));  // exported for tpu, cpu
  EXPECT_EQ(Run("platforms.mlirbc", {index, "x.npy", "w.npy"}).status().ToString(), "OK");
}

TEST_F(HloRun, WhatCannotRunIsRefusedByName) {
  EXPECT_THAT(
      ErrorOf("scores.jaxexport", {"x.npy", "w.npy"}),
      HasSubstr(
          "as jax.export's serialize() does; write what is inside of it: exported.mlir_module_serialized"));
  EXPECT_THAT(ErrorOf("symbolic.mlir", {"x.npy", "w.npy"}), HasSubstr("has dimensions of unknown size"));
  EXPECT_THAT(ErrorOf("symbolic.mlirbc", {"x.npy", "w.npy"}), HasSubstr("has dimensions of unknown size"));
  EXPECT_THAT(ErrorOf("lapack.mlirbc", {"x.npy"}), HasSubstr("export without jnp.linalg"));
  EXPECT_THAT(ErrorOf("x.npy", {}), HasSubstr("x.npy is neither StableHLO text nor MLIR bytecode"));
  EXPECT_EQ(Run("gone.mlir", {}).status().code(), Code::kInvalidArgument);
}

TEST_F(HloRun, F32StandsForTypesThatNpyLacks) {
  const std::string input = Write("x.npy", HostTensor::Of<float>({3, 4}, std::vector<float>(12, 1.001F)));
  const Result<HloRunReport> report = Run("bfloat16.mlirbc", {input});
  ASSERT_EQ(report.status().ToString(), "OK");
  EXPECT_EQ(report->inputs[0].note, "rounded to bf16");
  EXPECT_EQ(report->outputs[0].note, "written as f32, since npy has no bf16");
  const HostTensor output = ReadNpy(folder_ / "out", "out0.npy");
  EXPECT_EQ(output.dtype(), DType::kF32);
  EXPECT_EQ(output.At(0), 2.0);  // 1.001 rounds to 1
}

TEST(HloProgram, IsToldApartByContent) {
  EXPECT_TRUE(IdentifyHloProgram("module { func.func @main() { return } }", "a").ok());
  EXPECT_TRUE(IdentifyHloProgram("ML\xefR...", "a")->bytes.starts_with("ML"));
  EXPECT_EQ(IdentifyHloProgram("", "a.mlir").status().message(), "a.mlir is empty");
  EXPECT_THAT(IdentifyHloProgram("HloModule m\nENTRY func {}", "a.hlo").status().message(),
              HasSubstr("a.hlo is HLO text; it must be StableHLO"));
}

}  // namespace
}  // namespace headrace::run
