// A prediction as a picture: what the model saw, beside the probability of each class.
#pragma once

#include <string>

#include "headrace/core/status.h"
#include "headrace/run/prediction.h"

namespace headrace::run {

// The bytes of a PNG. kInvalidArgument for a prediction without a picture.
Result<std::string> DrawPrediction(const Prediction& prediction);

// The picture in half blocks of 24-bit colour, two pixels a character, for terminals that have it; in shades
// of ' .:-=+*#%@' otherwise. One line of text a row.
std::vector<std::string> PictureLines(const HostTensor& picture, bool colour);

}  // namespace headrace::run
