#!/usr/bin/env bash
# gst-cca: runs the tests, or another script of the tree, in a Debian chroot, by default Debian 13 with GStreamer 1.26
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/chroot.sh [--suite NAME] [--dir DIR] [--clean] [--no-toolkit] [--run SCRIPT] [the script's switches]

Makes a Debian system in DIR with debootstrap (needs root; about 2 GB; kept for the next time), copies the tree into it
and runs a script of the tree there, with this machine's /usr/local/cuda where it has one.

  --suite NAME  the Debian release; default: trixie
  --dir DIR     where the system lives; default: chroot/NAME in the repository
  --clean       make the system anew
  --no-toolkit  without /usr/local/cuda
  --run SCRIPT  the script; default: tests/run.sh, whose build folder is /gst-cca-build. Others:
                  tests/packages.sh       builds, installs, tries and purges the Debian packages
                  tests/fresh.sh          does what the README asks of a new user

DEBIAN_MIRROR overrides the mirror, which is else that of this machine's apt.
USAGE
}

say () { echo "chroot: $*"; }
fail () { echo "chroot: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
suite=trixie dir='' clean=false toolkit=true script=tests/run.sh switches=()
while (($#)); do
  case $1 in
    --suite) suite=${2:?--suite needs a name}; shift ;;
    --dir) dir=${2:?--dir needs a folder}; shift ;;
    --clean) clean=true ;;
    --no-toolkit) toolkit=false ;;
    --run) script=${2:?--run needs a script}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) switches+=("$1") ;;
  esac
  shift
done
dir=${dir:-$root/chroot/$suite}

[[ -x $root/$script ]] || fail "--run is $script, which is no script of the tree" 2
((EUID == 0)) || fail "must be run as root: it makes and enters a chroot"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

# Everything is mounted in a namespace of this script's own, so that nothing stays behind however it ends.
if [[ -z ${GST_CCA_CHROOT_NAMESPACE:-} ]]; then
  again=(--suite "$suite" --dir "$dir" --run "$script")
  $clean && again+=(--clean)
  $toolkit || again+=(--no-toolkit)
  again+=("${switches[@]}")
  GST_CCA_CHROOT_NAMESPACE=1 exec unshare --mount --propagation private "$0" "${again[@]}"
fi

mirror () {
  if [[ -n ${DEBIAN_MIRROR:-} ]]; then
    echo "$DEBIAN_MIRROR"
    return
  fi
  { cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
    grep -oE '(https?|file)://[^] ]*/debian/?( |$)' | head -n 1 | grep . || echo http://deb.debian.org/debian
}

if $clean; then
  rm -rf --one-file-system "$dir"
fi
if [[ ! -e $dir/.complete ]]; then
  rm -rf --one-file-system "$dir"
  mkdir -p "$dir"
  url=$(mirror)
  say "making a Debian $suite in $dir from $url"
  debootstrap --variant=minbase "$suite" "$dir" "$url" >"$dir.log" 2>&1 || {
    tail -n 20 "$dir.log" >&2
    fail "debootstrap failed; its whole output is in $dir.log"
  }
  touch "$dir/.complete"
fi
apt-config dump | grep -E '^Acquire::[a-z]+::Proxy ' >"$dir/etc/apt/apt.conf.d/90proxy" || true
cp -L /etc/resolv.conf /etc/hosts "$dir/etc/"
if [[ -n ${PIP_CERT:-} ]]; then
  cp -L "$PIP_CERT" "$dir/etc/pip-certificates.crt"
fi

mount -t proc proc "$dir/proc"
mount -t sysfs -o ro sysfs "$dir/sys"
mount --rbind /dev "$dir/dev"
if $toolkit && [[ -d /usr/local/cuda ]]; then
  mkdir -p "$dir/usr/local/cuda"
  mount -o bind,ro "$(readlink -f /usr/local/cuda)" "$dir/usr/local/cuda"
fi

# A copy, not the tree itself: the chroot must not write into it. Its files are as new as the copy, as one that changed
# during an earlier build here may be older than what that build made of its predecessor.
rm -rf "$dir/gst-cca"
mkdir "$dir/gst-cca"
(cd "$root" && git ls-files -z --cached --others --exclude-standard |
  while IFS= read -r -d '' file; do if [[ -e $file ]]; then printf '%s\0' "$file"; fi; done |
  tar -c --null --no-recursion -T - | tar -x --touch --no-same-owner -C "$dir/gst-cca")

[[ $script != tests/run.sh ]] || switches=(--build /gst-cca-build "${switches[@]}")
say "running $script in Debian $suite"
exec chroot "$dir" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  ${CI:+"CI=$CI"} ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
  ${PIP_CERT:+"PIP_CERT=/etc/pip-certificates.crt"} \
  "/gst-cca/$script" "${switches[@]}" </dev/null
