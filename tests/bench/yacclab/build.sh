#!/usr/bin/env bash
# gst-cca: makes a library of other GPU algorithms, for cca-bench to compare with
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/yacclab/build.sh LIBRARY [--yacclab DIR] [--opencv DIR] [--torchcc DIR] [--arch NUMBER]
                                    [--cca BUILD]

Compiles GPU labelers of checkouts that you have, as they are, without OpenCV and PyTorch, and links them into LIBRARY.
cca-bench opens it by the variable CCA_BENCH_YACCLAB. A file that does not compile is left out and named.

  --yacclab DIR   the two-dimensional algorithms of https://github.com/prittt/YACCLAB
  --opencv DIR    what cv::cuda::connectedComponents() does: https://github.com/opencv/opencv_contrib
  --torchcc DIR   https://github.com/Bendabir/torchcc
  --arch NUMBER   the GPU's compute capability without the point; default: 90
  --cca BUILD     labeling_gst_cca.cu, too, with the libcca of this build folder: to see that YACCLAB can have it
USAGE
}

fail () { echo "build.sh: $1" >&2; exit "${2:-1}"; }

arch=90 cca='' library='' yacclab='' opencv='' torchcc=''
while (($#)); do
  case $1 in
    --arch | --cca | --yacclab | --opencv | --torchcc)
      (($# > 1)) || fail "$1 needs a value" 2
      case $1 in
        --arch) arch=$2 ;;
        --cca) cca=$(realpath "$2") || fail "no folder: $2" ;;
        --yacclab) yacclab=$2 ;;
        --opencv) opencv=$2/modules/cudaimgproc/src/cuda/connectedcomponents.cu ;;
        --torchcc) torchcc=$2 ;;
      esac
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    -*) fail "unknown option: $1" 2 ;;
    *) [[ -z $library ]] || { usage >&2; exit 2; }; library=$(realpath -m "$1") ;;
  esac
  shift
done
[[ -n $library && -n $yacclab$opencv$torchcc ]] || { usage >&2; exit 2; }
[[ -z $yacclab || -d $yacclab/cuda/src ]] || fail "no checkout of YACCLAB: $yacclab has no folder cuda/src"
[[ -z $opencv || -e $opencv ]] || fail "no checkout of opencv_contrib: there is no $opencv"
[[ -z $torchcc || -d $torchcc/csrc ]] || fail "no checkout of torchcc: $torchcc has no folder csrc"
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

# compile_peer NAME SOURCE... FOLDER: sources with the headers of FOLDER and, if all of them compile, their caller.
compile_peer () {
  local name=$1 folder=${*: -1} source
  for source in "${@:2:$#-2}"; do
    compile "$source" "$folder"
    [[ -e $work/$(basename "$source").o ]] || return 0
  done
  compile "$here/$name-peer.cpp" "$folder"
}

# Those without inline compression are other versions of algorithms that are there; YACCLAB leaves them out, too.
if [[ -n $yacclab ]]; then
  for source in "$yacclab"/cuda/src/labeling_*.cu; do
    [[ $source == *NoInlineCompression* || $source == *_3D* ]] && continue
    compile "$source" "$yacclab/include"
  done
fi
# Whatever header of OpenCV it includes, it finds what there is of OpenCV here.
if [[ -n $opencv ]]; then
  grep -o 'opencv2/[a-z/]*\.hpp' "$opencv" | while read -r header; do
    mkdir -p "$work/$(dirname "$header")"
    echo '#include <opencv2/cudafeatures2d.hpp>' >"$work/$header"
  done
  compile_peer opencv "$opencv" "$work"
fi
if [[ -n $torchcc ]]; then
  compile_peer torchcc "$torchcc"/csrc/{buf,torchcc}.cu "$torchcc/include"
fi
libraries=()
if [[ -n $cca ]]; then
  compile "$here/labeling_gst_cca.cu" "$here"
  libraries=(-L"$cca/cca" -lcca)
fi
echo "build.sh: files: $(find "$work" -name '*.o' | wc -l)"
compile "$here/yacclab-peers.cpp" "$here"
"$nvcc" -shared -cudart static -arch="sm_$arch" -o "$library" "$work"/*.o "${libraries[@]}"
