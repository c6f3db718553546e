#!/usr/bin/env bash
# Runs every benchmark of build/ and writes what it measured to bench/results/NAME.json; then training steps, ours and
# JAX's in turn, into bench/results/latest.json.
# BENCH_FILTER, a regular expression, chooses among the benchmarks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -t binaries < <(find build/modules -type f -name '*_bench' -perm -u+x | sort)
((${#binaries[@]})) || { echo "bench: build/ holds no benchmark; run 'make bench'" >&2; exit 1; }
mkdir -p bench/results
for binary in "${binaries[@]}"; do
  "$binary" --benchmark_filter="${BENCH_FILTER:-.}" --benchmark_repetitions=5 \
    --benchmark_report_aggregates_only=true --benchmark_out_format=json \
    --benchmark_out="bench/results/$(basename "$binary").json"
done
[[ -n "${BENCH_FILTER:-}" ]] || .deps/oracle/bin/python bench/compare.py
