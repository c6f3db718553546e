#include "headrace/nn/cross_entropy.h"

#include "headrace/graph/ops.h"
#include "headrace/nn/losses.h"
#include "headrace/nn/softmax.h"

namespace headrace::nn {

Value CrossEntropy(Value logits, Value labels, const CrossEntropyOptions& options) {
  const Value counts = NotEqual(labels, FullLike(labels, static_cast<double>(options.ignore_index)));
  const Value x = Convert(logits, DType::kF32);
  Value loss = CrossEntropy(x, Select(counts, labels, ZerosLike(labels)), options.smoothing);
  if (options.z_loss != 0) {
    const Value log_z = LogSumExp(x);
    loss = loss + log_z * log_z * options.z_loss;
  }
  return Select(counts, loss, ZerosLike(loss));
}

Value ChunkedCrossEntropy(Value hidden, Value weight, Value labels, int64_t chunk,
                          const CrossEntropyOptions& options) {
  Require(hidden.rank() == 2 && weight.rank() == 2 && labels.rank() == 1,
          "chunked_cross_entropy: takes hidden [N, features], weight [classes, features], labels [N], not "
          "{}, {}, {}",
          hidden.type().ToString(), weight.type().ToString(), labels.type().ToString());
  const int64_t rows = hidden.dim(0);
  Require(chunk > 0 && rows % chunk == 0, "chunked_cross_entropy: {} rows do not divide into chunks of {}",
          rows, chunk);
  const auto step = [&](std::span<const Value>, std::span<const Value> x) {
    const auto losses = [&](std::span<const Value> v) {
      return Values{CrossEntropy(DotGeneral(v[0], weight, {{}, {}, {1}, {1}}), v[1], options)};
    };
    return ScanResult{{}, Remat(losses, {x[0], x[1]})};
  };
  const Values cut = {Reshape(hidden, {rows / chunk, chunk, hidden.dim(1)}),
                      Reshape(labels, {rows / chunk, chunk})};
  return Reshape(Scan(step, {}, cut).ys[0], {rows});
}

}  // namespace headrace::nn
