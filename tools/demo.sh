#!/usr/bin/env bash
# Trains on real digits, evaluates and predicts one image, showing each command as you would type it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

# `headrace init mnist` fetches the same file for you elsewhere; the set-up has it here already.
[[ -f data/mnist_5k.csv.gz ]] || install -D -m 644 .deps/data/mnist_5k.csv.gz data/mnist_5k.csv.gz

show build/headrace train examples/mnist.yaml
show build/headrace eval runs/mnist
show build/headrace predict runs/mnist --example 0 --picture runs/mnist/prediction.png

cat <<'END'

That run lies in runs/mnist: its checkpoints, metrics.jsonl, summary.json and TensorBoard events.
Next: change something and run it beside the first,
  build/headrace train examples/mnist.yaml optimizer.learning_rate=1e-3 --out runs/slower
END
