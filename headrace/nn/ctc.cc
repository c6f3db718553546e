#include "headrace/nn/ctc.h"

#include "headrace/graph/ops.h"
#include "headrace/nn/softmax.h"

namespace headrace::nn {
namespace {

constexpr double kNever = -1e5;  // a log-probability whose gradients stay finite

// x [B, N] one place to the right, with kNever before it: [B, N].
Value Shifted(Value x) { return Pad(x, Scalar(x.graph(), x.dtype(), kNever), {{0, 0}, {1, -1}}); }

}  // namespace

// The states of a path are: before each label (and behind the last) blanks, N + 1; and labels, N. After each
// frame a path has stayed, or gone from a blank to the label behind it, from a label to the blank behind it,
// or from a label to the next if that differs.
Value CtcLoss(Value logits, Value logit_paddings, Value labels, Value label_paddings, int64_t blank) {
  Require(logits.rank() == 3 && labels.rank() == 2 && logits.dim(0) == labels.dim(0),
          "ctc_loss: takes logits [B, T, classes] and labels [B, N], not {} and {}", logits.type().ToString(),
          labels.type().ToString());
  const int64_t batch = labels.dim(0), count = labels.dim(1), frames = logits.dim(1);
  const Value log_p = LogSoftmax(Convert(logits, DType::kF32));                           // [B, T, K]
  const Value of_blank = Slice(log_p, 2, blank, blank + 1);                               // [B, T, 1]
  const Value of_labels = Einsum("btk,bnk->btn", {log_p, OneHot(labels, log_p.dim(2))});  // [B, T, N]

  // Where the label before is the same, a blank must stand between them: [B, N].
  const Value before = Pad(labels, Scalar(labels.graph(), labels.dtype(), -1), {{0, 0}, {1, -1}});
  const Value repeats = Convert(Equal(labels, before), DType::kF32);

  const auto in_time = [](Value x) { return Transpose(x, {1, 0, 2}); };  // [B, T, ..] -> [T, B, ..]
  const auto step = [&](std::span<const Value> at, std::span<const Value> frame) {
    const Value blanks = at[0], label = at[1];  // [B, N + 1], [B, N]
    const Value from_before = Shifted(label) + repeats * kNever;
    const Value enters = Slice(blanks, 1, 0, count);
    const Value next_label = LogAddExp(LogAddExp(label, enters), from_before) + frame[1];
    const Value leaves = Pad(label, Scalar(label.graph(), label.dtype(), kNever), {{0, 0}, {1, 0}});
    const Value next_blanks = LogAddExp(blanks, leaves) + frame[0];
    const Value ended = Greater(frame[2], ZerosLike(frame[2]));  // [B, 1]
    return ScanResult{{Select(ended, blanks, next_blanks), Select(ended, label, next_label)}, {}};
  };
  // No frame yet: in front of the first label.
  const Value never = Full(log_p.graph(), {DType::kF32, {batch, count}}, kNever);
  const Value start = Pad(never, Scalar(log_p.graph(), DType::kF32, 0), {{0, 0}, {1, 0}});
  const Value paddings = Reshape(logit_paddings, {batch, frames, 1});
  const auto [last, none] =
      Scan(step, {start, never}, {in_time(of_blank), in_time(of_labels), in_time(paddings)});

  // A path ends at the last label or behind it.
  const Value lengths = Sum(1.0 - label_paddings, {1});  // [B]
  const auto at = [&](Value x, Value place) {
    const Value numbers = Iota(x.graph(), x.type(), 1);
    return Sum(Select(Equal(numbers, ExpandDims(place, 1)), x, ZerosLike(x)), {1});
  };
  const Value behind = at(last[0], lengths);
  const Value at_label =
      Select(Greater(lengths, ZerosLike(lengths)), at(last[1], lengths - 1.0), FullLike(behind, kNever));
  return Neg(LogAddExp(behind, at_label));
}

}  // namespace headrace::nn
