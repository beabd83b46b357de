#!/usr/bin/env bash
# gst-cca: how much of libcca the corpora of the fuzz targets reach
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/fuzz/coverage.sh [--build DIR] [--lines] [PERCENT]

Builds with clang's coverage, runs every corpus, and prints the lines of cca/ that were run, by file. Fails where they
are less than PERCENT of all, 95 unless told.

  --build DIR  the build folder; default: build-coverage
  --lines      prints the lines that were not run, too
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build-coverage lines=false least=95

while (($#)); do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    --lines) lines=true ;;
    -h | --help) usage; exit 0 ;;
    [1-9]*) least=$1 ;;
    *) echo "coverage: unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

# The tools of the compiler's own version.
tool () { clang -print-prog-name="$1"; }

# Programs that Meson and the build run count for nothing.
export LLVM_PROFILE_FILE=/dev/null

log=$build/coverage.log
mkdir -p "$build"
if [[ ! -f $build/build.ninja ]]; then
  CC=clang meson setup "$build" "$root" --buildtype=debugoptimized -Db_lundef=false -Dcuda=disabled \
    -Dc_args='-fprofile-instr-generate -fcoverage-mapping' -Dc_link_args=-fprofile-instr-generate \
    -Dintrospection=disabled -Ddocs=disabled -Dexamples=disabled -Dopencv=disabled >"$log" 2>&1 ||
    { tail -n 40 "$log" >&2; exit 1; }
fi
rm -f "$build"/*.profraw
mapfile -t replays < <(ninja -C "$build" -t targets all | sed -n 's|^\(tests/fuzz/replay-[a-z]*\):.*|\1|p')
ninja -C "$build" "${replays[@]}" gst/libgstcca.so >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
for corpus in "$root"/tests/fuzz/corpus/*/; do
  target=$(basename "$corpus")
  replay=$build/tests/fuzz/replay-$target
  [[ -x $replay ]] || continue
  LLVM_PROFILE_FILE=$build/$target-%m.profraw "$replay" "$corpus" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
done
"$(tool llvm-profdata)" merge -o "$build/corpora.profdata" "$build"/*.profraw

foreign='/(cuda|usr)/'
grep -qw avx512_bitalg /proc/cpuinfo || foreign+='|rows_avx512\.c$' # what this processor cannot run
# report COMMAND OPTION...: of libcca's own files.
report () {
  "$(tool llvm-cov)" "$@" "$build/cca/libcca.so" -instr-profile="$build/corpora.profdata" \
    -ignore-filename-regex="$foreign"
}

if $lines; then
  report show | grep -E '^ +[0-9]+\| +0\||^/.*:$' || true
fi
report export -summary-only | python3 -c '
import json, sys
least, root = float(sys.argv[1]), sys.argv[2] + "/"
data = json.load(sys.stdin)["data"][0]
for file in data["files"]:
    lines = file["summary"]["lines"]
    print("%6.1f %%  %4d of %4d  %s" % (lines["percent"], lines["covered"], lines["count"],
                                        file["filename"].replace(root, "")))
lines = data["totals"]["lines"]
print("%6.2f %% of the lines of cca/ are run by the corpora; %g %% are wanted" % (lines["percent"], least))
sys.exit(lines["percent"] < least)' "$least" "$root"
