#include "headrace/nn/kv_cache.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

void KvCache::Put(Value k, Value v, Value position) {
  const Value zero = ZerosLike(position);
  const Values starts = {zero, position, zero, zero};
  keys = DynamicUpdateSlice(keys, Convert(k, keys.dtype()), starts);
  values = DynamicUpdateSlice(values, Convert(v, values.dtype()), starts);
}

}  // namespace headrace::nn
