#!/usr/bin/env bash
# gst-cca: fetches the test clip and photographs from Debian's package opencv-doc without installing it
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/fetch-media.sh [NAME...]

Prints the path of each named file, default vtest.avi. If one is missing, fetches all of them from Debian's package
opencv-doc and keeps them in ${XDG_CACHE_HOME:-$HOME/.cache}/gst-cca. --list prints the names.
USAGE
}

fail () { echo "fetch-media: $1" >&2; exit "${2:-1}"; }

sums=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/media.sha256
cache=${XDG_CACHE_HOME:-${HOME:?neither XDG_CACHE_HOME nor HOME is set}/.cache}/gst-cca
package=opencv-doc
folder=usr/share/doc/opencv-doc/examples/data

names=()
while (($#)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --list) awk '{ print $2 }' "$sums"; exit 0 ;;
    -*) echo "fetch-media: unknown option: $1" >&2; usage >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done
((${#names[@]})) || names=(vtest.avi)

# Returns whether the cache holds all named files with the right contents.
verified () {
  local name
  for name in "${names[@]}"; do
    (cd "$cache" 2>/dev/null && grep "  $name\$" "$sums" | sha256sum --check --status 2>/dev/null) || return 1
  done
}

# apt-get download as the calling user; as root apt drops to the user _apt, which cannot write into root's folder, and
# some configurations then refuse instead of warning: so the folder is opened to everyone.
download () {
  local work=$1
  command -v apt-get >/dev/null ||
    fail "no apt-get here: put $* from OpenCV's samples/data into $cache yourself"
  chmod 755 "$work"
  if ((EUID == 0)); then
    chown _apt "$work" 2>/dev/null || true
  fi
  (cd "$work" && apt-get -q download "$package" >log 2>&1) && return
  if ((EUID == 0)); then
    apt-get -q update >"$work/log" 2>&1 || true
  elif command -v sudo >/dev/null; then
    sudo apt-get -q update 2>&1 | cat >"$work/log" || true
  fi
  (cd "$work" && apt-get -q -o APT::Sandbox::User=root download "$package" >log 2>&1) && return
  cat "$work/log" >&2
  fail "apt-get download $package failed"
}

fetch () {
  local work name members=()
  work=$(mktemp -d "$cache/fetch.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" EXIT
  echo "fetch-media: downloading Debian's package $package (90 MB) for ${names[*]}" >&2
  download "$work"
  while read -r _ name; do
    members+=("./$folder/$name" "./$folder/$name.gz")
  done <"$sums"
  # A member is either plain or compressed; tar's error about the other one is expected.
  dpkg-deb --fsys-tarfile "$work"/"$package"_*.deb | tar -x -C "$work" "${members[@]}" 2>/dev/null || true
  find "$work/$folder" -name '*.gz' -exec gunzip {} +
  while read -r _ name; do
    if [[ -f $work/$folder/$name ]]; then
      mv "$work/$folder/$name" "$cache/$name"
    fi
  done <"$sums"
  rm -rf "$work"
  trap - EXIT
}

for name in "${names[@]}"; do
  grep -q "  $name\$" "$sums" || fail "no such file: $name (--list prints the names)" 2
done
if ! verified; then
  mkdir -p "$cache"
  # One call fetches at a time; the others then find its files.
  exec 9>"$cache/lock"
  flock 9
  verified || fetch
  exec 9>&-
  verified || fail "the files in $cache are not those expected: $package has changed, or the disk is full"
fi
printf "$cache/%s\n" "${names[@]}"
