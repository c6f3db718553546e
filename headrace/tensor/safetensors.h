// Safetensors: reads and writes the bytes of .safetensors files.
//
// A file is u64 N, N bytes of JSON (each tensor's type and where its bytes are), and the data without a gap
// (https://github.com/huggingface/safetensors, "Format"). What is read is held against every rule of that
// format. What is written is the same for the same tensors, opens in `from_pretrained`, and has its data
// aligned: the largest power of two, up to 64, that a tensor's size is a multiple of, its offset is one of
// too.
//
//   HR_TRY(std::vector<NamedTensor> tensors, DecodeSafetensors(blob.bytes, blob.owner));
//
//   HR_TRY(SafetensorsLayout layout, LayOutSafetensors(types));      // or in pieces, for what is large:
//   HR_TRY(writer->Append(io::AsBytes(EncodeSafetensorsHeader(layout))));
//   for (const SafetensorsEntry& entry : layout.entries) HR_TRY(writer->Append(bytes_of(entry.name)));
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/tensor/named_tensor.h"

namespace headrace {

using SafetensorsMetadata = std::map<std::string, std::string>;

// Where a tensor's bytes are in the file.
struct SafetensorsEntry {
  std::string name;
  TensorType type;
  int64_t offset = 0;  // from the start of the file
};

struct SafetensorsLayout {
  std::vector<SafetensorsEntry> entries;  // in the order of their bytes
  SafetensorsMetadata metadata;
  int64_t header_size = 0;  // bytes before the data
  int64_t file_size = 0;
};

// Bytes at the front of a file that say how long its header is.
inline constexpr int64_t kSafetensorsPrefix = 8;

// What from_pretrained wants to see.
SafetensorsMetadata PyTorchMetadata();

// The header_size that a file's first kSafetensorsPrefix bytes announce. For reading a header alone.
Result<int64_t> SafetensorsHeaderSize(std::span<const std::byte> prefix);

// Reads the header of a file of `file_size` bytes that begins with `bytes` (its header_size bytes at least).
Result<SafetensorsLayout> DecodeSafetensorsHeader(std::span<const std::byte> bytes, int64_t file_size);

// The tensors in the order of their bytes; views where `owner` is given and the data are aligned, copies
// else.
Result<std::vector<NamedTensor>> DecodeSafetensors(std::span<const std::byte> bytes,
                                                   const std::shared_ptr<const void>& owner = nullptr);

// Decides where each tensor goes. Names are unique UTF-8; c128 has no name in this format.
Result<SafetensorsLayout> LayOutSafetensors(std::span<const NamedType> types,
                                            SafetensorsMetadata metadata = PyTorchMetadata());

// The header_size bytes before the data.
std::string EncodeSafetensorsHeader(const SafetensorsLayout& layout);

// The whole file.
Result<std::string> EncodeSafetensors(std::span<const NamedTensor> tensors,
                                      SafetensorsMetadata metadata = PyTorchMetadata());

}  // namespace headrace
