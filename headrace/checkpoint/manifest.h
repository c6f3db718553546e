// Manifest: what a committed checkpoint consists of, as step-000600/manifest.json says it.
//
// It is written last; a checkpoint without a valid one does not exist. Its second line is the SHA-256 of
// every byte after that line, so that a damaged manifest is not mistaken for a good one. A value type.
//
//   std::string text = ToJson(manifest);
//   HR_TRY(Manifest back, ParseManifest(text, "step-000600/manifest.json"));
//   const TensorEntry* weight = back.FindTensor("model/fc.weight");
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/checkpoint/box.h"
#include "headrace/core/status.h"
#include "headrace/tensor/shape.h"

namespace headrace::checkpoint {

inline constexpr int kManifestFormat = 1;

struct MeshAxis {
  std::string name;
  int64_t size = 1;
  bool operator==(const MeshAxis&) const = default;
};

// Where a run stands in its data.
struct DataPosition {
  int64_t examples = 0;  // consumed since the run began
  std::string sha256;    // of the data, so that a resumed run notices other data
  bool operator==(const DataPosition&) const = default;
};

struct FileEntry {
  std::string name;  // in the folder of the checkpoint: "model/model.safetensors"
  int64_t size = 0;
  std::string sha256;
  bool operator==(const FileEntry&) const = default;
};

// A box of a tensor that lies whole, row-major, in one file.
struct Piece {
  std::string file;
  int64_t offset = 0;  // of its first byte in the file
  Box box;
  uint32_t crc32c = 0;  // of its bytes
  bool operator==(const Piece&) const = default;
};

// A tensor: pieces that cover it without overlap.
struct TensorEntry {
  std::string name;  // "model/fc.weight", "state/adam.m.fc.weight"
  TensorType type;
  std::vector<Piece> pieces;
  bool operator==(const TensorEntry&) const = default;
};

struct Manifest {
  int format = kManifestFormat;
  int64_t step = 0;
  std::string created;  // UTC, "2026-11-30T09:32:00Z"
  std::string version;  // of Headrace
  std::string plugin;   // the device plugin and its build
  std::string config_sha256;
  std::string params_sha256;  // ParamsSha256 of the model
  std::vector<MeshAxis> mesh;
  DataPosition data;
  std::vector<FileEntry> files;      // everything but the manifest itself
  std::vector<TensorEntry> tensors;  // by name

  const FileEntry* FindFile(std::string_view name) const;      // null if there is none
  const TensorEntry* FindTensor(std::string_view name) const;  // null if there is none
  int64_t TotalBytes() const;                                  // of the files
  bool operator==(const Manifest&) const = default;
};

std::string ToJson(const Manifest& manifest);

// Reads ToJson's text back. `source` is what errors call it by: kDataLoss if it is damaged (or no manifest),
// kUnimplemented if a later version wrote it. What it returns is consistent: every piece lies in its file and
// the pieces of a tensor cover it.
Result<Manifest> ParseManifest(std::string_view text, std::string_view source);

}  // namespace headrace::checkpoint
