#!/usr/bin/env bash
# gst-cca: makes a library of YACCLAB's GPU algorithms, for cca-bench to compare with
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/yacclab/build.sh YACCLAB LIBRARY [--arch NUMBER] [--cca BUILD]

Compiles the two-dimensional algorithms of a checkout of https://github.com/prittt/YACCLAB as they are, without OpenCV,
and links them into LIBRARY. cca-bench opens it by the variable CCA_BENCH_YACCLAB. A file that does not compile is left
out and named.

  --arch NUMBER   the GPU's compute capability without the point; default: 90
  --cca BUILD     labeling_gst_cca.cu, too, with the libcca of this build folder: to see that YACCLAB can have it
USAGE
}

fail () { echo "build.sh: $1" >&2; exit "${2:-1}"; }

arch=90 cca='' places=()
while (($#)); do
  case $1 in
    --arch) arch=${2:?--arch needs a number}; shift ;;
    --cca) cca=$(realpath "${2:?--cca needs a build folder}") || fail "no folder: $2"; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) fail "unknown option: $1" 2 ;;
    *) places+=("$1") ;;
  esac
  shift
done
((${#places[@]} == 2)) || { usage >&2; exit 2; }
sources=${places[0]}/cuda/src library=$(realpath -m "${places[1]}")
[[ -d $sources ]] || fail "no checkout of YACCLAB: ${places[0]} has no folder cuda/src"
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[[ -x $nvcc ]] || fail "nvcc is not installed"

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile FILE FOLDER: with this folder's headers before those of FOLDER.
compile () {
  local object
  object=$work/$(basename "$1").o
  "$nvcc" -std=c++17 -O3 -DNDEBUG -w -arch="sm_$arch" -Xcompiler -fPIC -I"$here" -I"$2" -I"$root" \
    -x cu -c "$1" -o "$object" >"$object.log" 2>&1 || {
    echo "build.sh: left out: $(basename "$1"): $(grep -m 1 error "$object.log")"
    rm -f "$object"
  }
}

# Those without inline compression are other versions of algorithms that are there; YACCLAB leaves them out, too.
for source in "$sources"/labeling_*.cu; do
  [[ $source == *NoInlineCompression* || $source == *_3D* ]] && continue
  compile "$source" "${places[0]}/include"
done
libraries=()
if [[ -n $cca ]]; then
  compile "$here/labeling_gst_cca.cu" "$here"
  libraries=(-L"$cca/cca" -lcca)
fi
echo "build.sh: files of algorithms: $(find "$work" -name '*.o' | wc -l)"
compile "$here/yacclab-peers.cpp" "$here"
"$nvcc" -shared -cudart static -arch="sm_$arch" -o "$library" "$work"/*.o "${libraries[@]}"
