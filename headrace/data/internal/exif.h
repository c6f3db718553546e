// Orientation of photographs: cameras store what the sensor saw, and say in Exif metadata how to turn it.
#pragma once

#include "headrace/io/bytes.h"
#include "headrace/tensor/host_tensor.h"

namespace headrace::data {

// The orientation, 1 to 8, that Exif metadata gives (a TIFF header and its first directory; Exif 2.3, 4.6.4);
// 1, as stored, where it gives none or is damaged.
int ExifOrientation(io::Bytes tiff);

// The picture turned and mirrored as `orientation` says. REQUIRES: u8 [height, width, channels]
HostTensor Oriented(HostTensor picture, int orientation);

}  // namespace headrace::data
