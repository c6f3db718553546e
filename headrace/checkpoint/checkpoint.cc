#include "headrace/checkpoint/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headrace/checkpoint/internal/folders.h"
#include "headrace/io/crc32c.h"
#include "headrace/io/hash.h"

namespace headrace::checkpoint {
namespace {

constexpr int64_t kVerifyChunk = int64_t{64} << 20;
// To skip a gap of this size costs about as much as to read it, a request to an object store being slow.
constexpr int64_t kFreeGapBytes = int64_t{256} << 10;

std::string WrongSize(std::string_view file, int64_t is, int64_t should_be) {
  return fmt::format("{} is damaged: it has {} bytes, not {}", file, is, should_be);
}

std::string WrongHash(std::string_view file, std::string_view is, std::string_view should_be) {
  return fmt::format("{} is damaged: its SHA-256 is {}, not {}", file, is, should_be);
}

// A tensor of these bytes: a view if they are aligned as its elements must be, else a copy.
HostTensor MakeTensor(TensorType type, const io::Blob& blob, io::Bytes bytes) {
  auto address = reinterpret_cast<uintptr_t>(bytes.data());
  if (blob.owner && address % static_cast<uintptr_t>(ByteSize(type.dtype)) == 0) {
    return HostTensor(std::move(type), bytes, blob.owner);
  }
  HostTensor copy(std::move(type));
  std::ranges::copy(bytes, copy.mutable_bytes().begin());
  return copy;
}

int64_t PieceBytes(const TensorEntry& tensor, const Piece& piece) {
  return piece.box.ElementCount() * ByteSize(tensor.type.dtype);
}

// Puts a tensor together from its pieces; `read` gives the blob that begins with a piece's bytes.
template <class ReadPiece>
Result<HostTensor> Assemble(const TensorEntry& tensor, ReadPiece read) {
  if (tensor.pieces.size() == 1) {
    HR_TRY(io::Blob blob, read(tensor.pieces[0]));
    return MakeTensor(tensor.type, blob, blob.bytes);
  }
  HostTensor whole(tensor.type);
  const Box all = Box::Whole(tensor.type.shape);
  for (const Piece& piece : tensor.pieces) {
    HR_TRY(io::Blob blob, read(piece));
    CopyBox(piece.box, piece.box, 0, blob.bytes, all, whole.mutable_bytes(), ByteSize(tensor.type.dtype));
  }
  return whole;
}

}  // namespace

Result<Checkpoint> Checkpoint::Open(io::Store& store, std::string key) {
  std::string manifest_key = fmt::format("{}/{}", key, kManifestFile);
  HR_TRY(std::string text, store.ReadText(manifest_key));
  HR_TRY(Manifest manifest, ParseManifest(text, fmt::format("{}/{}", store.Name(), manifest_key)));
  return Checkpoint(store, std::move(key), std::move(manifest));
}

Checkpoint::Checkpoint(io::Store& store, std::string key, Manifest manifest)
    : store_(&store),
      key_(std::move(key)),
      manifest_(std::make_shared<const Manifest>(std::move(manifest))) {}

std::string Checkpoint::Name() const { return fmt::format("{}/{}", store_->Name(), key_); }

std::string Checkpoint::FileKey(std::string_view file) const { return fmt::format("{}/{}", key_, file); }

Result<const TensorEntry*> Checkpoint::Find(std::string_view tensor) const {
  if (const TensorEntry* found = manifest_->FindTensor(tensor)) return found;
  constexpr size_t kNamed = 8;
  std::vector<std::string_view> names;
  for (const TensorEntry& entry : manifest_->tensors) names.push_back(entry.name);
  bool more = names.size() > kNamed;
  names.resize(std::min(names.size(), kNamed));
  return Error(Code::kNotFound, "{} has no tensor {}; it has {}{}", Name(), tensor, fmt::join(names, ", "),
               more ? ", …" : "");
}

Result<HostTensor> Checkpoint::Read(std::string_view name) const {
  HR_TRY(const TensorEntry* tensor, Find(name));
  return Assemble(*tensor, [&](const Piece& piece) -> Result<io::Blob> {
    HR_TRY(io::Blob blob, store_->ReadRange(FileKey(piece.file), piece.offset, PieceBytes(*tensor, piece)));
    if (io::Crc32c(blob.bytes) == piece.crc32c) return blob;
    return Error(Code::kDataLoss, "{}/{} is damaged: tensor {}{} does not match its CRC-32C", Name(),
                 piece.file, name, piece.box.ToString());
  });
}

Result<HostTensor> Checkpoint::ReadSlice(std::string_view name, const Box& slice) const {
  HR_TRY(const TensorEntry* tensor, Find(name));
  const Box whole = Box::Whole(tensor->type.shape);
  if (slice.start.size() != slice.size.size() || slice.rank() != whole.rank() || !whole.Contains(slice)) {
    return Error(Code::kOutOfRange, "{} is no slice of tensor {}, which is {}", slice.ToString(), name,
                 tensor->type.ToString());
  }
  const int64_t item = ByteSize(tensor->type.dtype);
  HostTensor result({tensor->type.dtype, Shape(slice.size)});
  for (const Piece& piece : tensor->pieces) {
    std::optional<Box> shared = Intersect(piece.box, slice);
    if (!shared) continue;
    for (const Span& span : SpansOf(piece.box, *shared, kFreeGapBytes / item)) {
      HR_TRY(io::Blob blob, store_->ReadRange(FileKey(piece.file), piece.offset + span.begin * item,
                                              (span.end - span.begin) * item));
      CopyBox(span.part, piece.box, span.begin, blob.bytes, slice, result.mutable_bytes(), item);
    }
  }
  return result;
}

Result<Contents> Checkpoint::ReadAll() const {
  HR_TRY(TensorMap model, ReadPart("model/"));
  HR_TRY(TensorMap state, ReadPart("state/"));
  return Contents{.model = std::move(model), .state = std::move(state)};
}

// The tensors whose names begin with `part`, without it, out of the files whose names do.
Result<TensorMap> Checkpoint::ReadPart(std::string_view part) const {
  std::map<std::string_view, io::Blob> files;
  for (const FileEntry& file : manifest_->files) {
    if (!file.name.starts_with(part)) continue;
    HR_TRY(io::Blob blob, ReadFile(file));
    files.emplace(file.name, std::move(blob));
  }
  TensorMap tensors;
  for (const TensorEntry& tensor : manifest_->tensors) {
    if (!tensor.name.starts_with(part)) continue;
    HR_TRY(HostTensor value, Assemble(tensor, [&](const Piece& piece) -> Result<io::Blob> {
             auto file = files.find(piece.file);
             if (file == files.end()) {
               return Error(Code::kDataLoss, "{}: tensor {} lies in {}", Name(), tensor.name, piece.file);
             }
             io::Bytes bytes = file->second.bytes.subspan(static_cast<size_t>(piece.offset),
                                                          static_cast<size_t>(PieceBytes(tensor, piece)));
             return io::Blob{file->second.owner, bytes};
           }));
    tensors.emplace(tensor.name.substr(part.size()), std::move(value));
  }
  return tensors;
}

Result<io::Blob> Checkpoint::ReadFile(const FileEntry& file) const {
  auto blob = store_->Read(FileKey(file.name));
  if (blob.status().code() == Code::kNotFound) {
    return Error(Code::kDataLoss, "{}/{} is missing", Name(), file.name);
  }
  HR_TRY(blob.status());
  auto size = static_cast<int64_t>(blob->bytes.size());
  std::string name = fmt::format("{}/{}", Name(), file.name);
  if (size != file.size) return Error(Code::kDataLoss, "{}", WrongSize(name, size, file.size));
  std::string hash = io::Sha256Hex(blob->bytes);
  if (hash != file.sha256) return Error(Code::kDataLoss, "{}", WrongHash(name, hash, file.sha256));
  return blob;
}

std::vector<Damage> Checkpoint::CompareSizes(const std::map<std::string, int64_t, std::less<>>& sizes) const {
  std::vector<Damage> found;
  for (const FileEntry& file : manifest_->files) {
    std::string name = fmt::format("{}/{}", Name(), file.name);
    auto size = sizes.find(file.name);
    if (size == sizes.end()) {
      found.push_back({file.name, Damage::Kind::kMissing, name + " is missing"});
    } else if (size->second != file.size) {
      found.push_back({file.name, Damage::Kind::kWrongSize, WrongSize(name, size->second, file.size)});
    }
  }
  return found;
}

Result<std::vector<Damage>> Checkpoint::Verify() const {
  std::vector<Damage> found;
  for (const FileEntry& file : manifest_->files) {
    HR_TRY(std::optional<Damage> damage, VerifyFile(file));
    if (damage) found.push_back(*std::move(damage));
  }
  return found;
}

Result<std::optional<Damage>> Checkpoint::VerifyFile(const FileEntry& file) const {
  std::string name = fmt::format("{}/{}", Name(), file.name);
  Result<int64_t> size = store_->Size(FileKey(file.name));
  if (size.status().code() == Code::kNotFound) {
    return std::optional(Damage{file.name, Damage::Kind::kMissing, name + " is missing"});
  }
  HR_TRY(size.status());
  if (*size != file.size) {
    return std::optional(Damage{file.name, Damage::Kind::kWrongSize, WrongSize(name, *size, file.size)});
  }
  io::Sha256 hash;
  for (int64_t offset = 0; offset < file.size; offset += kVerifyChunk) {
    HR_TRY(io::Blob chunk,
           store_->ReadRange(FileKey(file.name), offset, std::min(kVerifyChunk, file.size - offset)));
    hash.Update(chunk.bytes);
  }
  std::string hex = std::move(hash).Hex();
  if (hex == file.sha256) return std::optional<Damage>();
  return std::optional(Damage{file.name, Damage::Kind::kWrongHash, WrongHash(name, hex, file.sha256)});
}

}  // namespace headrace::checkpoint
