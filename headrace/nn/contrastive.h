// Losses that draw together what belongs together.
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

// Of pairs (a_i, b_i) [N, features]: cross-entropy of finding each a's partner among the b, and the other
// way, by scaled cosine similarity; the mean of both, [N] f32. As in CLIP (Radford et al., 2021).
Value ContrastivePairs(Value a, Value b, double temperature = 0.07);

// Of a batch where rows with equal labels belong together: the mean over a row's partners of -log of the
// partner's share of all other rows (NT-Xent; Chen et al., "SimCLR", 2020). embeddings [N, features], labels
// integer [N] -> [N] f32, 0 for a row without partner.
Value NtXent(Value embeddings, Value labels, double temperature = 0.07);

}  // namespace headrace::nn
