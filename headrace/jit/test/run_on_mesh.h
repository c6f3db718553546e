// RunOnMesh: a function on the virtual devices of a mesh, host to host. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "headrace/jit/program.h"
#include "headrace/jit/test_client.h"

namespace headrace::jit {

inline std::vector<HostTensor> RunOnMesh(const Function& function, const Mesh& mesh,
                                         const std::vector<HostTensor>& arguments,
                                         const ProgramOptions& options = {}) {
  auto run = [&]() -> Result<std::vector<HostTensor>> {
    HR_TRY(const Devices devices, Devices::Of(TestClient(), mesh));
    HR_TRY(const Program program, Program::Compile(devices, function, options));
    std::vector<Array> placed;
    for (size_t i = 0; i < arguments.size(); ++i) {
      HR_TRY(Array array, devices.Put(arguments[i], program.parameter_shardings()[i]));
      placed.push_back(std::move(array));
    }
    std::vector<const Array*> pointers;
    for (const Array& array : placed) pointers.push_back(&array);
    HR_TRY(const std::vector<Array> results, program.Run(pointers));
    std::vector<HostTensor> tensors;
    for (const Array& result : results) {
      HR_TRY(tensors.emplace_back(), result.ToHost());
    }
    return tensors;
  };
  auto results = run();
  EXPECT_TRUE(results.ok()) << results.status().ToString();
  return results.ok() ? *results : std::vector<HostTensor>();
}

}  // namespace headrace::jit
