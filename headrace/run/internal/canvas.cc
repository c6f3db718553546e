#include "headrace/run/internal/canvas.h"

#include <cairo.h>

#include <algorithm>

namespace headrace::run {
namespace {

cairo_status_t AppendBytes(void* to, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

void SetColour(cairo_t* context, Rgb colour) {
  cairo_set_source_rgb(context, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
}

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

}  // namespace

struct Canvas::Cairo {
  std::unique_ptr<cairo_surface_t, Destroy> surface;
  std::unique_ptr<cairo_t, Destroy> context;
};

Canvas::Canvas(double width, double height) : cairo_(std::make_unique<Cairo>()) {
  cairo_->surface.reset(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
  cairo_->context.reset(cairo_create(cairo_->surface.get()));
  SetColour(cairo_->context.get(), {255, 255, 255});
  cairo_paint(cairo_->context.get());
}
Canvas::~Canvas() = default;

void Canvas::Font(double size, bool bold) {
  cairo_select_font_face(cairo_->context.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_->context.get(), size);
}

void Canvas::Text(double x, double y, Rgb colour, const std::string& text) {
  SetColour(cairo_->context.get(), colour);
  cairo_move_to(cairo_->context.get(), x, y);
  cairo_show_text(cairo_->context.get(), text.c_str());
}

void Canvas::Rectangle(double x, double y, double width, double height, Rgb colour) {
  SetColour(cairo_->context.get(), colour);
  cairo_rectangle(cairo_->context.get(), x, y, width, height);
  cairo_fill(cairo_->context.get());
}

void Canvas::Picture(double x, double y, double side, const HostTensor& picture) {
  const int64_t height = picture.shape()[0], width = picture.shape()[1];
  const double pixel = side / static_cast<double>(std::max(height, width));
  cairo_set_antialias(cairo_->context.get(), CAIRO_ANTIALIAS_NONE);
  for (int64_t row = 0; row < height; ++row) {
    for (int64_t column = 0; column < width; ++column) {
      Rectangle(x + static_cast<double>(column) * pixel, y + static_cast<double>(row) * pixel, pixel, pixel,
                PixelAt(picture, row, column));
    }
  }
  cairo_set_antialias(cairo_->context.get(), CAIRO_ANTIALIAS_DEFAULT);
}

Result<std::string> Canvas::ToPng() const {
  std::string png;
  const cairo_status_t status = cairo_surface_write_to_png_stream(cairo_->surface.get(), AppendBytes, &png);
  if (status == CAIRO_STATUS_SUCCESS) return png;
  return Error(Code::kInternal, "drawing the picture: {}", cairo_status_to_string(status));
}

}  // namespace headrace::run
