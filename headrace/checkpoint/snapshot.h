// Snapshot: everything that a checkpoint keeps, already on the host.
//
// Copies are cheap: tensors share their bytes. Whoever makes one has copied from the device what the next
// step will overwrite; from then on nothing changes it, so that it can be saved in the background.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/checkpoint/manifest.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::checkpoint {

// By name, in the order of their bytes.
using TensorMap = std::map<std::string, HostTensor, std::less<>>;

struct Snapshot {
  int64_t step = 0;
  TensorMap model;  // parameters (and statistics) under the names of Hugging Face: "fc.weight"
  TensorMap state;  // what training needs beyond the model: moments, random keys, counters

  std::string model_config;                        // the text of model/config.json
  std::map<std::string, std::string> model_files;  // other files of the model folder: tokenizer.json …

  std::string plugin;
  std::string config_sha256;
  std::vector<MeshAxis> mesh;
  DataPosition data;

  // kInvalidArgument for what no checkpoint can hold: a negative step, an unprintable tensor name, a model
  // file whose name is taken.
  Status Validate() const;
};

// The identity of a set of parameters: SHA-256 over, in order of names, the name, a zero byte, the type as in
// "f32[2, 3]", a zero byte, and the elements in row-major little-endian order. Equal for equal parameters
// however they are stored, placed or sharded.
std::string ParamsSha256(const TensorMap& params);

}  // namespace headrace::checkpoint
