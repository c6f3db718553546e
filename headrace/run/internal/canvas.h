// Canvas: a small drawing that becomes a PNG file. Lengths are in pixels, from the top left corner.
#pragma once

#include <memory>
#include <string>

#include "headrace/core/status.h"
#include "headrace/run/colour.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::run {

class Canvas {
 public:
  // White.
  Canvas(double width, double height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void Font(double size, bool bold);
  void Text(double x, double y, Rgb colour, const std::string& text);  // y is the line it stands on
  void Rectangle(double x, double y, double width, double height, Rgb colour);
  // u8 [height, width, 1 or 3], scaled without smoothing so that its longer side is `side`.
  void Picture(double x, double y, double side, const HostTensor& picture);

  Result<std::string> ToPng() const;

 private:
  struct Cairo;  // what belongs to the library

  std::unique_ptr<Cairo> cairo_;
};

}  // namespace headrace::run
