#!/usr/bin/env bash
# gst-cca: scores the foreground on changedetection.net's data set
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/datasets/cdnet.sh DIR [--build DIR] [--output DIR] [--compare METHOD]... [--cca PROPERTIES]

DIR is the folder of the categories, as changedetection.net packs them (dataset2014/dataset): CATEGORY/SEQUENCE with
input/, groundtruth/ and temporalROI.txt. Writes the masks as binNNNNNN.png into OUTPUT/results, which is what the
site's own program reads, and the site's seven measures into OUTPUT/cdnet.md. Other data sets may be laid out alike;
input/ may have PNGs.

  --build DIR       the build folder; default: build
  --output DIR      default: cdnet in the build folder
  --compare METHOD  another method, for tables of F and PWC: MOG2 or KNN of OpenCV with its defaults, MOG2+clean or
                    KNN+clean with a 3x3 majority and a closing by 3 pixels, or properties of the element
  --cca PROPERTIES  of the element, in one argument; the last option. Default: none but foreground=motion
USAGE
}

# shellcheck disable=SC2034
name=cdnet packages=()
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tests/bench/datasets/set-up.sh
. "$here/set-up.sh"
set_up "$@"
"$python" "$here/cdnet.py" "$folder" --output "$output" "${options[@]}"
