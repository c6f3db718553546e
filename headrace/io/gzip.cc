#include "headrace/io/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace headrace::io {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 asks zlib for the gzip frame
constexpr size_t kMostAtOnce = std::numeric_limits<uInt>::max();

Bytef* ZlibPointer(const std::byte* bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes));
}

}  // namespace

bool IsGzip(Bytes bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

struct GzipSource::State {
  Blob compressed;
  std::string name;
  Bytes rest;
  z_stream stream{};
  bool in_member = false;
  Status error;

  int64_t Offset() const { return static_cast<int64_t>(compressed.bytes.size() - rest.size()); }

  // Moves to the next member. False at the end; zeros may fill it up (tapes and some tools pad).
  Result<bool> BeginMember() {
    if (std::ranges::all_of(rest, [](std::byte b) { return b == std::byte{0}; })) {
      if (Offset() > 0) return false;
    }
    if (!IsGzip(rest)) {
      if (Offset() == 0) return InvalidArgument("{} is not gzip; if it is plain, name it without .gz", name);
      return Error(Code::kDataLoss,
                   "{}: what follows the compressed data at offset {} is not gzip; it is damaged", name,
                   Offset());
    }
    inflateReset(&stream);
    in_member = true;
    return true;
  }

  Result<size_t> Inflate(std::span<std::byte> out) {
    stream.next_in = ZlibPointer(rest.data());
    stream.avail_in = static_cast<uInt>(std::min(rest.size(), kMostAtOnce));
    stream.next_out = ZlibPointer(out.data());
    stream.avail_out = static_cast<uInt>(std::min(out.size(), kMostAtOnce));
    const size_t given_in = stream.avail_in;
    const size_t given_out = stream.avail_out;
    const int result = inflate(&stream, Z_NO_FLUSH);
    rest = rest.subspan(given_in - stream.avail_in);
    const size_t count = given_out - stream.avail_out;
    if (result == Z_STREAM_END) {
      in_member = false;
      return count;
    }
    if (result == Z_MEM_ERROR) return Error(Code::kResourceExhausted, "{}: out of memory", name);
    if (result != Z_OK && result != Z_BUF_ERROR) {
      return Error(Code::kDataLoss, "{} is damaged near offset {} ({}); fetch it again", name, Offset(),
                   stream.msg != nullptr ? stream.msg : "bad data");
    }
    if (count == 0 && rest.empty()) {
      return Error(Code::kOutOfRange,
                   "{} is cut short: its {} bytes end inside the compressed data; fetch it again", name,
                   compressed.bytes.size());
    }
    return count;
  }

  Result<size_t> Read(std::span<std::byte> out) {
    while (true) {
      if (!in_member) {
        HR_TRY(const bool more, BeginMember());
        if (!more) return size_t{0};
      }
      HR_TRY(const size_t count, Inflate(out));
      if (count > 0) return count;
    }
  }
};

GzipSource::GzipSource(Blob compressed, std::string name) : state_(std::make_unique<State>()) {
  state_->compressed = std::move(compressed);
  state_->rest = state_->compressed.bytes;
  state_->name = std::move(name);
  if (inflateInit2(&state_->stream, kGzipWindow) != Z_OK) {
    state_->error = Error(Code::kResourceExhausted, "{}: out of memory", state_->name);
  }
}

GzipSource::~GzipSource() { inflateEnd(&state_->stream); }

Result<size_t> GzipSource::Read(std::span<std::byte> out) {
  HR_TRY(state_->error);
  Result<size_t> result = state_->Read(out);
  state_->error = result.status();
  return result;
}

Result<std::string> Gunzip(Bytes compressed, std::string_view name) {
  GzipSource source({nullptr, compressed}, std::string(name));
  std::string text;
  while (true) {
    const size_t filled = text.size();
    text.resize(std::max(2 * filled, 4 * compressed.size() + 64));
    HR_TRY(const size_t count, ReadFully(source, std::as_writable_bytes(std::span(text).subspan(filled))));
    if (filled + count < text.size()) {
      text.resize(filled + count);
      return text;
    }
  }
}

std::string Gzip(Bytes bytes, int level) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;  // zlib's default
  HR_CHECK(deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out;
  int result = Z_OK;
  while (result == Z_OK) {
    char buffer[1 << 14];
    if (stream.avail_in == 0) {
      stream.next_in = ZlibPointer(bytes.data());
      stream.avail_in = static_cast<uInt>(std::min(bytes.size(), kMostAtOnce));
      bytes = bytes.subspan(stream.avail_in);
    }
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    result = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(buffer, sizeof(buffer) - stream.avail_out);
  }
  deflateEnd(&stream);
  HR_CHECK(result == Z_STREAM_END);
  return out;
}

}  // namespace headrace::io
