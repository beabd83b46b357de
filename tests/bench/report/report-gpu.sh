#!/usr/bin/env bash
# gst-cca: measures everything that docs/benchmarks-gpu.md shows of GPUs, and renders it
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/report/report-gpu.sh [masks|measure|render] [--build DIR] [--output DIR] [--only SET,...] [--quick]
                                         [--docs]

Without a step all three are done, one after the other. Each can run on a machine of its own, with the output folder
carried along:

  masks    makes the masks of real pictures; needs GStreamer's decoders, and fetches the pictures
  measure  runs cca-bench, peers.py and gst-overhead; needs the GPU, the build folder and nothing else: peers that are
           not there are left out. It takes some four minutes. A set that fails is named at the end; the others stay
  render   makes tables, plots and report.md of what was measured; needs Python and matplotlib

  --build DIR   build folder (default: build)
  --output DIR  where masks and results go (default: report-gpu in the build folder)
  --only SETS   measure: these sets and no others, of ceilings, real, ahead, analysis, labels, both, connectivity,
                overhead, streams, contexts, kernels, stages, sizes, huge, peers; what others have left there is kept
  --resume      measure: leave out what has been measured in full
  --quick       few images of each: to try the script, not to report
  --docs        render: put the results into docs/benchmarks-gpu.md and docs/images/
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
here=$root/tests/bench/report
# shellcheck source=tests/bench/report/gpu.bash
source "$here/gpu.bash"

all_sets=(ceilings real ahead analysis labels both connectivity overhead streams contexts kernels stages sizes
  huge peers)
parse_command_line report-gpu "$@"
patience=40
if [[ $quick = yes ]]; then
  step=50 coarse=50 iterations=3 blocks=1 processes=1 frames=2 few=50 limit=30
else
  step=5 coarse=20 iterations=11 blocks=5 processes=9 frames=8 few=10:90:40 limit=120
fi
export GST_PLUGIN_PATH=$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}

