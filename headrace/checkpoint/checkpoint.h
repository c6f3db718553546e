// Checkpoint: one committed checkpoint, open for reading.
//
// Tensors are called as in the manifest: "model/fc.weight", "state/adam.m.fc.weight". Any slice of any tensor
// can be read alone, by ranged reads, so that a checkpoint restores on any mesh. What is read views the
// store's memory or mapping where that is possible. Cheap to copy; safe to use from any thread; the store
// outlives it.
//
//   HR_TRY(Checkpoint checkpoint, Checkpoint::Open(store, "checkpoints/step-000600"));
//   HR_TRY(HostTensor weight, checkpoint.Read("model/fc.weight"));
//   HR_TRY(HostTensor rows, checkpoint.ReadSlice("model/fc.weight", {.start = {128, 0}, .size = {64, 512}}));
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/checkpoint/manifest.h"
#include "headrace/checkpoint/snapshot.h"
#include "headrace/io/store.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::checkpoint {

// What is wrong with a file of a checkpoint.
struct Damage {
  enum class Kind { kMissing, kWrongSize, kWrongHash };
  std::string file;  // "model/model.safetensors"
  Kind kind = Kind::kMissing;
  std::string text;  // "runs/mnist/checkpoints/step-000600/model/model.safetensors is missing"
};

// Everything that training goes on with.
struct Contents {
  TensorMap model;
  TensorMap state;
};

class Checkpoint {
 public:
  // Reads the manifest of the folder at `key`. kNotFound if there is none, kDataLoss if it is damaged.
  static Result<Checkpoint> Open(io::Store& store, std::string key);
  // One whose manifest is known.
  Checkpoint(io::Store& store, std::string key, Manifest manifest);

  const Manifest& manifest() const { return *manifest_; }
  int64_t step() const { return manifest_->step; }
  const std::string& key() const { return key_; }  // "checkpoints/step-000600"
  std::string Name() const;                        // "runs/mnist/checkpoints/step-000600"

  // A whole tensor, held against its checksum (kDataLoss). kNotFound names what is there.
  Result<HostTensor> Read(std::string_view tensor) const;
  // A part of it; without a checksum, since those are of whole pieces. kOutOfRange if it reaches beyond.
  Result<HostTensor> ReadSlice(std::string_view tensor, const Box& slice) const;
  // All tensors, every file held against its hash: kDataLoss names the one that is damaged.
  Result<Contents> ReadAll() const;
  // Those of the model alone, under their own names: "fc.weight".
  Result<TensorMap> ReadModel() const { return ReadPart("model/"); }

  // Rehashes every file; empty if the checkpoint is whole.
  Result<std::vector<Damage>> Verify() const;
  // Only compares sizes with `sizes`, by name of the file.
  std::vector<Damage> CompareSizes(const std::map<std::string, int64_t, std::less<>>& sizes) const;

 private:
  std::string FileKey(std::string_view file) const;
  Result<const TensorEntry*> Find(std::string_view tensor) const;
  Result<std::optional<Damage>> VerifyFile(const FileEntry& file) const;
  Result<TensorMap> ReadPart(std::string_view part) const;
  Result<io::Blob> ReadFile(const FileEntry& file) const;

  io::Store* store_;
  std::string key_;
  std::shared_ptr<const Manifest> manifest_;
};

}  // namespace headrace::checkpoint
