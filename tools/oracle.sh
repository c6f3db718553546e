#!/usr/bin/env bash
# Makes .deps/oracle, a Python 3.13 with JAX as tools/oracle.txt pins it: for tools/reference/ and `make bench`.
# Building and testing Headrace needs none of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly oracle=.deps/oracle

cmp -s tools/oracle.txt $oracle/pins.txt && exit

# Candidates: python3.13 on PATH (a pyenv shim may be there and still not run), then what pyenv has installed.
find_python() {
  local python
  for python in python3.13 "$(pyenv root 2>/dev/null || echo "$HOME/.pyenv")"/versions/3.13*/bin/python; do
    "$python" -c 'import sys, venv; sys.exit(sys.version_info[:2] != (3, 13))' 2>/dev/null || continue
    echo "$python"
    return
  done
  echo "oracle: no Python 3.13 was found on PATH or in pyenv; JAX 0.11.2 needs it." >&2
  echo "        With pyenv: pyenv install 3.13. Then run the same command again." >&2
  exit 1
}

python=$(find_python)
echo "oracle: installing JAX into $oracle"
rm -rf $oracle
"$python" -m venv $oracle
$oracle/bin/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: -r tools/oracle.txt
cp tools/oracle.txt $oracle/pins.txt
