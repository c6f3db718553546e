#!/usr/bin/env bash
# Runs every fuzzer of build-fuzz/ for FUZZ_SECONDS (default 60), one line each; a finding fails it and says how to
# see it again. Seeds of headrace/MODULE/x_fuzz.cc lie in headrace/MODULE/testdata/x_fuzz/; what a fuzzer learns stays
# in build-fuzz/corpus/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly seconds=${FUZZ_SECONDS:-60}

# fuzz BINARY: build-fuzz/modules/MODULE/MODULE_x_fuzz
fuzz() {
  local binary=$1 target module seeds corpus log
  target=$(basename "$binary")
  module=$(basename "$(dirname "$binary")")
  seeds=headrace/$module/testdata/${target#"${module}_"}
  corpus=build-fuzz/corpus/$target
  log=build-fuzz/$target.log
  mkdir -p "$corpus" build-fuzz/findings
  [[ -d $seeds ]] || seeds=
  # shellcheck disable=SC2086  # no seeds, no argument
  if "$binary" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build-fuzz/findings/$target-" "$corpus" $seeds >"$log" 2>&1; then
    printf 'fuzz: %-32s %s runs, no finding\n' "$target" "$(awk '/number_of_executed_units/{print $2}' "$log")"
  else
    printf 'fuzz: %-32s FAILED; the end of %s:\n' "$target" "$log"
    tail -n 40 "$log"
    printf 'fuzz: to see it again: %s build-fuzz/findings/%s-...\n' "$binary" "$target"
    return 1
  fi
}
export -f fuzz
export seconds

mapfile -t binaries < <(find build-fuzz/modules -type f -name '*_fuzz' -perm -u+x | sort)
((${#binaries[@]})) || { echo "fuzz: build-fuzz/ holds no fuzzer; run 'make fuzz'" >&2; exit 1; }
printf '%s\n' "${binaries[@]}" | xargs -P "$(nproc)" -I {} bash -c 'fuzz {}' ||
  { echo "fuzz: at least one fuzzer found something, see above"; exit 1; }
