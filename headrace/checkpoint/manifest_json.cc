// The JSON text of a Manifest: ToJson and ParseManifest. The one unit that knows the JSON library.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "headrace/checkpoint/manifest.h"
#include "headrace/io/hash.h"

namespace headrace::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kHashBegin = "{\n  \"manifest_sha256\": \"";
constexpr std::string_view kHashEnd = "\",\n";
constexpr size_t kHashDigits = 64;

std::string Text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);  // names may hold any bytes
}

Json ToJson(const Piece& piece) {
  return {{"file", piece.file},
          {"offset", piece.offset},
          {"start", piece.box.start},
          {"size", piece.box.size},
          {"crc32c", piece.crc32c}};
}

Json ToJson(const TensorEntry& tensor) {
  Json pieces = Json::array();
  for (const Piece& piece : tensor.pieces) pieces.push_back(ToJson(piece));
  return {{"name", tensor.name},
          {"dtype", Name(tensor.type.dtype)},
          {"shape", tensor.type.shape.dims()},
          {"pieces", std::move(pieces)}};
}

Json ToJson(const FileEntry& file) {
  return {{"name", file.name}, {"size", file.size}, {"sha256", file.sha256}};
}

Json ToJson(const MeshAxis& axis) { return {{"name", axis.name}, {"size", axis.size}}; }

// An array with one element a line.
template <class T>
std::string Lines(const std::vector<T>& elements) {
  std::string text;
  for (const T& element : elements) text += (text.empty() ? "\n    " : ",\n    ") + Text(ToJson(element));
  return "[" + text + (text.empty() ? "]" : "\n  ]");
}

// Reads the fields of one JSON object; the first error sticks and names the field.
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) Fail("is not an object");
  }

  void Read(const char* key, std::string& value) {
    const Json* field = Find(key);
    if (field && field->is_string()) {
      value = field->get<std::string>();
    } else if (field) {
      Fail("{} is not a string", key);
    }
  }
  void Read(const char* key, int64_t& value) {
    if (const Json* field = Find(key)) ToInteger(key, *field, value);
  }
  void Read(const char* key, std::vector<int64_t>& values) {
    for (const Json& element : Elements(key)) ToInteger(key, element, values.emplace_back());
  }
  // An object inside this one.
  template <class T>
  void Read(const char* key, T& value, void (*read)(Reader&, T&)) {
    if (const Json* field = Find(key)) ReadObject(*field, key, value, read);
  }
  // A list of objects.
  template <class T>
  void Read(const char* key, std::vector<T>& values, void (*read)(Reader&, T&)) {
    for (const Json& element : Elements(key)) {
      std::string name = fmt::format("{}[{}]", key, values.size());
      ReadObject(element, name, values.emplace_back(), read);
    }
  }

  template <class... Args>
  void Fail(fmt::format_string<Args...> what, Args&&... args) {
    if (error_.empty()) error_ = where_ + fmt::format(what, std::forward<Args>(args)...);
  }
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  template <class T>
  void ReadObject(const Json& json, std::string_view name, T& value, void (*read)(Reader&, T&)) {
    Reader inner(json, fmt::format("{}{}: ", where_, name));
    if (inner.ok()) read(inner, value);
    if (ok()) error_ = inner.error_;
  }
  const Json* Find(const char* key) {
    if (!ok()) return nullptr;
    auto found = object_.find(key);
    if (found != object_.end()) return &*found;
    Fail("{} is missing", key);
    return nullptr;
  }
  const Json& Elements(const char* key) {
    static const Json none = Json::array();
    const Json* field = Find(key);
    if (field && field->is_array()) return *field;
    if (field) Fail("{} is not a list", key);
    return none;
  }
  // Every number of a manifest is a count or an offset.
  void ToInteger(const char* key, const Json& json, int64_t& value) {
    constexpr auto kLargest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    if (json.is_number_unsigned() && json.get<uint64_t>() <= kLargest) {
      value = json.get<int64_t>();
    } else {
      Fail("{} is not a whole number of 0 or more", key);
    }
  }

  const Json& object_;
  std::string where_;
  std::string error_;
};

