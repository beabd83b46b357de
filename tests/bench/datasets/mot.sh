#!/usr/bin/env bash
# gst-cca: scores tracks on the data of MOTChallenge
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/datasets/mot.sh DIR [--build DIR] [--output DIR] [--benchmark NAME] [--confidence NUMBER]
                                   [--cca PROPERTIES]

DIR is a folder of sequences as MOTChallenge packs them (MOT17/train): SEQUENCE with seqinfo.ini, img1/, det/det.txt
and, where the truth is public, gt/gt.txt. Tracks what cca finds, and what the data's own detector found, and writes
both in MOTChallenge's format: OUTPUT/components/data and OUTPUT/detections/data. TrackEval, which pip installs the
first time, scores them: OUTPUT/mot.md.

  --build DIR          the build folder; default: build
  --output DIR         default: mot in the build folder
  --benchmark NAME     MOT15, MOT16, MOT17 or MOT20, which says what TrackEval leaves out; default: MOT17
  --confidence NUMBER  of detections that are used, at least; default: 0
  --cca PROPERTIES     of cca, in one argument. Default: none but foreground=motion
USAGE
}

# shellcheck disable=SC2034
name=mot packages=(trackeval==1.3.0)
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tests/bench/datasets/set-up.sh
. "$here/set-up.sh"
set_up "$@"
"$python" "$here/mot.py" "$folder" --output "$output" "${options[@]}"
