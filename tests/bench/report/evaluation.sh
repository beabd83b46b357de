#!/usr/bin/env bash
# gst-cca: measures and draws what docs/evaluation.md shows, the figures of the papers with ours in them
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/report/evaluation.sh [masks|measure|render] [--build DIR] [--output DIR] [--only SET,...] [--resume]
                                          [--quick] [--docs]

Without a step all three are done, one after the other. Each can run on a machine of its own, with the output folder
carried along:

  masks    makes the masks of real pictures; needs GStreamer's decoders, and fetches the pictures
  measure  runs cca-bench with every algorithm on a GPU; needs the GPU and the build folder, and ncu for kernels. It
           takes up to 14 minutes; in parts with --only or, after an interruption, --resume
  render   makes tables, plots and report.md of what was measured, and counts updates on the CPU, in some minutes;
           needs Python, matplotlib, NumPy and SciPy

  --build DIR   build folder (default: build)
  --output DIR  where masks and results go (default: evaluation in the build folder)
  --only SETS   measure: these sets and no others, of ceilings, copies, analysis, labels, stages, kernels, sizes,
                families, model, examples, real, components, scans; what others have left there is kept.
                render: the report of all, or with `--only scans` that of the scans, which needs no masks
  --resume      measure: leave out what has been measured in full
  --quick       small images and few of each: to try the script, not to report
  --docs        render: put the results into docs/evaluation.md and docs/images/
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
here=$root/tests/bench/report
# shellcheck source=tests/bench/report/gpu.bash
source "$here/gpu.bash"

result_sets=(ceilings copies analysis labels stages kernels sizes families model examples real components)
all_sets=("${result_sets[@]}" scans)
unmasked_set=scans
parse_command_line evaluation "$@"
if [[ $quick = yes ]]; then
  side=256 middle=128 sides=(64 128 256) examples=(128 256) copies=(64 256) masked=(256) others=(64)
  few=50 step=50 coarse=50 percent=0:100:50 iterations=1 scans=1 patience=5 frames=1 limit=60 counted=64
else
  side=8192 middle=2048 sides=(256 512 1024 2048 4096 8192) examples=(1024 4096)
  copies=(64 256 1024 4096 16384) masked=(512 2048 8192) others=(64 128 512 1024 4096)
  few=10:90:40 step=10 coarse=25 percent=0:100:25 iterations=5 scans=21 patience=12 frames=4 limit=180 counted=2048
fi

# SIDE...: the list of such squares.
squares () {
  local each list=''
  for each; do list+=,${each}x$each; done
  echo "${list#,}"
}

