#!/usr/bin/env bash
# gst-cca: scores speeds on BrnoCompSpeed
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/datasets/brnocompspeed.sh DIR [--build DIR] [--output DIR] [--calibration SYSTEM] [--split A|B|C]
                                             [--cca PROPERTIES]

DIR is the unpacked archive (2016-ITS-BrnoCompSpeed): dataset/sessionN_PLACE with video.avi, video_mask.png and
gt_data.pkl, and results/sessionN_PLACE with system_NAME.json. Tracks what cca finds on the road, and writes the tracks
as OUTPUT/results/sessionN_PLACE/system_gst-cca.json, which is what the data set's own program reads. Scores them, and
the systems in DIR/results, by that program's rules into OUTPUT/brnocompspeed.md: errors of speeds, distances and
calibration, recall and false positives.

  --build DIR           the build folder; default: build
  --output DIR          default: brnocompspeed in the build folder
  --calibration SYSTEM  whose camera calibration gst-cca takes; default: dubska_optimal_calib
  --split A|B|C         only the paper's test videos of this split; default: all that DIR has
  --cca PROPERTIES      of cca, in one argument. Default: none but foreground=motion and region=video_mask.png
USAGE
}

# shellcheck disable=SC2034
name=brnocompspeed packages=()
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tests/bench/datasets/set-up.sh
. "$here/set-up.sh"
set_up "$@"
"$python" "$here/brnocompspeed.py" "$folder" --output "$output" "${options[@]}"
