#!/usr/bin/env bash
# gst-cca: measures counts, boxes and identities on real video, and draws tracks to look at
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/real/real.sh BUILD CLIPS [--docs] [--look] [OPTION...]

BUILD is a build folder, CLIPS the folder with the clips that tests/bench/real/scenes.json names: get each one from its
"source" and call it as "file" says. A clip that is missing is left out; vtest.avi is fetched. Runs the elements and the
peers, and leaves real.md and real.csv in BUILD/real. The first time, pip installs OpenCV and ByteTrack into
BUILD/real-venv.

  --docs   also puts the tables into docs/foreground.md
  --look   instead draws the tracks on eight frames of each clip of the set develop: BUILD/real/NAME.png

Options of real.py, and of sheet.py with --look:
  --only NAMES      clips, separated by commas
  --sets LIST       of develop,held,fresh; default: the first two. Nothing is tuned on held. Not with --look
  --cca PROPERTIES, --track PROPERTIES    of the elements; default: none
  --no-peers        ours only. Not with --look
  --variants        each clip mirrored, at other sizes, in other light and from farther away, too. Not with --look
                    or --docs
  --list            print every false and missed crossing, and every jump. Not with --look
  --at SECONDS      stream times, separated by commas, instead of eight frames. With --look
  --scenes FILE     other scenes; tests/bench/real/clips.py describes the file
  --output DIR      default: BUILD/real
USAGE
}

fail () { echo "real: $1" >&2; exit "${2:-1}"; }

packages=(opencv-python==4.10.0.84 trackers==2.6.1 tqdm==4.67.1)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../../..

case ${1-} in
  '' | -*) usage; [[ ${1-} == -h || ${1-} == --help ]] && exit 0 || exit 2 ;;
esac
(($# > 1)) && [[ $2 != -* ]] || fail "needs the folder with the clips (--help)" 2
[[ -d $2 ]] || fail "there is no folder $2"
build=$(realpath "$1") folders=("$(realpath "$2")") output=$build/real docs=false program=real.py options=()
shift 2
while (($#)); do
  case $1 in
    --docs) docs=true ;;
    --look) program=sheet.py ;;
    --output)
      (($# > 1)) || fail "--output needs a value" 2
      output=$2
      shift
      ;;
    *) options+=("$1") ;;
  esac
  shift
done
[[ -f $build/gst/libgstcca.so ]] || fail "$build/gst/libgstcca.so is not there: build it first"

venv=$build/real-venv
"$root/tests/venv.sh" --with-debian "$venv" "${packages[@]}"
export GST_PLUGIN_PATH=$build/gst GST_REGISTRY=$build/real-registry.bin

media=$("$root/examples/fetch-media.sh" vtest.avi)
folders+=("$(dirname "$media")")
"$venv/bin/python" "$here/$program" "${folders[@]}" --output "$output" "${options[@]}"
if $docs && [[ $program == real.py ]]; then
  "$venv/bin/python" "$here/../report/put.py" "$root/docs/foreground.md" real "$output/real.md"
fi
