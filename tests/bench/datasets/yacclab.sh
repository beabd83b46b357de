#!/usr/bin/env bash
# gst-cca: times labeling on YACCLAB's images
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/datasets/yacclab.sh DIR [--build DIR] [--output DIR] [-- OPTION...]

DIR is the folder of the data sets as YACCLAB packs them: DATASET with files.txt and images. Writes the mean time of
each algorithm over the images of each data set into OUTPUT/yacclab.md, and the time of every image beside it.

  --build DIR   the build folder, of -Dbenches=true; default: build
  --output DIR  default: yacclab in the build folder
  OPTION...     of cca-bench, such as -m device
USAGE
}

# shellcheck disable=SC2034
name=yacclab packages=()
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tests/bench/datasets/set-up.sh
. "$here/set-up.sh"
set_up "$@"
bench=$build/tests/bench/cca-bench
[[ -x $bench ]] || fail "$bench is not there: build it with -Dbenches=true"
"$python" "$here/yacclab.py" "$folder" --output "$output" --bench "$bench" "${options[@]}"
