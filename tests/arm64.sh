#!/usr/bin/env bash
# gst-cca: builds for 64-bit Arm, with CUDA, and tests that on a processor of another kind
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/arm64.sh [--dir DIR] [TEST]...

Builds for 64-bit Arm, with kernels for Jetson's Orin where this machine has nvcc, and runs tests of the library under
qemu: those named, or those that compare every instruction set with the oracle and, with kernels, those of the CUDA
backend on a driver that only counts. They take some three minutes. DIR keeps the headers and libraries of Debian for
Arm, 700 MB, and the build folder; default: chroot/arm64 in the repository.

Needs root for debootstrap, and these packages: debootstrap gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user
USAGE
}

fail () { echo "arm64: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dir=$root/chroot/arm64 tests=()
while (($#)); do
  case $1 in
    --dir) dir=${2:?--dir needs a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "arm64: unknown option: $1" >&2; usage >&2; exit 2 ;;
    *) tests+=("$1") ;;
  esac
  shift
done
if ((${#tests[@]} == 0)); then
  tests=(oracle ridges small foreground formats motion samples components overlaps regions)
  # The CUDA backend on a driver that only counts.
  [[ ! -x /usr/local/cuda/bin/nvcc ]] || tests+=(driver-frames-null-device driver-steady-null-device)
fi
for program in debootstrap aarch64-linux-gnu-gcc qemu-aarch64; do
  command -v "$program" >/dev/null || fail "$program was not found; --help lists the packages"
done

# Nothing of the system runs: its packages are only unpacked.
sysroot=$dir/sysroot packages=libglib2.0-dev,libc6-dev,libgstreamer1.0-dev,libgstreamer-plugins-base1.0-dev
if [[ ! -e $dir/unpacked ]]; then
  mkdir -p "$dir"
  debootstrap --variant=minbase --foreign --arch=arm64 --include="$packages,libpango1.0-dev,libcairo2-dev" bookworm \
    "$sysroot" >"$dir/debootstrap.log" || fail "debootstrap failed: $dir/debootstrap.log"
  for package in "$sysroot"/var/cache/apt/archives/*.deb; do
    dpkg -x "$package" "$sysroot"
  done
  touch "$dir/unpacked"
fi

cat >"$dir/cross.ini" <<CROSS
[binaries]
c = 'aarch64-linux-gnu-gcc'
cpp = 'aarch64-linux-gnu-g++'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '$sysroot']
[built-in options]
c_args = ['--sysroot=$sysroot']
c_link_args = ['--sysroot=$sysroot']
cpp_args = ['--sysroot=$sysroot']
cpp_link_args = ['--sysroot=$sysroot']
[properties]
sys_root = '$sysroot'
pkg_config_libdir = '$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$sysroot/usr/share/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
CROSS
build=$dir/build
cuda=(-Dcuda=disabled)
[[ ! -x /usr/local/cuda/bin/nvcc ]] || cuda=(-Dcuda=enabled -Dcuda-arch=87)
[[ -e $build/build.ninja ]] || meson setup "$build" "$root" --cross-file "$dir/cross.ini" "${cuda[@]}" \
  -Dopencv=disabled -Dintrospection=disabled -Ddocs=disabled -Dexamples=disabled
meson test -C "$build" --timeout-multiplier 20 "${tests[@]}"
n=$(grep -c '^ok .*/neon' "$build/meson-logs/testlog.txt") || fail "no test ran with NEON"
echo "arm64: $n cases ran with NEON"
