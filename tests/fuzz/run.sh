#!/usr/bin/env bash
# gst-cca: fuzzes libcca against the oracle
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/fuzz/run.sh [--build DIR] [--merge] [SECONDS]

Builds the fuzzer with clang, AddressSanitizer and UndefinedBehaviorSanitizer, and runs it from the corpus for SECONDS,
60 unless told. Fails at the first crash or difference; the input that did it stays in the build folder's crashes/.

  --build DIR  the build folder; default: build-fuzz
  --merge      adds the inputs that reached new code to the corpus
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build-fuzz merge=false seconds=60

while (($#)); do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    --merge) merge=true ;;
    -h | --help) usage; exit 0 ;;
    [1-9]*) seconds=$1 ;;
    *) echo "fuzz: unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

if [[ ! -f $build/build.ninja ]]; then
  CC=clang CXX=clang++ meson setup "$build" "$root" --buildtype=debugoptimized -Db_sanitize=address,undefined \
    -Db_lundef=false -Dc_args='-fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined' \
    -Dcuda=disabled -Dintrospection=disabled -Ddocs=disabled -Dexamples=disabled
fi
ninja -C "$build" tests/fuzz/fuzz-cca

mkdir -p "$build/crashes" "$build/corpus"
"$build/tests/fuzz/fuzz-cca" -max_total_time="$seconds" -max_len=1200 -timeout=20 -print_final_stats=1 -verbosity=0 \
  -artifact_prefix="$build/crashes/" "$build/corpus" "$root/tests/fuzz/corpus"
if $merge; then
  "$build/tests/fuzz/fuzz-cca" -merge=1 "$root/tests/fuzz/corpus" "$build/corpus"
fi
