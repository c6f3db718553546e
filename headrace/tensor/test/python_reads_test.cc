// The real numpy and safetensors read what we write; test/python_reads.py compares.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "headrace/tensor/npy.h"
#include "headrace/tensor/npz.h"
#include "headrace/tensor/safetensors.h"
#include "headrace/tensor/test/testdata.h"

namespace headrace {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPython = ".deps/python/bin/python";

TEST(Python, ReadsWhatWeWrite) {
  if (!fs::exists(kPython)) GTEST_SKIP() << kPython << " is not installed; run tools/setup.sh";
  std::string folder = fs::temp_directory_path() / "headrace-python-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);

  const std::vector<NamedTensor> arrays = *DecodeNpz(AsBytes(ReadTestdata("npz_fuzz/types.npz")));
  for (const NamedTensor& array : arrays)
    WriteFile(folder + "/" + array.name + ".npy", *EncodeNpy(array.tensor));
  WriteFile(folder + "/stored.npz", *EncodeNpz(arrays, NpzCompression::kStore));
  WriteFile(folder + "/deflated.npz", *EncodeNpz(arrays, NpzCompression::kDeflate));
  for (const char* name : {"types.safetensors", "small_floats.safetensors"}) {
    WriteFile(folder + "/" + name, *EncodeSafetensors(*DecodeSafetensors(
                                       AsBytes(ReadTestdata(std::string("safetensors_fuzz/") + name)))));
  }

  const std::string command =
      fmt::format("{} headrace/tensor/test/python_reads.py headrace/tensor/testdata {}", kPython, folder);
  EXPECT_EQ(system(command.c_str()), 0) << "see what Python says above";
  fs::remove_all(folder);
}

}  // namespace
}  // namespace headrace
