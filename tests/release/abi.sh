#!/usr/bin/env bash
# gst-cca: whether the public libraries still serve the programs that were built with the last release
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/release/abi.sh BUILD [--baseline DIR | --accept]

Compares libcca and libgstcca-1.0 of a build folder with debug information (-g) with the descriptions NAME.abi in
DIR, by abidiff. DIR is unless told that of the last tag, and without a tag that of this tree: tests/release. New
functions are compatible; functions that are gone, or types whose layout has changed, need another SONAME, behind which
everything is allowed. Names what has changed, and exits with 1 if a program would break.

  --baseline DIR  compare with these descriptions
  --accept        write the descriptions of this tree anew instead, for the next release
USAGE
}

fail () { echo "abi: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build='' baseline='' accept=false
while (($#)); do
  case $1 in
    --baseline) baseline=${2:?--baseline needs a folder}; shift ;;
    --accept) accept=true ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "abi: unknown option: $1" >&2; usage >&2; exit 2 ;;
    *) build=$1 ;;
  esac
  shift
done
[[ -n $build ]] || { usage >&2; exit 2; }
command -v abidiff >/dev/null || fail "abidiff is missing: apt-get install abigail-tools"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ -z $baseline ]]; then
  baseline=$root/tests/release
  if tag=$(git -C "$root" describe --tags --abbrev=0 --match '[0-9]*' 2>/dev/null); then
    echo "abi: compared with $tag"
    git -C "$root" archive "$tag" tests/release | tar -x -C "$work"
    baseline=$work/tests/release
  fi
fi

# A library: its file in the build folder, and its public headers.
declare -A libraries=(
  [libcca]="cca/libcca.so cca/cca.h cca/label-color.h cca/output.h"
  [libgstcca-1.0]="gst/meta/libgstcca-1.0.so gst/meta/gst/cca/gstccameta.h gst/meta/gst/cca/gstccatrackmeta.h
    gst/meta/gst/cca/gstccaeventmeta.h"
)
# Changes of types that GStreamer and GLib define are theirs.
cat >"$work/foreign" <<'SUPPRESSION'
[suppress_type]
  name_regexp = ^_?G
  name_not_regexp = ^_?GstCca
SUPPRESSION

# describe NAME: writes its description; where it was built does not matter.
describe () {
  local files
  read -ra files -d '' <<<"${libraries[$1]}" || true
  [[ -e $build/${files[0]} ]] || fail "$build/${files[0]} is not there: build it first"
  [[ $(readelf -S "$build/${files[0]}") == *.debug_info* ]] || fail "$build/${files[0]} has no debug information"
  mkdir -p "$work/$1"
  cp "${files[@]:1}" "$work/$1"
  abidw --headers-dir "$work/$1" --drop-private-types --exported-interfaces-only \
    --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed "$build/${files[0]}" |
    sed -E "s|( path=')[^']*/|\1|"
}

soname () { sed -n "1s/.*soname='\([^']*\)'.*/\1/p" "$1"; }

build=$(realpath "$build")
cd "$root"
broken=0
for name in "${!libraries[@]}"; do
  describe "$name" >"$work/$name.abi"
  if $accept; then
    mv "$work/$name.abi" "$root/tests/release"
    continue
  fi
  old=$(soname "$baseline/$name.abi") new=$(soname "$work/$name.abi")
  if [[ $old != "$new" ]]; then
    echo "abi: $name: $old has become $new, so that no program takes one for the other"
  elif abidiff --no-added-syms --suppressions "$work/foreign" "$baseline/$name.abi" "$work/$name.abi" \
    >"$work/changes"; then
    echo "abi: $name: programs that were built with $old of the baseline work"
  else
    cat "$work/changes"
    echo "abi: $name: programs that were built with $old of the baseline break: restore it, or raise its soversion" >&2
    broken=1
  fi
done
exit $broken
