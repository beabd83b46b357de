# gst-cca: what reports on a GPU have in common: steps that can run on machines of their own
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Sourced by a script that defines usage, all_sets, measure_NAME for each set, and unmasked_set if one needs no masks;
# needs root, the source tree.

fail () { echo "${0##*/}: $1" >&2; exit "${2:-1}"; }

# Sets build, output, docs, quick, steps, sets, resume, bench and masks from the command line. $1 is the output folder's
# name in the build folder.
parse_command_line () {
  local name default=$1
  shift
  build=$root/build output='' docs=no quick=no resume=no steps=() sets=()
  while (($#)); do
    case $1 in
      masks | measure | render) steps+=("$1") ;;
      --build | --output)
        (($# > 1)) || fail "$1 needs a folder" 2
        if [[ $1 = --build ]]; then build=$2; else output=$2; fi
        shift
        ;;
      --only)
        (($# > 1)) || fail "--only needs the names of sets" 2
        IFS=, read -ra sets <<<"$2"
        for name in "${sets[@]}"; do
          [[ " ${all_sets[*]} " == *" $name "* ]] || fail "--only: there is no set $name; there are ${all_sets[*]}" 2
        done
        shift
        ;;
      --resume) resume=yes ;;
      --quick) quick=yes ;;
      --docs) docs=yes ;;
      -h | --help) usage; exit 0 ;;
      *) echo "${0##*/}: unknown argument: $1" >&2; usage >&2; exit 2 ;;
    esac
    shift
  done
  ((${#steps[@]})) || steps=(masks measure render)
  ((${#sets[@]})) || sets=("${all_sets[@]}")
  build=$(realpath -m "$build")
  output=$(realpath -m "${output:-$build/$default}")
  bench=$build/tests/bench/cca-bench
  masks=$output/masks
  [[ $docs = no || $quick = no ]] || fail "--quick measures too little for --docs" 2
  [[ -x $bench ]] || fail "$bench is not there: build it with -Dbenches=true, and for a machine without OpenCV with -Dopencv=disabled"
}

make_masks () {
  local names media photographs=() clip file
  mkdir -p "$masks"
  mapfile -t names < <("$root"/examples/fetch-media.sh --list)
  mapfile -t media < <("$root"/examples/fetch-media.sh "${names[@]}")
  for file in "${media[@]}"; do
    case $file in
      *.avi) clip=$file ;;
      *) photographs+=("$file") ;;
    esac
  done
  "$bench" --save-masks "$masks" "$clip" -f motion --first 100 --every 29 --frames 24
  "$bench" --save-masks "$masks" "${photographs[@]}" -f otsu,adaptive
}

real=() scaled=() # masks, as they are and for peers.py
failed=()

# Runs what a set consists of. Every command is shown in the report, without the folders of this machine.
run () {
  local name=$1 line began=$SECONDS
  shift
  line="$*"
  line=${line//"${real[*]}"/masks/*.y4m}
  line=${line//"${scaled[*]}"/*.y4m}
  line=${line//"$build"\/tests\/bench\//}
  line=${line//"$root"\/tests\/bench\/engines\//}
  line=${line//"$output"\//}
  line=${line//"$scratch"\//}
  if [[ $resume = yes && -e $output/$name.done ]]; then
    echo "${0##*/}: is there: $line"
    return
  fi
  rm -f "$output/$name.done"
  echo "$line" >"$output/$name.command"
  if timeout "$limit" "$@" >"$output/$name.txt" 2>&1; then
    touch "$output/$name.done"
  else
    tail -n 5 "$output/$name.txt" >&2
    failed+=("$name")
  fi
  echo "${0##*/}: $((SECONDS - began)) s: $line"
}
# A case ends early for whoever is slow. An image comes after one of the same contender's, as in a stream of frames.
measure () {
  local name=$1
  shift
  run "$name" "$bench" -m device -n "$iterations" --lead 1 --patience "$patience" --csv "$output/$name.csv" "$@"
}
# NAME ARGUMENTS...: each kernel of an image by itself; without ncu it is left out.
profile () {
  local name=$1
  shift
  if command -v ncu >/dev/null; then
    run "$name" ncu --csv --print-units base --metrics gpu__time_duration.sum --clock-control none \
      --cache-control none --log-file "$output/$name.ncu" "$bench" -m device -n 1 --warm-up 0 --masks 1 \
      --footprint 0 --signs --csv "$output/$name.csv" "$@"
  else
    rm -f "$output/$name".{csv,ncu}
    echo "${0##*/}: no ncu here: times of kernels are left out"
  fi
}

measure_all () {
  local name
  real=("$masks"/*.y4m)
  [[ -e ${real[0]} || ${sets[*]} = "${unmasked_set-}" ]] ||
    fail "$masks has no masks: run the step masks where there are decoders"
  mkdir -p "$output"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  {
    echo "| date | $(date -u +%F) |"
    gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1) || gpu=unknown
    echo "| GPU | ${gpu/, /, driver } |"
    echo "| host | $(lscpu | sed -n 's/^Model name: *//p' | head -1), $(nproc) cores, $(uname -sr) |"
  } >"$output/machine"
  for name in "${sets[@]}"; do
    "measure_$name"
  done
  ((${#failed[@]} == 0)) || fail "failed: ${failed[*]}; see $output/NAME.txt"
}

# The head of a report.
print_machine () {
  printf '| | |\n|---|---|\n'
  cat "$output/machine"
  printf '| commit | %s |\n\n' "$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)"
}

# SET...: how these were measured.
print_commands () {
  local name
  printf '```\n'
  for name; do
    cat "$output/$name".command "$output/$name"-*.command 2>/dev/null || true
  done
  printf '```\n'
}

do_steps () {
  local name
  for name in "${steps[@]}"; do
    case $name in
      masks) make_masks ;;
      measure) measure_all ;;
      render) render ;;
    esac
  done
}
