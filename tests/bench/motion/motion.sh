#!/usr/bin/env bash
# gst-cca: measures foreground=motion and OpenCV's background subtractors on scenes with truth
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/motion/motion.sh BUILD [--settings [NAME:]PROPERTIES]... [--peers LIST] [--kinds "KIND..."]
                                    [--sets LIST] [--scenes DIR] [--output DIR] [--docs]

BUILD is a build folder. Makes the scenes (the first time, some minutes), runs ccl and the peers on them, and leaves
scores.csv, report.md and pictures in the output folder. The first time, pip installs OpenCV into BUILD/motion-venv.

  --settings  properties of the element, and how the tables call it; several to compare them. Default:
              "samples:motion-model=samples" and "sigma-delta:motion-model=sigma-delta motion-min=20"; min-area and
              close-radius are those of the peers' clean-up
  --peers     of MOG2,KNN,CNT,GMG,LSBP,GSOC; default: all. '' for none
  --kinds     of scenes; default: all
  --sets      of develop,held,1080p; default: all. held has other walkers and backgrounds than develop; tune on develop.
              1080p has one scene of each kind
  --scenes    where scenes and the peers' results stay; default: ~/.cache/gst-cca/motion. They take 18 GB
  --output    default: BUILD/motion
  --docs      put the results into docs/foreground.md and docs/images/
USAGE
}

fail () { echo "motion: $1" >&2; exit "${2:-1}"; }

packages=(opencv-contrib-python-headless==4.10.0.84)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../../..

case ${1-} in
  '' | -*) usage; [[ ${1-} == -h || ${1-} == --help ]] && exit 0 || exit 2 ;;
esac
build=$(realpath "$1")
shift
settings=() compare=() sets=develop,held,1080p kinds=() docs=false output=$build/motion
scenes=${XDG_CACHE_HOME:-${HOME:?neither XDG_CACHE_HOME nor HOME is set}/.cache}/gst-cca/motion
while (($#)); do
  case $1 in
    --docs) docs=true ;;
    --settings | --peers | --kinds | --sets | --scenes | --output)
      (($# > 1)) || fail "$1 needs a value" 2
      case $1 in
        --settings) settings+=("$1" "$2") ;;
        --peers) compare+=("$1" "$2") ;;
        --kinds) read -ra kinds <<<"$2" ;;
        --sets) sets=$2 ;;
        --scenes) scenes=$2 ;;
        --output) output=$2 ;;
      esac
      shift
      ;;
    *) usage >&2; fail "unknown option: $1" 2 ;;
  esac
  shift
done
[[ -f $build/gst/libgstcca.so ]] || fail "$build/gst/libgstcca.so is not there: build it first"
((${#settings[@]})) || settings=(--settings samples:motion-model=samples
  --settings "sigma-delta:motion-model=sigma-delta motion-min=20")
((${#kinds[@]} == 0)) || kinds=(--kinds "${kinds[@]}")

venv=$build/motion-venv
"$root/tests/venv.sh" --with-debian "$venv" "${packages[@]}"
export GST_PLUGIN_PATH=$build/gst GST_REGISTRY=$build/motion-registry.bin

mapfile -t media < <("$root/examples/fetch-media.sh" vtest.avi)
make_scenes () {
  "$venv/bin/python" "$here/scenes.py" "$scenes/$1" --media "$(dirname "${media[0]}")" "${kinds[@]}" "${@:2}"
}
folders=()
IFS=, read -ra names <<<"$sets"
for name in "${names[@]}"; do
  case $name in
    develop | held) make_scenes "$name" --set "$name" ;;
    1080p) make_scenes "$name" --size 1920x1080 --number 1 ;;
    *) fail "no such set: $name" 2 ;;
  esac
  folders+=("$scenes/$name")
done

"$venv/bin/python" "$here/compare.py" "${folders[@]}" --output "$output" "${settings[@]}" "${compare[@]}" "${kinds[@]}"
if $docs; then
  # Those that the page shows.
  for set in develop 1080p; do
    [[ ! -f $output/motion-$set.jpg ]] || cp "$output/motion-$set.jpg" "$root/docs/images/"
  done
  "$venv/bin/python" "$here/../report/put.py" "$root/docs/foreground.md" results "$output/report.md"
fi
