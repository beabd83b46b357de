#!/usr/bin/env bash
# gst-cca: measures how long an archive takes, by the number of recordings at a time
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/archive/measure.sh [--files N] [--build DIR] [--venv DIR] [WORKERS...]

Makes an archive of N copies of the clip vtest.avi (795 frames of 768x576), analyses it with each number of workers, and
prints a table. The times exclude the start of Ray.

  --files N  default: four for each core
  WORKERS    recordings at a time; default: 1, 2, 4 … and the number of cores
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
files=$((4 * $(nproc))) options=()
while (($#)); do
  case $1 in
    --files) files=${2:?--files needs a number}; shift ;;
    --build | --venv) options+=("$1" "${2:?$1 needs a folder}"); shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "measure: unknown option: $1" >&2; usage >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
workers=("$@")
if ((${#workers[@]} == 0)); then
  for ((n = 1; n < $(nproc); n *= 2)); do workers+=("$n"); done
  workers+=("$(nproc)")
fi

frames=795 # of the clip
clip=$("$root/examples/fetch-media.sh" vtest.avi)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/archive/camera"
for ((i = 0; i < files; i++)); do
  cp "$clip" "$work/archive/camera/$(printf '2026-01-01T%02d-%02d-00Z.avi' $((i / 60)) $((i % 60)))"
done

first=''
printf 'workers  recordings  seconds  frames/s  speed-up\n'
for n in "${workers[@]}"; do
  "$root/examples/archive/run.sh" "${options[@]}" "$work/archive" --output "$work/output-$n" --workers "$n" \
    --rules "$root/examples/vtest.rules.json" >"$work/log" || { cat "$work/log" >&2; exit 1; }
  seconds=$(sed -nE 's/^archive: [0-9]+ recordings in ([0-9.]+) s, 0 failed$/\1/p' "$work/log")
  first=${first:-$seconds}
  awk -v n="$n" -v files="$files" -v seconds="$seconds" -v frames="$frames" -v first="$first" 'BEGIN {
    printf "%7d  %10d  %7.1f  %8.0f  %8.2f\n", n, files, seconds, files * frames / seconds, first / seconds }'
done