void ReadAxis(Reader& in, MeshAxis& axis) {
  in.Read("name", axis.name);
  in.Read("size", axis.size);
}

void ReadDataPosition(Reader& in, DataPosition& position) {
  in.Read("examples", position.examples);
  in.Read("sha256", position.sha256);
}

void ReadFile(Reader& in, FileEntry& file) {
  in.Read("name", file.name);
  in.Read("size", file.size);
  in.Read("sha256", file.sha256);
}

void ReadPiece(Reader& in, Piece& piece) {
  int64_t crc32c = 0;
  in.Read("file", piece.file);
  in.Read("offset", piece.offset);
  in.Read("start", piece.box.start);
  in.Read("size", piece.box.size);
  in.Read("crc32c", crc32c);
  if (crc32c > std::numeric_limits<uint32_t>::max()) in.Fail("crc32c has more than 32 bits");
  piece.crc32c = static_cast<uint32_t>(crc32c);
}

void ReadTensor(Reader& in, TensorEntry& tensor) {
  std::string dtype;
  std::vector<int64_t> shape;
  in.Read("name", tensor.name);
  in.Read("dtype", dtype);
  in.Read("shape", shape);
  in.Read("pieces", tensor.pieces, ReadPiece);
  auto known = ParseDType(dtype);
  if (!known) in.Fail("dtype is {}, which is not known", dtype);
  tensor.type = {known.value_or(DType::kF32), Shape(std::move(shape))};
}

// The bytes of a box of elements of `item` bytes. Nothing if they, or those of the same box without its empty
// dimensions, are more than fit in an int64: nobody can compute with such a shape.
std::optional<int64_t> BoxBytes(const std::vector<int64_t>& sizes, int64_t item) {
  int64_t bytes = item;
  for (int64_t size : sizes) {
    if (size == 0) continue;
    if (bytes > std::numeric_limits<int64_t>::max() / size) return std::nullopt;
    bytes *= size;
  }
  return std::ranges::find(sizes, 0) == sizes.end() ? bytes : 0;
}

// What is wrong with where `piece` lies; empty if nothing is.
std::string WrongPiece(const Manifest& manifest, const TensorEntry& tensor, const Piece& piece) {
  const auto& shape = tensor.type.shape.dims();
  if (piece.box.start.size() != shape.size() || piece.box.size.size() != shape.size())
    return "has another rank";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (piece.box.start[i] > shape[i] || piece.box.size[i] > shape[i] - piece.box.start[i]) {
      return "reaches beyond its tensor";
    }
  }
  const FileEntry* file = manifest.FindFile(piece.file);
  if (!file) return "lies in a file that is not listed";
  int64_t bytes = *BoxBytes(piece.box.size, ByteSize(tensor.type.dtype));
  if (piece.offset > file->size || bytes > file->size - piece.offset) return "reaches beyond its file";
  return "";
}

// True if the pieces cover the tensor without overlap.
bool Covers(const TensorEntry& tensor) {
  int64_t covered = 0;
  for (size_t i = 0; i < tensor.pieces.size(); ++i) {
    covered += tensor.pieces[i].box.ElementCount();
    for (size_t j = 0; j < i; ++j) {
      if (Intersect(tensor.pieces[i].box, tensor.pieces[j].box)) return false;
    }
  }
  return covered == tensor.type.shape.ElementCount();
}

void CheckTensors(const Manifest& manifest, Reader& in) {
  for (size_t i = 0; i < manifest.tensors.size(); ++i) {
    const TensorEntry& tensor = manifest.tensors[i];
    if (i > 0 && manifest.tensors[i - 1].name >= tensor.name)
      in.Fail("tensor {} is out of order", tensor.name);
    if (!BoxBytes(tensor.type.shape.dims(), ByteSize(tensor.type.dtype))) {
      in.Fail("tensor {} is larger than any file", tensor.name);
      return;
    }
    for (const Piece& piece : tensor.pieces) {
      std::string wrong = WrongPiece(manifest, tensor, piece);
      if (!wrong.empty()) in.Fail("a piece of tensor {} {}", tensor.name, wrong);
    }
    if (in.ok() && !Covers(tensor)) in.Fail("the pieces of tensor {} do not cover it", tensor.name);
  }
}

