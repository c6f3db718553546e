// A prediction as a picture: what the model saw, beside the probability of each class, or the class of each
// pixel.
#pragma once

#include <string>
#include <vector>

#include "headrace/core/status.h"
#include "headrace/run/prediction.h"

namespace headrace::run {

// The bytes of a PNG. kInvalidArgument for a prediction without a picture.
Result<std::string> DrawPrediction(const PredictionReport& report, const Prediction& prediction);

// The picture no wider than so many pixels.
HostTensor Shrunk(const HostTensor& picture, int64_t most_columns);

// A block in the colour of a class, for terminals that have 24-bit colour.
std::string Swatch(int64_t number);

// The picture in half blocks of 24-bit colour, two pixels a character, for terminals that have it; in shades
// of ' .:-=+*#%@' otherwise. One line of text a row.
std::vector<std::string> PictureLines(const HostTensor& picture, bool colour);

}  // namespace headrace::run
