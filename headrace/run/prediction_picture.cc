#include "headrace/run/prediction_picture.h"

#include <cairo.h>

#include <algorithm>
#include <array>
#include <memory>

namespace headrace::run {
namespace {

struct Rgb {
  uint8_t r, g, b;
};

Rgb PixelAt(const HostTensor& picture, int64_t y, int64_t x) {
  const int64_t channels = picture.shape()[2];
  const auto at = static_cast<size_t>((y * picture.shape()[1] + x) * channels);
  const auto data = picture.data<uint8_t>();
  if (channels == 1) return {data[at], data[at], data[at]};
  return {data[at], data[at + 1], data[at + 2]};
}

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Context = std::unique_ptr<cairo_t, Destroy>;

// Layout, in pixels.
constexpr double kSide = 280, kMargin = 20, kRow = 26, kBar = 220, kLabel = 34, kValue = 60, kTitle = 34;
constexpr Rgb kInk = {32, 38, 46}, kBest = {33, 110, 190}, kOther = {178, 196, 214}, kWrong = {196, 64, 48};

void SetColour(cairo_t* context, Rgb colour) {
  cairo_set_source_rgb(context, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
}

void Text(cairo_t* context, double x, double y, const std::string& text) {
  cairo_move_to(context, x, y);
  cairo_show_text(context, text.c_str());
}

// The picture, scaled up to a square without smoothing, its top left corner at (x, y).
void DrawPicture(cairo_t* context, const HostTensor& picture, double x, double y) {
  const int64_t height = picture.shape()[0], width = picture.shape()[1];
  const double pixel = kSide / static_cast<double>(std::max(height, width));
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
  for (int64_t row = 0; row < height; ++row) {
    for (int64_t column = 0; column < width; ++column) {
      SetColour(context, PixelAt(picture, row, column));
      cairo_rectangle(context, x + static_cast<double>(column) * pixel, y + static_cast<double>(row) * pixel,
                      pixel, pixel);
      cairo_fill(context);
    }
  }
  cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT);
}

void DrawBars(cairo_t* context, const Prediction& prediction, double x, double y) {
  const int64_t best = prediction.Best();
  for (size_t c = 0; c < prediction.probabilities.size(); ++c) {
    const double probability = prediction.probabilities[c];
    const double top = y + static_cast<double>(c) * kRow;
    const bool is_best = static_cast<int64_t>(c) == best;
    const bool is_wrong = is_best && prediction.label && *prediction.label != best;
    SetColour(context, kInk);
    Text(context, x, top + kRow - 9, fmt::format("{}", c));
    SetColour(context, is_wrong ? kWrong : is_best ? kBest : kOther);
    cairo_rectangle(context, x + kLabel, top + 4, std::max(1.0, probability * kBar), kRow - 8);
    cairo_fill(context);
    SetColour(context, kInk);
    Text(context, x + kLabel + probability * kBar + 6, top + kRow - 9,
         fmt::format("{:.1f} %", 100 * probability));
  }
}

cairo_status_t AppendBytes(void* to, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<std::string> DrawPrediction(const Prediction& prediction) {
  if (!prediction.picture) return InvalidArgument("{}: there is no picture to draw", prediction.source);
  const double rows = static_cast<double>(prediction.probabilities.size()) * kRow;
  const double width = kMargin * 3 + kSide + kLabel + kBar + kValue;
  const double height = kMargin * 2 + kTitle + std::max(kSide, rows);
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
  const Context context(cairo_create(surface.get()));
  SetColour(context.get(), {255, 255, 255});
  cairo_paint(context.get());

  cairo_select_font_face(context.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
  cairo_set_font_size(context.get(), 18);
  SetColour(context.get(), kInk);
  const int64_t best = prediction.Best();
  std::string title = fmt::format("{}: class {}", prediction.source, best);
  if (prediction.label)
    title += *prediction.label == best ? ", right" : fmt::format(", but it is {}", *prediction.label);
  Text(context.get(), kMargin, kMargin + 18, title);

  cairo_select_font_face(context.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context.get(), 14);
  DrawPicture(context.get(), *prediction.picture, kMargin, kMargin + kTitle);
  DrawBars(context.get(), prediction, kMargin * 2 + kSide, kMargin + kTitle);

  std::string png;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), AppendBytes, &png);
  if (status != CAIRO_STATUS_SUCCESS) {
    return Error(Code::kInternal, "drawing the picture: {}", cairo_status_to_string(status));
  }
  return png;
}

std::vector<std::string> PictureLines(const HostTensor& picture, bool colour) {
  constexpr std::string_view kShades = " .:-=+*#%@";
  const int64_t height = picture.shape()[0], width = picture.shape()[1];
  std::vector<std::string> lines;
  for (int64_t y = 0; y < height; y += 2) {
    std::string line;
    for (int64_t x = 0; x < width; ++x) {
      const Rgb top = PixelAt(picture, y, x);
      const Rgb below = y + 1 < height ? PixelAt(picture, y + 1, x) : Rgb{0, 0, 0};
      if (colour) {
        line += fmt::format("\x1b[38;2;{};{};{};48;2;{};{};{}m\u2580", top.r, top.g, top.b, below.r, below.g,
                            below.b);
      } else {
        const int light = (top.r + top.g + top.b + below.r + below.g + below.b) / 6;
        line += kShades[static_cast<size_t>(light) * (kShades.size() - 1) / 255];
      }
    }
    lines.push_back(line + (colour ? "\x1b[0m" : ""));
  }
  return lines;
}

}  // namespace headrace::run
