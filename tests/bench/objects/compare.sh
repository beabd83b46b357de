#!/usr/bin/env bash
# gst-cca: compares the tracker with others, which pip installs into the build folder
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/objects/compare.sh BUILD [--wide] [--seeds N] [--first SEED]

BUILD is a build folder of -Dbenches=true. Prints IDF1, MOTA and identity switches of our tracker, SORT, ByteTrack and
OC-SORT on scripted scenes, with --wide on those of the wide range. The first time, pip installs py-motmetrics and
trackers into BUILD/trackers-venv.
USAGE
}

packages=(motmetrics==1.4.0 trackers==2.6.1)

case ${1-} in
  '' | -*) usage; [[ ${1-} == -h || ${1-} == --help ]] && exit 0 || exit 2 ;;
esac
build=$1 program=$1/tests/bench/objects/track-scenes
shift
if [[ ! -x $program ]]; then
  echo "compare: $program is not there: build it with -Dbenches=true" >&2
  exit 1
fi
venv=$build/trackers-venv
here=$(dirname "${BASH_SOURCE[0]}")
"$here/../../venv.sh" "$venv" "${packages[@]}"
exec "$venv/bin/python" "$here/compare.py" "$program" "$@"
