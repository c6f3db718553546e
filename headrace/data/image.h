// Images as tensors: decoding, encoding, and fitting one picture to what a model takes.
//
// A picture is u8 [height, width, channels] with 1 channel (gray) or 3 (red, green, blue). Everything here is
// a pure function.
//
//   HR_TRY(HostTensor picture, DecodeImage(file.bytes, "seven.png"));
//   HR_TRY(HostTensor input, FitImage(picture, {28, 28, 1}, 255));   // f32[28, 28, 1], 0 to 1
//   HR_TRY(std::string png, EncodePng(picture));
#pragma once

#include <string>
#include <string_view>

#include "headrace/core/status.h"
#include "headrace/io/bytes.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::data {

// Decodes a JPEG, PNG, PGM or PPM file, told apart by content; `name` is what errors call it by. The picture
// is what a viewer shows: turned as its Exif orientation says, what is transparent laid on white, inks (CMYK)
// as red, green and blue, 16 bits as 8. kInvalidArgument if it is no such image, kDataLoss if it is one that
// is damaged or cut short.
Result<HostTensor> DecodeImage(io::Bytes bytes, std::string_view name);

// Decodes a PNG file that says of each pixel which class it belongs to: u8 [height, width, 1], the values as
// they stand in the file, be they gray levels or places in a palette. Values of three colours that are all
// the same count as one. kInvalidArgument if it is no PNG file, has 16 bits or real colours, kDataLoss if it
// is damaged.
Result<HostTensor> DecodeMask(io::Bytes bytes, std::string_view name);

// The bytes of a PNG file; equal pictures give equal bytes. kInvalidArgument unless `picture` is u8
// [height, width, 1 or 3] and not empty.
Result<std::string> EncodePng(const HostTensor& picture);

// The picture in gray (1) or in colour (3). REQUIRES: u8 [height, width, 1 or 3]
HostTensor WithChannels(HostTensor picture, int64_t channels);

// The picture as a model's image: gray or colour as `shape` [height, width, channels] asks for, resized to
// it, as f32 divided by `scale`. kInvalidArgument unless shape has 1 or 3 channels.
Result<HostTensor> FitImage(const HostTensor& picture, const Shape& shape, double scale);

// Every value v as 255 - v: dark ink on white paper becomes what digits datasets hold. REQUIRES: u8
HostTensor Inverted(const HostTensor& picture);

// The types of pictures that the functions above take, and no other. `what` begins the message.
Status CheckPicture(const HostTensor& picture, std::string_view what);

}  // namespace headrace::data
