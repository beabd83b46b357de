#!/usr/bin/env bash
# gst-cca: builds the Debian packages, checks and installs them, runs debian/tests from them, and purges them
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/chroot.sh [--suite NAME] --run tests/packages.sh [--no-cuda]

Runs in a chroot that tests/chroot.sh made, as it installs and purges packages, and leaves those that it built in
/packages there. The last line is "N passed, N failed, N skipped".

  --no-cuda   without the CUDA backend, also where nvcc is found
USAGE
}

fail () { echo "packages: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cuda=true
while (($#)); do
  case $1 in
    --no-cuda) cuda=false ;;
    -h | --help) usage; exit 0 ;;
    *) echo "packages: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
[[ -e /.complete ]] || fail "this is no chroot of tests/chroot.sh, and this script changes what is installed" 2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
rm -rf /packages
export DEBIAN_FRONTEND=noninteractive
$cuda || export DEB_BUILD_PROFILES=pkg.gst-cca.nocuda
cp -r "$root" "$work/gst-cca"
cd "$work/gst-cca"

# The packages that debian/control describes, and the files of theirs that lie beside the source.
mapfile -t names < <(sed -n 's/^Package: //p' debian/control)
# What debian/tests need besides the packages.
mapfile -t needed < <(sed -n 's/^ \(.*\),$/\1/p' debian/tests/control | grep -vxFf <(printf '%s\n' "${names[@]}"))

passed=0 failed=0
# check NAME COMMAND…: a case; its output is shown where it fails.
check () {
  local name=$1
  shift
  echo "== $name"
  if "$@" >"$work/$name.log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    tail -n 60 "$work/$name.log" >&2
    echo "packages: $name failed" >&2
  fi
}

prepare () {
  apt-get -q update
  apt-get -qy install --no-install-recommends build-essential lintian "${needed[@]}"
  apt-get -qy build-dep --no-install-recommends ./
}

build () {
  dpkg-buildpackage -us -uc
}

# Whether the kernels are in libcca exactly where they should be.
has_kernels () {
  local expected=false found=false
  if $cuda && { command -v nvcc || [[ -x /usr/local/cuda/bin/nvcc ]]; }; then
    expected=true
  fi
  dpkg-deb -x "$work"/libcca0_*.deb "$work/libcca0"
  if LC_ALL=C grep -qP '\x50\xed\x55\xba' "$work"/libcca0/usr/lib/*/libcca.so.0; then # how fatbins begin
    found=true
  fi
  echo "kernels: expected $expected, found $found"
  [[ $expected == "$found" ]]
}

install_packages () {
  rm -f "$work"/*-dbgsym_*.deb
  apt-get -qy install --no-install-recommends "$work"/*.deb
}

purge_packages () {
  apt-get -qy purge "${names[@]}"
}

# Every file of the system but those that come and go by themselves, and the tree and build folder of tests/chroot.sh.
files () {
  find / -xdev \( -path /proc -o -path /tmp -o -path /root -o -path "$root" -o -path "$root-build" \
    -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /var/lib/dpkg \) -prune -o -print | sort
}

# debian/tests as a user who has set nothing.
try_packages () {
  local home=$work/home
  install -d -o nobody "$home"
  cd "$home"
  setpriv --reuid=nobody --regid=nogroup --clear-groups \
    env -i PATH=/usr/bin:/bin "HOME=$home" "$work/gst-cca/debian/tests/installed"
}

nothing_is_left () {
  local status=0
  files >"$work/after"
  diff "$work/before" "$work/after" || status=1
  if grep -iE '/(lib)?(gst)?-?cca[^/]*$|gst-?cca|-cca' "$work/after" | grep -v '/opencv4/'; then
    status=1
  fi
  if { dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null || true; } |
    grep -v ' not-installed$'; then
    status=1
  fi
  return "$status"
}

check prepare prepare
check build build
check lintian lintian --allow-root --fail-on error,warning "$work"/*.changes
check kernels has_kernels
# Twice: what the packages bring from elsewhere stays.
check first-installation install_packages
check first-purge purge_packages
files >"$work/before"
check installation install_packages
check installed try_packages
check purge purge_packages
check nothing-is-left nothing_is_left
cat "$work/lintian.log"
mkdir /packages
cp "$work"/*.deb /packages

echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
