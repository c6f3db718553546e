#include "headrace/nn/kv_cache.h"

#include "headrace/graph/ops.h"

namespace headrace::nn {

void KvCache::Put(Value k, Value v, Value position) {
  const Value zero = ZerosLike(position);
  const Values starts = {zero, position, zero, zero};
  keys = DynamicUpdateSlice(keys, Convert(k, keys.dtype()), starts);
  values = DynamicUpdateSlice(values, Convert(v, values.dtype()), starts);
}

std::vector<KvCache> KvCachesOf(std::span<const Value> keys_and_values) {
  HR_CHECK(keys_and_values.size() % 2 == 0);
  std::vector<KvCache> caches;
  for (size_t i = 0; i < keys_and_values.size(); i += 2)
    caches.push_back({.keys = keys_and_values[i], .values = keys_and_values[i + 1]});
  return caches;
}

Values KeysAndValuesOf(std::span<const KvCache> caches) {
  Values keys_and_values;
  for (const KvCache& cache : caches)
    keys_and_values.insert(keys_and_values.end(), {cache.keys, cache.values});
  return keys_and_values;
}

}  // namespace headrace::nn
