#!/usr/bin/env bash
# gst-cca: runs the fuzz targets
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/fuzz/run.sh [--build DIR] [--target NAME]... [--merge] [SECONDS]

Builds the fuzz targets with clang and runs each from its corpus, for SECONDS in all, 60 unless told. A target fails at
its first crash or difference; the input that did it stays in the build folder's crashes/. Prints what each target did;
the last line is "N passed, N failed, N skipped".

  --build DIR     the build folder; default: build-fuzz. The target "kernels" has DIR-cuda
  --target NAME   only this one, one of the folders in corpus/
  --merge         afterwards makes the corpora anew: the smallest set of inputs that reaches all code that was reached
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build-fuzz merge=false seconds=60 targets=()

while (($#)); do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    --target) targets+=("${2:?--target needs a name}"); shift ;;
    --merge) merge=true ;;
    -h | --help) usage; exit 0 ;;
    [1-9]*) seconds=$1 ;;
    *) echo "fuzz: unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
if ((${#targets[@]} == 0)); then
  for corpus in "$root"/tests/fuzz/corpus/*/; do
    targets+=("$(basename "$corpus")")
  done
fi

# Leaks count at the end of a run; to look for them after each input would take most of the time. Weighing inputs by the
# entropy of what they reach takes a tenth.
common=(-max_len=600 -len_control=0 -timeout=300 -detect_leaks=0 -entropic=0 -print_final_stats=1)
# An input frees less than a megabyte: a larger quarantine only holds memory that the caches have lost.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:quarantine_size_mb=16}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$root/tests/lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}

# configure FOLDER OPTION...: a build folder of fuzz targets.
configure () {
  local folder=$1
  shift
  [[ -f $folder/build.ninja ]] && return
  CC=clang CXX=clang++ meson setup "$folder" "$root" --buildtype=debugoptimized -Db_lundef=false \
    -Dintrospection=disabled -Ddocs=disabled -Dexamples=disabled -Dopencv=disabled "$@"
}

# prepare TARGET: builds it and sets `program`; fails where it cannot be built here.
prepare () {
  local ignore=$root/tests/fuzz/uninstrumented.txt folder=$build args
  if [[ $1 == kernels ]]; then
    # The emulator changes stacks, which sanitizers do not follow; the fake driver guards the device's memory.
    folder=$build-cuda
    args="-fsanitize-coverage=inline-8bit-counters,pc-table -fsanitize-coverage-ignorelist=$ignore"
    configure "$folder" -Dcuda=enabled -Dcuda-arch=90 -Dc_args="$args" -Dcpp_args="$args" || return
  else
    # Comparisons of pixels teach the fuzzer nothing, and telling it of each takes half of the time. It
    # ignores what it is told of indirect calls.
    args="-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,indirect-calls -fno-sanitize-recover=undefined"
    args+=" -fsanitize-ignorelist=$ignore"
    configure "$folder" -Db_sanitize=address,undefined -Dcuda=disabled \
      -Dc_args="$args -fsanitize-coverage-ignorelist=$ignore" || return
  fi
  program=$folder/tests/fuzz/fuzz-$1
  ninja -C "$folder" "tests/fuzz/fuzz-$1"
}

# fuzz TARGET SECONDS: runs it and tells in a line what it did.
fuzz () {
  local corpus=$root/tests/fuzz/corpus/$1 found=$build/corpus/$1 log=$build/$1.log status=0 times executions
  local TIMEFORMAT='%U %S'
  mkdir -p "$build/crashes" "$found"
  times=$({ time "$program" "${common[@]}" -max_total_time="$2" -verbosity=1 \
    -artifact_prefix="$build/crashes/$1-" "$found" "$corpus" >"$log" 2>&1; } 2>&1) || status=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  awk -v name="$1" -v n="${executions:-0}" -v seconds="$2" -v times="$times" \
    -v reached="$(grep -o 'cov: [0-9]* ft: [0-9]*' "$log" | tail -n 1)" 'BEGIN {
      split (times, cpu); split (reached, r); spent = cpu[1] + cpu[2]
      printf ("%s: %d executions in %d s, %d per second of one core; %d edges, %d features\n", name, n, seconds,
        (spent > 0 ? n / spent : 0), r[2], r[4]) }'
  ((status == 0)) && return
  grep -v '^#' "$log" | tail -n 60 >&2
  return "$status"
}

# shrink TARGET: replaces its corpus.
shrink () {
  local corpus=$root/tests/fuzz/corpus/$1 merged
  merged=$(mktemp -d)
  "$program" "${common[@]}" -merge=1 -set_cover_merge=1 -use_counters=0 "$merged" "$build/corpus/$1" "$corpus"
  # Inputs that somebody has named stay, whatever code they reach.
  find "$corpus" -type f -regextype posix-extended ! -regex '.*/[0-9a-f]{40}' -exec cp -t "$merged" {} +
  rm -rf "$corpus"
  mv "$merged" "$corpus"
  chmod 755 "$corpus"
}

passed=0 failed=0 skipped=0 program=''
for target in "${targets[@]}"; do
  mkdir -p "$build"
  if [[ $target == kernels ]] && ! command -v nvcc >/dev/null && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
    echo "kernels: skipped: nvcc was not found, so that there are no kernels"
    skipped=$((skipped + 1))
  elif [[ $target == @(rules|lines|spool) ]] && ! pkg-config --exists json-glib-1.0; then
    echo "$target: skipped: json-glib-1.0 was not found, so that there is no ccazones and no ccabroker"
    skipped=$((skipped + 1))
  elif [[ $target == index ]] && ! pkg-config --exists libzstd; then
    echo "$target: skipped: libzstd was not found, so that there is no ccaindex"
    skipped=$((skipped + 1))
  elif ! prepare "$target" >"$build/$target-build.log" 2>&1; then
    tail -n 40 "$build/$target-build.log" >&2
    echo "$target: cannot be built; the whole output is in $build/$target-build.log"
    failed=$((failed + 1))
  elif ! fuzz "$target" $(((seconds + ${#targets[@]} - 1) / ${#targets[@]})); then
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
    if $merge; then shrink "$target"; fi
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
