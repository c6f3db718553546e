#include "headrace/checkpoint/internal/snapshot_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "headrace/checkpoint/internal/model_index.h"
#include "headrace/checkpoint/shard_plan.h"
#include "headrace/io/crc32c.h"
#include "headrace/io/hash.h"
#include "headrace/tensor/safetensors.h"

namespace headrace::checkpoint {
namespace {

// A new file that is hashed while it is written.
class HashedFile {
 public:
  static Result<HashedFile> Create(io::Store& store, const std::string& folder, std::string name) {
    HR_TRY(auto writer, store.Create(fmt::format("{}/{}", folder, name), io::WriteIf::kAbsent));
    return HashedFile(std::move(writer), std::move(name));
  }

  // In pieces that stay in the cache between being hashed and being written.
  Status Append(io::Bytes bytes) {
    constexpr size_t kChunk = size_t{1} << 20;
    size_ += static_cast<int64_t>(bytes.size());
    while (!bytes.empty()) {
      io::Bytes chunk = bytes.first(std::min(kChunk, bytes.size()));
      bytes = bytes.subspan(chunk.size());
      hash_.Update(chunk);
      HR_TRY(writer_->Append(chunk));
    }
    return Ok();
  }

  Result<FileEntry> Commit() && {
    HR_TRY(writer_->Commit());
    return FileEntry{.name = std::move(name_), .size = size_, .sha256 = std::move(hash_).Hex()};
  }

 private:
  HashedFile(std::unique_ptr<io::Writer> writer, std::string name)
      : writer_(std::move(writer)), name_(std::move(name)) {}

  std::unique_ptr<io::Writer> writer_;
  std::string name_;
  io::Sha256 hash_;
  int64_t size_ = 0;
};

// The bytes of a box that is one stretch of its tensor.
io::Bytes StretchOf(const HostTensor& tensor, const Box& box) {
  std::vector<Span> spans = SpansOf(Box::Whole(tensor.shape()), box, 0);
  if (spans.empty()) return {};
  HR_CHECK(spans.size() == 1);
  auto item = static_cast<size_t>(ByteSize(tensor.dtype()));
  return tensor.bytes().subspan(static_cast<size_t>(spans[0].begin) * item,
                                static_cast<size_t>(spans[0].end - spans[0].begin) * item);
}

class SnapshotWriter {
 public:
  SnapshotWriter(io::Store& store, const std::string& folder) : store_(store), folder_(folder) {}

  Status WriteText(std::string name, std::string_view text) {
    HR_TRY(HashedFile file, HashedFile::Create(store_, folder_, std::move(name)));
    HR_TRY(file.Append(io::AsBytes(text)));
    HR_TRY(FileEntry entry, std::move(file).Commit());
    manifest_.files.push_back(std::move(entry));
    return Ok();
  }

  // The planned files, as safetensors in the folder `part` ("model", "state").
  Status WriteTensors(std::string_view part, const TensorMap& tensors,
                      const std::vector<PlannedFile>& files) {
    std::map<std::string_view, TensorEntry*> entries;
    manifest_.tensors.reserve(manifest_.tensors.size() + tensors.size());
    for (const auto& [name, tensor] : tensors) {
      entries[name] =
          &manifest_.tensors.emplace_back(TensorEntry{fmt::format("{}/{}", part, name), tensor.type(), {}});
    }
    for (const PlannedFile& file : files) {
      std::string name = fmt::format("{}/{}", part, file.name);
      HR_TRY(std::vector<Piece> pieces, WriteFile(name, file, tensors));
      for (size_t i = 0; i < pieces.size(); ++i) {
        entries.at(file.pieces[i].tensor)->pieces.push_back(std::move(pieces[i]));
      }
    }
    return Ok();
  }

  Manifest Finish() && {
    std::ranges::sort(manifest_.tensors, {}, &TensorEntry::name);
    return std::move(manifest_);
  }

 private:
  // Returns where the planned pieces went, in their order.
  Result<std::vector<Piece>> WriteFile(const std::string& name, const PlannedFile& plan,
                                       const TensorMap& tensors) {
    std::map<std::string, size_t> index;  // name in the file → planned piece
    std::vector<NamedType> types;
    for (const PlannedPiece& piece : plan.pieces) {
      const HostTensor& tensor = tensors.at(piece.tensor);
      bool whole = piece.box == Box::Whole(tensor.shape());
      std::string label = whole ? piece.tensor : piece.tensor + piece.box.ToString();
      index[label] = types.size();
      types.push_back({std::move(label), {tensor.dtype(), Shape(piece.box.size)}});
    }
    HR_TRY(SafetensorsLayout layout, LayOutSafetensors(types));
    HR_TRY(HashedFile file, HashedFile::Create(store_, folder_, name));
    HR_TRY(file.Append(io::AsBytes(EncodeSafetensorsHeader(layout))));
    std::vector<Piece> pieces(plan.pieces.size());
    for (const SafetensorsEntry& entry : layout.entries) {
      size_t i = index.at(entry.name);
      const PlannedPiece& planned = plan.pieces[i];
      io::Bytes bytes = StretchOf(tensors.at(planned.tensor), planned.box);
      HR_TRY(file.Append(bytes));
      pieces[i] = {.file = name, .offset = entry.offset, .box = planned.box, .crc32c = io::Crc32c(bytes)};
    }
    HR_TRY(FileEntry entry, std::move(file).Commit());
    manifest_.files.push_back(std::move(entry));
    return pieces;
  }

  io::Store& store_;
  const std::string& folder_;
  Manifest manifest_;
};

}  // namespace

Result<Manifest> WriteSnapshot(io::Store& store, const std::string& folder, const Snapshot& snapshot,
                               int64_t max_file_bytes) {
  SnapshotWriter writer(store, folder);
  HR_TRY(writer.WriteText("model/config.json", snapshot.model_config));
  for (const auto& [name, text] : snapshot.model_files) HR_TRY(writer.WriteText("model/" + name, text));
  std::vector<PlannedFile> model = PlanWhole(snapshot.model, "model", max_file_bytes);
  HR_TRY(writer.WriteTensors("model", snapshot.model, model));
  if (model.size() > 1)
    HR_TRY(writer.WriteText("model/model.safetensors.index.json", ModelIndex(snapshot.model, model)));
  HR_TRY(writer.WriteTensors("state", snapshot.state, PlanSplit(snapshot.state, "state", max_file_bytes)));

  Manifest manifest = std::move(writer).Finish();
  manifest.step = snapshot.step;
  manifest.version = HEADRACE_VERSION;
  manifest.plugin = snapshot.plugin;
  manifest.config_sha256 = snapshot.config_sha256;
  manifest.params_sha256 = ParamsSha256(snapshot.model);
  manifest.mesh = snapshot.mesh;
  manifest.data = snapshot.data;
  return manifest;
}

}  // namespace headrace::checkpoint
