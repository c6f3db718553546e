#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "headrace/cli/checkpoint_argument.h"
#include "headrace/cli/command.h"
#include "headrace/cli/device_arguments.h"
#include "headrace/run/colour.h"
#include "headrace/run/output_file.h"
#include "headrace/run/prediction.h"
#include "headrace/run/prediction_picture.h"

namespace headrace::cli {
namespace {

// The widest picture in the terminal, beside which some words stand.
constexpr int64_t kMostColumns = 64;

// The classes by probability, the likeliest first.
std::vector<size_t> Ranked(const run::Prediction& prediction) {
  std::vector<size_t> order(prediction.probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](size_t c) { return prediction.probabilities[c]; });
  return order;
}

class Predict : public Command {
  void Declare(Arguments& arguments) override {
    arguments.Positional("RUN_DIR", path_, "The folder of a run");
    arguments.Positional("FILE", files_,
                         "Pictures (JPEG, PNG, PGM, PPM), or .npy arrays of one example or a batch");
    arguments.Option("--example", "N", examples_, "Take held-out example N, counted from 0");
    arguments.Option("--picture", "OUT.png", picture_, "Draw the first prediction beside its picture");
    arguments.Option("--masks", "FOLDER", masks_,
                     "Write the mask of each picture, a PNG file of its name, where the model gives masks");
    arguments.Option("--checkpoint", "WHICH", checkpoint_, kCheckpointDoc);
    device_.Declare(arguments, /*with_count=*/false);
    arguments.Flag("--json", json_, "Print one JSON object");
  }

  Status Run(const Context& context) override {
    run::PredictionOptions options{.path = path_,
                                   .checkpoint = checkpoint_,
                                   .files = files_,
                                   .examples = {},
                                   .masks = masks_,
                                   .device = device_.Get(context)};
    for (const std::string& text : examples_) {
      int64_t number = -1;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size() || number < 0) {
        return InvalidArgument("--example: expected a whole number from 0, got \"{}\"", text);
      }
      options.examples.push_back(number);
    }
    HR_TRY(const run::PredictionReport report, run::Predict(options));
    Terminal& terminal = context.terminal;
    if (json_) {
      terminal.Out("{}\n", run::ToJson(report));
    } else {
      terminal.Err("model: {}\n", report.checkpoint.ToString());
      for (const run::Prediction& prediction : report.predictions) Print(terminal, report, prediction);
    }
    if (!masks_.empty()) {
      HR_TRY(run::WriteMasks(report, masks_));
      if (!json_) terminal.Out("masks: {} in {}\n", report.predictions.size(), masks_);
    }
    if (picture_.empty()) return Ok();
    HR_TRY(const std::string png, run::DrawPrediction(report, report.predictions.front()));
    HR_TRY(run::WriteOutputFile(picture_, png));
    if (!json_) terminal.Out("picture: {}\n", picture_);
    return Ok();
  }

  // The picture on the left; on the right the three likeliest classes, or how much of it each class has.
  static void Print(Terminal& terminal, const run::PredictionReport& report,
                    const run::Prediction& prediction) {
    std::vector<std::string> right = prediction.mask ? Shares(terminal, report, *prediction.mask)
                                                     : Likeliest(terminal, report, prediction);
    if (!prediction.note.empty()) right.push_back(terminal.Dim(prediction.note));

    terminal.Out("{}\n", prediction.source);
    std::vector<std::string> left;
    if (prediction.picture) left = Seen(terminal, prediction);
    const size_t gap = left.size() > right.size() ? (left.size() - right.size()) / 2 : 0;
    for (size_t row = 0; row < std::max(left.size(), right.size() + gap); ++row) {
      const std::string text = row >= gap && row - gap < right.size() ? right[row - gap] : "";
      terminal.Out("  {}{}{}\n", row < left.size() ? left[row] : "", left.empty() ? "" : "   ", text);
    }
  }

  // What the model saw, with its mask laid over it where it gave one, as small as a terminal is.
  static std::vector<std::string> Seen(const Terminal& terminal, const run::Prediction& prediction) {
    HostTensor picture = *prediction.picture;
    if (prediction.mask) picture = run::Tinted(picture, prediction.mask->mask);
    return run::PictureLines(run::Shrunk(picture, kMostColumns), terminal.styled());
  }

  static std::vector<std::string> Shares(const Terminal& terminal, const run::PredictionReport& report,
                                         const run::PredictedMask& mask) {
    std::vector<std::string> lines;
    size_t width = 4;
    for (size_t c = 0; c < mask.shares.size(); ++c)
      width = std::max(width, report.NameOf(static_cast<int64_t>(c)).size());
    for (size_t c = 0; c < mask.shares.size(); ++c) {
      const auto number = static_cast<int64_t>(c);
      const std::string swatch = terminal.styled() ? run::Swatch(number) + " " : "";
      lines.push_back(
          fmt::format("{}{:<{}}  {:5.1f} %", swatch, report.NameOf(number), width, 100 * mask.shares[c]));
    }
    if (mask.agreement) lines.push_back(mask.agreement->ToString());
    return lines;
  }

  static std::vector<std::string> Likeliest(const Terminal& terminal, const run::PredictionReport& report,
                                            const run::Prediction& prediction) {
    std::vector<std::string> right = {
        terminal.Bold(fmt::format("class {}", report.NameOf(prediction.Best())))};
    const std::vector<size_t> order = Ranked(prediction);
    size_t width = 4;
    for (size_t i = 0; i < std::min<size_t>(3, order.size()); ++i) {
      width = std::max(width, report.NameOf(static_cast<int64_t>(order[i])).size());
    }
    for (size_t i = 0; i < std::min<size_t>(3, order.size()); ++i) {
      const double probability = prediction.probabilities[order[i]];
      const double bar = probability > 0 ? std::round(20 * probability) : 0;  // none for NaN
      const std::string name = report.NameOf(static_cast<int64_t>(order[i]));
      right.push_back(fmt::format("{:>{}}  {:5.1f} %  {}", name, width, 100 * probability,
                                  std::string(static_cast<size_t>(bar), '#')));
    }
    if (prediction.label) {
      right.push_back(*prediction.label == prediction.Best()
                          ? terminal.Green("right")
                          : terminal.Red(fmt::format("wrong: it is {}", report.NameOf(*prediction.label))));
    }
    return right;
  }

  std::string path_, checkpoint_;
  std::vector<std::string> files_;
  std::vector<std::string> examples_;
  std::string picture_, masks_;
  DeviceArguments device_;
  bool json_ = false;
};

}  // namespace

CommandInfo PredictCommand() {
  return {
      .name = "predict",
      .summary = "Say what a trained model sees in pictures, arrays or held-out examples",
      .details =
          "A picture is resized to what the model takes, and turned gray if it takes gray: as the run's own\n"
          "pictures were, where it was trained on a folder of them. For models of digits, dark ink on light\n"
          "paper is inverted, since their datasets hold light ink on a dark ground. A segmentation model "
          "says\n"
          "of every pixel what it belongs to; its masks hold the values that those of its data do.",
      .examples = {"headrace predict runs/mnist seven.png",
                   "headrace predict runs/mnist --example 3 --picture digit.png",
                   "headrace predict runs/mnist batch.npy --json",
                   "headrace predict runs/nuclei cells.png --masks masks"},
      .make = Make<Predict>};
}

}  // namespace headrace::cli
