// Connectionist temporal classification: losses of sequences that are not aligned (Graves et al., 2006).
#pragma once

#include "headrace/graph/value.h"

namespace headrace::nn {

// -log of the probability that frames spell the labels, over all alignments. logits [B, T, classes] f32;
// labels integer [B, N]; the paddings, f32 [B, T] and [B, N], are 1 behind the end of a sequence and 0
// before. Class `blank` stands between labels. -> [B] f32. A sequence with too few frames for its labels
// gives a large number, not infinity. As optax.ctc_loss.
Value CtcLoss(Value logits, Value logit_paddings, Value labels, Value label_paddings, int64_t blank = 0);

}  // namespace headrace::nn