// Relative, without empty parts, "." and "..": a file name must not lead out of the checkpoint.
bool StaysInside(std::string_view name) {
  std::string path = "/" + std::string(name) + "/";
  return path.find("//") == std::string::npos && path.find("/./") == std::string::npos &&
         path.find("/../") == std::string::npos;
}

Manifest ReadManifest(Reader& in) {
  Manifest manifest;
  in.Read("step", manifest.step);
  in.Read("created", manifest.created);
  in.Read("version", manifest.version);
  in.Read("plugin", manifest.plugin);
  in.Read("config_sha256", manifest.config_sha256);
  in.Read("params_sha256", manifest.params_sha256);
  in.Read("mesh", manifest.mesh, ReadAxis);
  in.Read("data", manifest.data, ReadDataPosition);
  in.Read("files", manifest.files, ReadFile);
  in.Read("tensors", manifest.tensors, ReadTensor);
  for (const FileEntry& file : manifest.files) {
    if (!StaysInside(file.name)) in.Fail("file {} lies outside", file.name);
  }
  if (in.ok()) CheckTensors(manifest, in);
  return manifest;
}

}  // namespace

std::string ToJson(const Manifest& manifest) {
  auto field = [](std::string_view key, const std::string& value, std::string_view end = ",\n") {
    return fmt::format("  \"{}\": {}{}", key, value, end);
  };
  Json data = {{"examples", manifest.data.examples}, {"sha256", manifest.data.sha256}};
  std::string rest =
      field("format", Text(manifest.format)) + field("step", Text(manifest.step)) +
      field("created", Text(manifest.created)) + field("version", Text(manifest.version)) +
      field("plugin", Text(manifest.plugin)) + field("config_sha256", Text(manifest.config_sha256)) +
      field("params_sha256", Text(manifest.params_sha256)) + field("mesh", Lines(manifest.mesh)) +
      field("data", Text(data)) + field("files", Lines(manifest.files)) +
      field("tensors", Lines(manifest.tensors), "\n}\n");
  return fmt::format("{}{}{}{}", kHashBegin, io::Sha256Hex(io::AsBytes(rest)), kHashEnd, rest);
}

Result<Manifest> ParseManifest(std::string_view text, std::string_view source) {
  size_t body = kHashBegin.size() + kHashDigits + kHashEnd.size();
  if (text.size() < body || !text.starts_with(kHashBegin) ||
      text.substr(body - kHashEnd.size(), 3) != kHashEnd) {
    return Error(Code::kDataLoss, "{} is not a manifest, or its beginning is damaged", source);
  }
  std::string_view rest = text.substr(body);
  if (io::Sha256Hex(io::AsBytes(rest)) != text.substr(kHashBegin.size(), kHashDigits)) {
    return Error(Code::kDataLoss, "{} is damaged: it does not match its own SHA-256", source);
  }
  Json json = Json::parse("{" + std::string(rest), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Error(Code::kDataLoss, "{} is no valid manifest: it is not JSON", source);
  Reader in(json, "");
  int64_t format = 0;
  in.Read("format", format);
  if (in.ok() && format != kManifestFormat) {
    return Error(Code::kUnimplemented,
                 "{} has format {}, this version of Headrace reads format {}: use the version that wrote it",
                 source, format, kManifestFormat);
  }
  Manifest manifest;
  if (in.ok()) manifest = ReadManifest(in);
  if (!in.ok()) return Error(Code::kDataLoss, "{} is no valid manifest: {}", source, in.error());
  return manifest;
}

}  // namespace headrace::checkpoint