overhead () {
  local name=$1
  shift
  run "$name" "$build/tests/bench/gst-overhead" -e cudacca -d --csv "$output/$name.csv" "$@" "$masks"/*motion*
}

measure_ceilings () {
  measure ceilings -a none -p read,write --pattern full -s 8192x8192,16384x16384 --footprint 1024 -n 51 --warm-up 9
}
measure_real () {
  measure real -c 4,8 -s 1920x1080,3840x2160 --frames "$frames" "${real[@]}"
}
# The GPU's own time, without what it waits for the host's launches.
measure_ahead () {
  measure ahead -c 4,8 -s 1920x1080,3840x2160 --frames "$frames" --ahead 300 -p read,write,launch "${real[@]}"
}
# NAME STEP PEERS ARGUMENTS...: random images of all densities in such steps, and the two figures that have all or
# nothing.
measure_random () {
  local name=$1 every=$2 peers=$3
  shift 3
  measure "$name" "$@" -c 4 -s 8192x8192 -d "0:100:$every" -g 1,4,16 --random --pattern full,empty --masks 1 -p "$peers"
}
measure_analysis () { measure_random analysis "$step" read -t analysis; }
# Labels alone, as peers give them; and with features.
measure_labels () { measure_random labels "$((2 * step))" all -t labels --max-components 0; }
measure_both () { measure_random both "$((2 * step))" none -t labels -a patches,patches-direct,flsl-cd; }
measure_connectivity () {
  measure connectivity -t analysis -c 4,8 -s 8192x8192 -d "$few" -g 1,4,16 --masks 1 -p none
}
# Processes differ more from each other than one does from block to block: hence several.
measure_overhead () {
  local i
  [[ $resume = yes ]] || rm -f "$output"/overhead*.csv
  for ((i = 1; i <= processes; i++)); do
    overhead "overhead-$i" --blocks "$blocks" -n 200
  done
}
measure_streams () { overhead streams --blocks 3 -n 300 --streams 1,2,4,8,16; }
measure_contexts () { overhead contexts --blocks 3 -n 300 --streams 1,8 --own-contexts; }
# The counterpart of DASIP 2018, figures 5 and 6, kernel by kernel; without ncu there is that by stages.
measure_kernels () {
  profile kernels -c 4 -s 2048x2048 -d "0:100:$coarse" -g 4 -p none
}
measure_stages () {
  measure stages --stages -c 4 -s 2048x2048 -d "0:100:$step" -g 4 -p none
}
measure_sizes () {
  measure sizes -t analysis -c 4 -s 256x256,512x512,1024x1024,2048x2048,4096x4096,8192x8192 -d "$few" -g 1,4,16 \
    --masks 1 -p none
}
# All algorithms of a set have their workspace at once, hence the largest size with some of them at a time.
measure_huge () {
  local algorithms i
  [[ $resume = yes ]] || rm -f "$output"/huge-*.csv
  mapfile -t algorithms < <("$bench" --list | sed -n '/^Algorithms of backend cuda/,/^[^ ]/s/^  \([^ ]\+\) .*/\1/p')
  for ((i = 0; i < ${#algorithms[@]}; i += 5)); do
    measure "huge-$i" -a "$(IFS=, && echo "${algorithms[*]:i:5}")" -t analysis -c 4 -s 16384x16384 -d "$few" -g 1,4,16 \
      --masks 1 -p none
  done
}
measure_peers () {
  if python3 -c 'import cupy' 2>/dev/null; then
    "$bench" --save-masks "$scratch" -s 1920x1080,3840x2160 --frames "$frames" "${real[@]}"
    scaled=("$scratch"/*.y4m)
    run peers python3 "$root/tests/bench/engines/peers.py" -m device -c 4,8 -n "$iterations" --lead 1 --patience 400 \
      --csv "$output/peers.csv" "${scaled[@]}"
  else
    echo "report-gpu.sh: no CuPy here: peers of Python are left out"
  fi
}

# A section of the report: what a set gave; without results of it the section says so.
section () {
  local title=$1 name=$2
  printf '### %s\n\n' "$title"
  if [[ -n $(cat "$output/$name".csv "$output/$name"-*.csv 2>/dev/null | sed -n 2p) ]]; then
    "section_$name"
  else
    printf 'Not measured.\n\n'
  fi
}
# What a set that ended early is not enough for is left out, and standard error says why.
table () { "$python" "$here/tables-gpu.py" "$1" "$output" || printf '(Too little was measured for this table.)\n\n'; }
picture () {
  local kind=$1 name=$2 text=$3 half
  shift 3
  if "$python" "$here/plot.py" "$kind" "$@" "$output/bench-gpu-$name.webp"; then
    for half in "$name" "$name-2"; do
      [[ ! -e $output/bench-gpu-$half.webp ]] || printf '![%s](images/bench-gpu-%s.webp)\n\n' "$text" "$half"
    done
  else
    printf '(Too little was measured for the picture: %s.)\n\n' "$text"
  fi
}

section_ceilings () { table ceilings; table shares; }
section_analysis () {
  table analysis
  picture density analysis 'Time against density, analysis' "$output/analysis.csv"
  picture share analysis-share 'Share of the read ceiling against density' "$output/analysis.csv" \
    --ceilings "$output/ceilings.csv"
}
section_labels () {
  table labels
  picture density labels 'Time against density, labels' "$output/labels.csv"
  picture share labels-share 'Share of the write ceiling against density' "$output/labels.csv" \
    --ceilings "$output/ceilings.csv"
}
section_both () { table both; }
section_connectivity () { table connectivity; }
section_sizes () {
  local files=("$output/sizes.csv" "$output"/huge-*.csv)
  [[ -e ${files[1]} ]] || unset 'files[1]'
  picture sweep-size sizes 'Throughput against size' "${files[@]}"
}
section_kernels () {
  picture kernels kernels 'Time of the kernels against density' "$output/kernels.csv" --ncu "$output/kernels.ncu"
}
section_stages () { picture stages stages 'Time of the stages against density' "$output/stages.csv"; }
section_real () {
  table real
  local files=("$output/real.csv")
  [[ ! -e $output/peers.csv ]] || files+=("$output/peers.csv")
  picture real real 'Real masks' "${files[@]}"
}
section_overhead () { table overhead; }
section_streams () { table streams; }

write_report () {
  print_machine
  printf '### Targets on the GPU\n\n'
  table targets
  section 'Ceilings, and shares of them' ceilings
  section 'Analysis of random images' analysis
  section 'Labels of random images' labels
  section 'Labels with features' both
  section '8-connectivity' connectivity
  section 'Sizes on the GPU' sizes
  section 'Kernels' kernels
  section 'Stages' stages
  section 'Real masks on the GPU' real
  section 'cudacca in a pipeline' overhead
  section 'Pipelines side by side' streams
  printf '### Commands on the GPU\n\n'
  print_commands "${all_sets[@]}"
}

render () {
  python=/usr/bin/python3
  rm -f "$output"/bench-gpu-*.webp
  write_report >"$output/report.md"
  echo "report-gpu.sh: see $output/report.md"
  if [[ $docs = yes ]]; then
    rm -f "$root"/docs/images/bench-gpu-*.webp
    cp "$output"/bench-gpu-*.webp "$root/docs/images/"
    "$python" "$here/put.py" "$root/docs/benchmarks-gpu.md" 'gpu results' "$output/report.md"
  fi
}

do_steps
