#include "headrace/tensor/npz.h"

#include <zip.h>

#include <memory>
#include <set>

#include "headrace/tensor/npy.h"

namespace headrace {
namespace {

constexpr std::string_view kSuffix = ".npy";

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using ArchiveFile = std::unique_ptr<zip_file_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;

// An archive in memory; `source`, which it shares, is what its bytes are read back from.
Result<Archive> OpenArchive(zip_source_t* source, int flags) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_keep(source);
  Archive archive(zip_open_from_source(source, flags, &error));
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  if (archive != nullptr) return archive;
  zip_source_free(source);
  return Error(Code::kDataLoss, "not a whole .npz (zip) file: {}", why);
}

Result<std::string> ReadEntry(zip_t* archive, zip_uint64_t index) {
  const ArchiveFile file(zip_fopen_index(archive, index, 0));
  if (file == nullptr) return Error(Code::kDataLoss, "{}", zip_strerror(archive));
  std::string bytes;
  while (true) {  // grows with what is there, not with the size that the archive claims
    const size_t filled = bytes.size();
    bytes.resize(std::max<size_t>(2 * filled, 1 << 16));
    const zip_int64_t count = zip_fread(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0) return Error(Code::kDataLoss, "{}", zip_file_strerror(file.get()));
    bytes.resize(filled + static_cast<size_t>(count));
    if (count == 0) return bytes;
  }
}

Status AddEntry(zip_t* archive, const std::string& name, const std::string& bytes,
                NpzCompression compression) {
  zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
  const zip_int64_t index =
      zip_file_add(archive, (name + std::string(kSuffix)).c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return InvalidArgument("cannot add the array '{}': {}", name, zip_strerror(archive));
  }
  constexpr zip_uint16_t kFirstOfJanuary1980 = (1 << 5) + 1;  // the zero of MS-DOS's calendar
  zip_file_set_dostime(archive, static_cast<zip_uint64_t>(index), 0, kFirstOfJanuary1980, 0);
  zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                           compression == NpzCompression::kStore ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
  return Ok();
}

Result<std::string> ReadBack(zip_source_t* source) {
  if (zip_source_open(source) != 0)
    return Error(Code::kInternal, "{}", zip_error_strerror(zip_source_error(source)));
  zip_source_seek(source, 0, SEEK_END);
  std::string bytes(static_cast<size_t>(zip_source_tell(source)), '\0');
  zip_source_seek(source, 0, SEEK_SET);
  const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  HR_CHECK(count == static_cast<zip_int64_t>(bytes.size()));
  return bytes;
}

}  // namespace

Result<std::vector<NamedTensor>> DecodeNpz(std::span<const std::byte> bytes) {
  if (bytes.empty()) return Error(Code::kDataLoss, "not a whole .npz (zip) file: it is empty");
  const Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr));
  HR_TRY(const Archive archive, OpenArchive(source.get(), ZIP_RDONLY));
  std::vector<NamedTensor> arrays;
  std::set<std::string> names;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    const char* raw = zip_get_name(archive.get(), i, ZIP_FL_ENC_GUESS);
    if (raw == nullptr)
      return Error(Code::kDataLoss, "entry {} has no name: {}", i, zip_strerror(archive.get()));
    std::string name = raw;
    if (!name.ends_with(kSuffix)) {
      return InvalidArgument("the archive holds '{}', which is not an array of numpy's (.npy)", name);
    }
    name.resize(name.size() - kSuffix.size());
    if (!names.insert(name).second)
      return Error(Code::kDataLoss, "the archive holds the array '{}' twice", name);
    HR_TRY(const std::string file, ReadEntry(archive.get(), i).Context("array '{}'", name));
    HR_TRY(HostTensor tensor, DecodeNpy(std::as_bytes(std::span(file))).Context("array '{}'", name));
    arrays.push_back({std::move(name), std::move(tensor)});
  }
  return arrays;
}

Result<std::string> EncodeNpz(std::span<const NamedTensor> arrays, NpzCompression compression) {
  // The directory of an archive without entries; libzip would rather make no archive at all.
  if (arrays.empty()) return std::string("PK\5\6") + std::string(18, '\0');
  const Source source(zip_source_buffer_create(nullptr, 0, 0, nullptr));
  HR_TRY(Archive archive, OpenArchive(source.get(), ZIP_CREATE | ZIP_TRUNCATE));
  std::vector<std::string> files(arrays.size());  // lives until the archive is closed, which reads it
  for (size_t i = 0; i < arrays.size(); ++i) {
    HR_TRY(files[i], EncodeNpy(arrays[i].tensor).Context("array '{}'", arrays[i].name));
    HR_TRY(AddEntry(archive.get(), arrays[i].name, files[i], compression));
  }
  zip_t* closing = archive.release();  // which zip_close frees, unless it fails
  if (zip_close(closing) == 0) return ReadBack(source.get());
  archive.reset(closing);
  return Error(Code::kInternal, "{}", zip_strerror(closing));
}

}  // namespace headrace
