// The one unit that sees libjpeg. It reports errors by longjmp, so each step that may fail is a method that
// calls setjmp itself and has nothing to destroy between there and the jump.
#include <cstdio>  // before jpeglib.h, which needs it
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <csetjmp>
#include <string>

#include "headrace/data/internal/exif.h"
#include "headrace/data/internal/image_formats.h"

namespace headrace::data {
namespace {

constexpr std::string_view kSignature = "\xFF\xD8\xFF";
constexpr int kExifMarker = JPEG_APP0 + 1;
constexpr std::string_view kExifPrefix{"Exif\0\0", 6};
// A few bytes can ask for many passes over a large picture; honest progressive files make about ten.
constexpr int kMostScans = 200;

// Warnings after which pixels are not those that were saved. Others are about padding, versions and order.
bool LosesPixels(int code) {
  return code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE || code == JWRN_ARITH_BAD_CODE ||
         code == JWRN_MUST_RESYNC;
}

// What a JPEG file may rightly be and we cannot read.
bool IsUnsupported(int code) {
  return code == JERR_ARITH_NOTIMPL || code == JERR_BAD_PRECISION || code == JERR_CONVERSION_NOTIMPL ||
         code == JERR_SOF_UNSUPPORTED;
}

class Decompressor {
 public:
  explicit Decompressor(io::Bytes bytes) {
    info_.err = jpeg_std_error(&errors_);
    info_.client_data = this;
    errors_.error_exit = Fail;
    errors_.emit_message = Warn;
    source_.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
    source_.bytes_in_buffer = bytes.size();
    source_.init_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = AddEnd;
    source_.skip_input_data = Skip;
    source_.resync_to_restart = jpeg_resync_to_restart;
    source_.term_source = [](j_decompress_ptr) {};
    progress_.progress_monitor = LimitScans;
  }
  ~Decompressor() { jpeg_destroy_decompress(&info_); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // Each is false after an error; Failure() says which.
  bool ReadHeader() {
    if (setjmp(jump_) != 0) return false;
    jpeg_create_decompress(&info_);
    info_.src = &source_;
    info_.progress = &progress_;
    jpeg_save_markers(&info_, kExifMarker, 0xFFFF);
    jpeg_read_header(&info_, TRUE);
    if (info_.num_components == 4) {
      info_.out_color_space = JCS_CMYK;
    } else if (info_.jpeg_color_space != JCS_GRAYSCALE) {
      info_.out_color_space = JCS_RGB;
    }
    jpeg_calc_output_dimensions(&info_);
    return true;
  }
  // Writes rows of width · channels bytes.
  bool ReadPixels(uint8_t* pixels) {
    if (setjmp(jump_) != 0) return false;
    jpeg_start_decompress(&info_);
    if (ended_early_ && jpeg_has_multiple_scans(&info_)) return false;  // scans are missing
    const size_t stride = static_cast<size_t>(info_.output_width) * info_.output_components;
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = pixels + info_.output_scanline * stride;
      jpeg_read_scanlines(&info_, &row, 1);
    }
    return true;
  }

  int64_t height() const { return info_.output_height; }
  int64_t width() const { return info_.output_width; }
  int64_t channels() const {
    return info_.out_color_components;
  }  // 1, 3, or 4 for cyan, magenta, yellow, black

  int Orientation() const {
    for (const jpeg_marker_struct* marker = info_.marker_list; marker != nullptr; marker = marker->next) {
      const io::Bytes bytes = std::as_bytes(std::span(marker->data, marker->data_length));
      if (io::AsText(bytes).starts_with(kExifPrefix))
        return ExifOrientation(bytes.subspan(kExifPrefix.size()));
    }
    return 1;
  }

  Status Failure(std::string_view name) {
    if (too_many_scans_) return InvalidArgument("{} is a JPEG image of more than {} scans", name, kMostScans);
    if (ended_early_)
      return Error(Code::kDataLoss, "{} is an incomplete JPEG image: its end is missing", name);
    std::string message(JMSG_LENGTH_MAX, '\0');
    errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), message.data());
    message.resize(message.find('\0'));
    if (IsUnsupported(errors_.msg_code)) {
      return InvalidArgument("{} is a JPEG image of a kind that cannot be read: {}", name, message);
    }
    return Error(Code::kDataLoss, "{} is a damaged JPEG image: {}", name, message);
  }

 private:
  template <class Info>
  static Decompressor& Of(Info* info) {
    return *static_cast<Decompressor*>(info->client_data);
  }
  [[noreturn]] static void Fail(j_common_ptr info) { std::longjmp(Of(info).jump_, 1); }
  static void Warn(j_common_ptr info, int level) {
    if (level < 0 && LosesPixels(info->err->msg_code)) Fail(info);
  }
  static void LimitScans(j_common_ptr info) {
    Decompressor& self = Of(info);
    if (self.info_.input_scan_number <= kMostScans) return;
    self.too_many_scans_ = true;
    Fail(info);
  }
  // As if the end mark were there; a warning comes if pixels are missing before it.
  static boolean AddEnd(j_decompress_ptr info) {
    static constexpr JOCTET kEnd[] = {0xFF, JPEG_EOI};
    Of(info).ended_early_ = true;
    info->src->next_input_byte = kEnd;
    info->src->bytes_in_buffer = sizeof kEnd;
    return TRUE;
  }
  static void Skip(j_decompress_ptr info, long count) {
    jpeg_source_mgr& source = *info->src;
    if (count > static_cast<long>(source.bytes_in_buffer)) {
      AddEnd(info);
    } else if (count > 0) {
      source.next_input_byte += count;
      source.bytes_in_buffer -= static_cast<size_t>(count);
    }
  }

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf jump_{};
  bool ended_early_ = false;
  bool too_many_scans_ = false;
};

// Ink on white paper, stored inverted as Adobe's programs do and everybody expects: red is what cyan and
// black let through.
HostTensor FromInk(const HostTensor& ink) {
  const int64_t height = ink.shape()[0], width = ink.shape()[1];
  HostTensor picture({DType::kU8, {height, width, 3}});
  const uint8_t* in = ink.data<uint8_t>().data();
  uint8_t* out = picture.mutable_data<uint8_t>().data();
  for (int64_t i = 0; i < height * width; ++i, in += 4) {
    for (int c = 0; c < 3; ++c) *out++ = static_cast<uint8_t>((in[c] * in[3] + 127) / 255);
  }
  return picture;
}

}  // namespace

bool IsJpeg(io::Bytes bytes) { return io::AsText(bytes).starts_with(kSignature); }

Result<HostTensor> DecodeJpeg(io::Bytes bytes, std::string_view name) {
  Decompressor jpeg(bytes);
  if (!jpeg.ReadHeader()) return jpeg.Failure(name);
  HR_TRY(CheckPixels(jpeg.width(), jpeg.height(), name));
  HostTensor picture({DType::kU8, {jpeg.height(), jpeg.width(), jpeg.channels()}});
  if (!jpeg.ReadPixels(picture.mutable_data<uint8_t>().data())) return jpeg.Failure(name);
  if (jpeg.channels() == 4) picture = FromInk(picture);
  return Oriented(std::move(picture), jpeg.Orientation());
}

}  // namespace headrace::data
