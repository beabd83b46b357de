#!/usr/bin/env bash
# gst-cca: measures what each idea of the algorithm "patches" is worth, by builds of libcca that go without it
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/ablation.sh [build|measure|render] [--build DIR] [--output DIR] [--masks DIR] [--docs]

Without a step all three are done, one after the other. Each can run on a machine of its own, with the output folder
carried along:

  build    builds libcca without each of the ideas in cuda/kernels/ideas.h, and with all; needs nvcc
  measure  runs cca-bench with each of them in turns; needs the GPU and the build folder
  render   makes a table of what was measured

  --build DIR   build folder, with cca-bench (default: build); its -Dcuda-arch is taken over
  --output DIR  where builds and results go (default: ablation in the build folder)
  --masks DIR   masks of real pictures (*.y4m, of report-gpu.sh masks), for the small frames
  --docs        render: put the table into docs/algorithms/patches.md
USAGE
}

fail () { echo "ablation.sh: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build output='' masks='' docs=no steps=()
rounds=3
while (($#)); do
  case $1 in
    build | measure | render) steps+=("$1") ;;
    --build | --output | --masks)
      (($# > 1)) || fail "$1 needs a folder" 2
      case $1 in --build) build=$2 ;; --output) output=$2 ;; --masks) masks=$(realpath "$2") ;; esac
      shift
      ;;
    --docs) docs=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "ablation.sh: unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
((${#steps[@]})) || steps=(build measure render)
build=$(realpath -m "$build")
output=$(realpath -m "${output:-$build/ablation}")
mapfile -t ideas < <(echo none; sed -n 's/^#define CCA_IDEA_\([A-Z]*\) .*/\L\1/p' "$root/cuda/kernels/ideas.h")
mkdir -p "$output"

build () {
  local idea arch work=$output/work

  arch=$(meson introspect --buildoptions "$build" | python3 -c '
import json, sys
print(next(option["value"] for option in json.load(sys.stdin) if option["name"] == "cuda-arch"))')
  [[ -d $work ]] || meson setup "$work" "$root" -Dcuda=enabled "-Dcuda-arch=$arch" -Dbuildtype=release -Dtests=disabled \
                          -Dintrospection=disabled -Ddocs=disabled -Dexamples=disabled >"$output/build.log"
  for idea in "${ideas[@]}"; do
    meson configure "$work" "-Dcuda-without=[$([[ $idea = none ]] || echo "'$idea'")]" >>"$output/build.log"
    meson compile -C "$work" cca >>"$output/build.log" || fail "no build without $idea: see $output/build.log"
    mkdir -p "$output/$idea"
    cp "$work/cca/libcca.so.0" "$output/$idea/"
    echo "built: $idea"
  done
}

# bench IDEA CSV ARGUMENTS...
bench () {
  local idea=$1 csv=$2
  shift 2
  LD_LIBRARY_PATH=$output/$idea:${LD_LIBRARY_PATH:-} "$build/tests/bench/cca-bench" -m device -t analysis -p none --csv "$csv" "$@" \
    >"$output/bench.log" 2>&1 || fail "cca-bench without $idea failed: see $output/bench.log"
}

measure () {
  local idea round

  for ((round = 0; round < rounds; round++)); do
    for idea in "${ideas[@]}"; do
      bench "$idea" "$output/large-$idea-$round.csv" -a patches -c 4 -s 8192x8192 -g 1,4,16 -d 10:90:20 --random --pattern full \
        --masks 1 -n 5
      [[ -z $masks ]] || bench "$idea" "$output/small-$idea-$round.csv" --ahead 300 -a patches-direct -c 8 -s 1920x1080,3840x2160 -n 15 \
        --frames 4 "$masks"/*.y4m
    done
  done
}

render () {
  python3 "$root/tests/bench/tables-ablation.py" "$output" >"$output/ablation.md"
  cat "$output/ablation.md"
  [[ $docs = no ]] || python3 "$root/tests/bench/put.py" "$root/docs/algorithms/patches.md" ablation "$output/ablation.md"
}

for step in "${steps[@]}"; do "$step"; done
