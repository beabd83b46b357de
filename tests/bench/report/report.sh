#!/usr/bin/env bash
# gst-cca: measures everything that docs/benchmarks-cpu.md shows, in one go
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/report/report.sh [--build DIR] [--output DIR] [--quick] [--docs]

Builds, fetches the real pictures, runs cca-bench and gst-overhead, and leaves CSV files, plots and report.md in the
output folder. Leave the machine alone meanwhile; it takes about ten minutes.

  --build DIR   build folder, set up as a release build where there is none (default: build-bench)
  --output DIR  where the results go (default: report in the build folder)
  --quick       few images of each: to try the script, not to report
  --docs        put the results into docs/benchmarks-cpu.md and docs/images/
USAGE
}

fail () { echo "report.sh: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
here=$root/tests/bench/report
build=$root/build-bench output='' docs=no
iterations=42 frames=24 step=5 blocks=9
while (($#)); do
  case $1 in
    --build | --output)
      (($# > 1)) || fail "$1 needs a folder" 2
      if [[ $1 = --build ]]; then build=$2; else output=$2; fi
      shift
      ;;
    --quick) iterations=3 frames=2 step=50 blocks=1 ;;
    --docs) docs=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "report.sh: unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
build=$(realpath -m "$build")
output=$(realpath -m "${output:-$build/report}")
[[ $docs = no || $step = 5 ]] || fail "--quick measures too little for --docs" 2

[[ -f $build/build.ninja ]] || meson setup "$build" "$root" --buildtype=release
meson configure "$build" -Dbenches=true
ninja -C "$build" >/dev/null
mkdir -p "$output"
bench=$build/tests/bench/cca-bench
mapfile -t names < <("$root"/examples/fetch-media.sh --list)
mapfile -t media < <("$root"/examples/fetch-media.sh "${names[@]}")
photographs=()
for file in "${media[@]}"; do
  case $file in
    *.avi) clip=$file ;;
    *) photographs+=("$file") ;;
  esac
done

# Every command is shown in the report, without the folders of this machine.
: >"$output/commands"
run () {
  local name=$1
  shift
  local line="$*"
  line=${line//"$build"\/tests\/bench\//}
  line=${line//"$output"\//}
  line=${line//"$(dirname "$clip")"\//}
  echo "$line" >>"$output/commands"
  echo "report.sh: $line"
  "$@" >"$output/$name.txt" || fail "failed, see $output/$name.txt"
}
measure () {
  local name=$1
  shift
  run "$name" "$bench" -n "$iterations" --csv "$output/$name.csv" "$@"
}

measure random -d "0:100:$step" -g 1,4,16 -p opencv-stats
measure default -d "0:100:$step" -g 1,4,16 -t analysis -a runs --max-components 4096 -p opencv-stats
measure random4 -d "0:100:$step" -g 1 -c 4 -p opencv-stats
measure patterns --pattern all -p opencv-stats
measure motion "$clip" -f motion -s 1920x1080 --first 100 --every 29 --frames "$frames"
measure photographs "${photographs[@]}" -f otsu,adaptive -s 1920x1080
measure sizes -s 64x64,160x120,320x240,640x480,1280x720,1920x1080,3840x2160,7680x4320 -d 50 -g 4 -p opencv-stats
measure isa -d "0:100:$step" -g 1,4 -a runs -i all -t analysis -p opencv-stats
{ cat "$output/motion.csv"; tail -n +2 "$output/photographs.csv"; } >"$output/real.csv"

export GST_PLUGIN_PATH=$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
run overhead "$build/tests/bench/gst-overhead" --blocks "$blocks" --csv "$output/overhead.csv" \
  -p "foreground=motion motion-model=sigma-delta min-area=80" "$clip"

python=/usr/bin/python3
"$python" "$here/plot.py" density "$output/random.csv" "$output/bench-random.png"
"$python" "$here/plot.py" density "$output/isa.csv" "$output/bench-isa.png"
"$python" "$here/plot.py" --algorithm runs ratio "$output/real.csv" "$output/bench-real.png"
"$python" "$here/plot.py" size "$output/sizes.csv" "$output/bench-sizes.png"

table () { "$python" "$here/tables.py" "$@"; }
{
  echo "| | |"
  echo "|---|---|"
  echo "| date | $(date -u +%F) |"
  echo "| commit | $(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown) |"
  model=$(lscpu | sed -n 's/^Model name: *//p' | head -1) family=$(lscpu | sed -n 's/^CPU family: *//p')
  echo "| processor | $model, family $family, $(nproc) cores |"
  echo "| last-level cache | $(lscpu | sed -n 's/^L3 cache: *//p') |"
  echo "| system | $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $(uname -sr) |"
  echo "| compiler | $(cc --version | head -1) |"
  echo
  echo '### Targets'
  echo
  table targets "$output"
  echo '### Real masks'
  echo
  table cases "$output/real.csv"
  echo '![Ratios on real masks](images/bench-real.png)'
  echo
  echo '### Random images'
  echo
  table density "$output/random.csv"
  echo '![Time against density](images/bench-random.png)'
  echo
  echo 'With the default limit of 4096 stored components:'
  echo
  table density "$output/default.csv"
  echo 'With 4-connectivity:'
  echo
  table density "$output/random4.csv"
  echo '### Figures'
  echo
  table cases "$output/patterns.csv"
  echo '### Instruction sets'
  echo
  table density "$output/isa.csv"
  echo '![Time against density by instruction set](images/bench-isa.png)'
  echo
  echo '### Sizes'
  echo
  table sizes "$output/sizes.csv"
  echo '![Throughput against size](images/bench-sizes.png)'
  echo
  echo '### The element in a pipeline'
  echo
  echo '```'
  cat "$output/overhead.txt"
  echo '```'
  echo
  echo '### Commands'
  echo
  echo '```'
  cat "$output/commands"
  echo '```'
} >"$output/report.md"

if [[ $docs = yes ]]; then
  mkdir -p "$root/docs/images"
  cp "$output"/bench-*.png "$root/docs/images/"
  "$python" "$here/put.py" "$root/docs/benchmarks-cpu.md" results "$output/report.md"
fi
echo "report.sh: see $output/report.md"
