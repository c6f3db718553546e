#include "headrace/run/prediction_picture.h"

#include <algorithm>

#include "headrace/data/resize.h"
#include "headrace/run/colour.h"
#include "headrace/run/internal/canvas.h"
#include "headrace/run/predicted_mask.h"

namespace headrace::run {
namespace {

// Layout, in pixels.
constexpr double kSide = 280, kMargin = 20, kRow = 26, kBar = 220, kLabel = 34, kValue = 60, kTitle = 34,
                 kSwatch = 14;
constexpr Rgb kInk = {32, 38, 46}, kBest = {33, 110, 190}, kOther = {178, 196, 214}, kWrong = {196, 64, 48};

void DrawBars(Canvas& canvas, const Prediction& prediction, double x, double y) {
  const int64_t best = prediction.Best();
  for (size_t c = 0; c < prediction.probabilities.size(); ++c) {
    const double probability = prediction.probabilities[c];
    const double top = y + static_cast<double>(c) * kRow;
    const bool is_best = static_cast<int64_t>(c) == best;
    const bool is_wrong = is_best && prediction.label && *prediction.label != best;
    canvas.Text(x, top + kRow - 9, kInk, fmt::format("{}", c));
    canvas.Rectangle(x + kLabel, top + 4, std::max(1.0, probability * kBar), kRow - 8,
                     is_wrong  ? kWrong
                     : is_best ? kBest
                               : kOther);
    canvas.Text(x + kLabel + probability * kBar + 6, top + kRow - 9, kInk,
                fmt::format("{:.1f} %", 100 * probability));
  }
}

Result<std::string> DrawClass(const Prediction& prediction) {
  const double rows = static_cast<double>(prediction.probabilities.size()) * kRow;
  Canvas canvas(kMargin * 3 + kSide + kLabel + kBar + kValue, kMargin * 2 + kTitle + std::max(kSide, rows));
  canvas.Font(18, /*bold=*/true);
  const int64_t best = prediction.Best();
  std::string title = fmt::format("{}: class {}", prediction.source, best);
  if (prediction.label)
    title += *prediction.label == best ? ", right" : fmt::format(", but it is {}", *prediction.label);
  canvas.Text(kMargin, kMargin + 18, kInk, title);
  canvas.Font(14, /*bold=*/false);
  canvas.Picture(kMargin, kMargin + kTitle, kSide, *prediction.picture);
  DrawBars(canvas, prediction, kMargin * 2 + kSide, kMargin + kTitle);
  return canvas.ToPng();
}

// The picture, what the model says, and what is right where that is known; below, what the colours mean.
Result<std::string> DrawMasks(const PredictionReport& report, const Prediction& prediction) {
  const PredictedMask& found = *prediction.mask;
  std::vector<std::pair<std::string, HostTensor>> panels = {
      {"picture", *prediction.picture}, {"predicted", Tinted(*prediction.picture, found.mask)}};
  if (found.true_mask) panels.emplace_back("right", Tinted(*prediction.picture, *found.true_mask));
  const auto count = static_cast<double>(panels.size()), classes = static_cast<double>(found.shares.size());
  Canvas canvas(kMargin + count * (kMargin + kSide), kMargin * 3 + 2 * kTitle + kSide + classes * kRow);
  canvas.Font(18, /*bold=*/true);
  std::string title = prediction.source;
  if (found.agreement) title += ": " + found.agreement->ToString();
  canvas.Text(kMargin, kMargin + 18, kInk, title);
  canvas.Font(14, /*bold=*/false);
  double x = kMargin;
  for (const auto& [name, picture] : panels) {
    canvas.Text(x, kMargin + kTitle + 16, kInk, name);
    canvas.Picture(x, kMargin + 2 * kTitle - 8, kSide, picture);
    x += kMargin + kSide;
  }
  double y = kMargin * 2 + 2 * kTitle + kSide;
  for (size_t c = 0; c < found.shares.size(); ++c, y += kRow) {
    canvas.Rectangle(kMargin, y, kSwatch, kSwatch, ColourOfClass(static_cast<int64_t>(c)));
    canvas.Text(kMargin + kSwatch + 8, y + 12, kInk,
                fmt::format("{}: {:.1f} %", report.NameOf(static_cast<int64_t>(c)), 100 * found.shares[c]));
  }
  return canvas.ToPng();
}

}  // namespace

Result<std::string> DrawPrediction(const PredictionReport& report, const Prediction& prediction) {
  if (!prediction.picture) return InvalidArgument("{}: there is no picture to draw", prediction.source);
  return prediction.mask ? DrawMasks(report, prediction) : DrawClass(prediction);
}

HostTensor Shrunk(const HostTensor& picture, int64_t most_columns) {
  const int64_t height = picture.shape()[0], width = picture.shape()[1];
  if (width <= most_columns) return picture;
  const int64_t rows = std::max<int64_t>(1, height * most_columns / width);
  return data::Resize(picture, data::WholeOf(picture), rows, most_columns, data::Interpolation::kBilinear);
}

std::string Swatch(int64_t number) {
  const Rgb colour = ColourOfClass(number);
  return fmt::format("\x1b[38;2;{};{};{}m\u2588\u2588\x1b[0m", colour.r, colour.g, colour.b);
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