measure_ceilings () {
  measure ceilings -a none -p read,write --pattern full -s "$(squares "$side")" --footprint 1024 -n 51 --warm-up 9
}
measure_copies () {
  measure copies -a none -p copy,launch --pattern full -s "$(squares "${copies[@]}")"
}
# HA4, figures 5 and 6; FLSL, figures 1 and 7. Labels without features, as the papers give them.
measure_analysis () {
  measure analysis -t analysis -c 4,8 -s "$(squares "$side")" -d "0:100:$step" -g 1,4,16 --masks 1 -p none
}
measure_labels () {
  measure labels -t labels --max-components 0 -c 4,8 -s "$(squares "$side")" -d "0:100:$step" -g 1,4,16 --masks 1 \
    -p none
}
measure_stages () {
  measure stages --stages -c 4 -s "$(squares "$middle")" -d "0:100:$step" -g 4 -p none
  measure stages-sizes --stages -t analysis -c 4 -s "$(squares "${sides[@]}")" -d 50 -g 1 --masks 1 -p none
}
measure_kernels () { profile kernels -c 4 -s "$(squares "$middle")" -d "0:100:$coarse" -g 4 -p none; }
# FLSL, figure 7.
measure_sizes () {
  measure sizes -t analysis -c 4 -s "$(squares "${sides[@]}")" -d "$few" -g 1,4,16 --masks 1 -p none
}
# NAME SIZES ARGUMENTS...: every family, with the levels and subdivisions of the evaluation paper, figures 7 and 8.
measure_each_family () {
  local name=$1 sizes=$2 task
  shift 2
  for task in analysis labels; do
    local common=(-t "$task" -s "$sizes" --masks 1 -p none "$@")
    [[ $task = analysis ]] || common+=(--max-components 0)
    measure "$name-$task-all" --family leveling,subdivision "${common[@]}"
    measure "$name-$task-random" --family random-instancing,random-merging,spiral --parameter "$percent" "${common[@]}"
    measure "$name-$task-scaling" --family scaling --level 2 --parameter "$percent" "${common[@]}"
  done
}
measure_families () { measure_each_family families "$(squares "$side")" -c 4,8 --stages; }
# The largest size has the families' own.
measure_model () { measure_each_family model "$(squares "${sides[@]::${#sides[@]}-1}")" -c 8; }
# Objects as in GPU Computing Gems, figures 35.11 and 35.12: large, many, few.
measure_examples () {
  profile examples -t labels --max-components 0 -c 8 -s "$(squares "${examples[@]}")" --level 2 --subdivisions 5 \
    --family subdivision,random-instancing --parameter 0,10,100 -p none
}
# Every frame is a case of its own.
measure_real () {
  local task frame file clip=("$masks"/*-motion-*.y4m)
  scaled=()
  for file in "${real[@]}"; do
    [[ $file = *-motion-* ]] || scaled+=("$file")
  done
  for task in analysis labels; do
    local common=(-t "$task" -c 8 -s "$(squares "${masked[@]}")" -p none --frames 1)
    [[ $task = analysis ]] || common+=(--max-components 0)
    measure "real-$task-photographs" "${common[@]}" "${scaled[@]}"
    for ((frame = 0; frame < 24; frame += 24 / frames)); do
      measure "real-$task-motion-$frame" "${common[@]}" --first "$frame" "${clip[@]}"
    done
  done
}
# TMK, figures 4 to 6: all components to the host, or one.
measure_components () {
  local n
  for n in 16777216 1; do
    local common=(-t analysis --max-components "$n" -c 4 -d 10:90:20 --masks 1 -p none)
    measure "components-$n-density" -s "$(squares 256 "$middle")" -g 1,4,16 "${common[@]}"
    measure "components-$n-size" -s "$(squares "${others[@]}")" -g 1 "${common[@]}"
  done
}

# The evaluation paper, figures 5 and 6. Comparing the labels takes longer than the Scans.
measure_scans () {
  local limit=570
  run scans "$build/tests/bench/scans/scan-variants" --size "$side" --step "$step" -n "$scans" --csv "$output/scans.csv"
}

# PICTURES ARGUMENTS...: draws them, and prints their part of a report.
draw () {
  local pictures=$1
  shift
  rm -f "$output/$pictures"-*.webp
  print_machine
  /usr/bin/python3 "$here/evaluation.py" "$output" "$@"
  printf '### Commands\n\n'
}

# REPORT PICTURES MARKS: tells where a report is, and with --docs puts it between these marks on the page.
publish () {
  echo "evaluation.sh: see $output/$1.md"
  if [[ $docs = yes ]]; then
    rm -f "$root/docs/images/$2"-*.webp
    cp "$output/$2"-*.webp "$root/docs/images/"
    /usr/bin/python3 "$here/put.py" "$root/docs/evaluation.md" "$3" "$output/$1.md"
  fi
}

render () {
  if [[ ${sets[*]} != scans ]]; then
    { draw evaluation --counted "$counted"; print_commands "${result_sets[@]}"; } >"$output/report.md"
    publish report evaluation results
  fi
  if [[ " ${sets[*]} " == *' scans '* ]]; then
    { draw scans --scans; print_commands scans; } >"$output/scans.md"
    publish scans scans scans
  fi
}

do_steps
