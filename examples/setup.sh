#!/usr/bin/env bash
# gst-cca: installs the missing packages on Debian, configures a build folder and builds
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/setup.sh [--tests] [--live] [--docs] [--here | --cuda | --no-cuda] [--sanitize] [--build DIR]
                         [--no-install] [--no-build]

Installs missing Debian packages, configures the Meson build folder and builds. If all packages are there, it only runs
ninja. On a machine with an NVIDIA driver and no nvcc, it fetches nvcc from PyPI (105 MB) into the build folder. It
compiles kernels for this machine's GPUs; without a GPU for all architectures, or with --tests for one.

  --tests       the packages of the tests, the fuzzer and the benchmark too
  --live        the packages of the live page too
  --docs        the packages of the site too (meson compile -C build docs)
  --here        only what this machine can run: without a driver no CUDA backend, unless the build folder has it
  --cuda        the CUDA backend even without a driver
  --no-cuda     no CUDA backend
  --sanitize    a build with AddressSanitizer and UndefinedBehaviorSanitizer
  --build DIR   the build folder; default: build, with --sanitize build-asan
  --no-install  no Debian packages
  --no-build    only configures
USAGE
}

say () { echo "setup: $*"; }
fail () { echo "setup: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build='' tests=false live=false docs=false sanitize=false install=true compile=true cuda=auto

while (($#)); do
  case $1 in
    --tests) tests=true ;;
    --live) live=true ;;
    --docs) docs=true ;;
    --here) cuda=here ;;
    --cuda) cuda=enabled ;;
    --no-cuda) cuda=disabled ;;
    --sanitize) sanitize=true ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    --no-install) install=false ;;
    --no-build) compile=false ;;
    -h | --help) usage; exit 0 ;;
    *) echo "setup: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
if [[ -z $build ]]; then
  $sanitize && build=$root/build-asan || build=$root/build
fi

packages=(
  meson ninja-build gcc libc6-dev pkg-config
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libpango1.0-dev libpng-dev libjson-glib-dev
  libmosquitto-dev libssl-dev librdkafka-dev libxml2-dev libzstd-dev
  gobject-introspection libgirepository1.0-dev
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-libav
  python3 python3-gi gir1.2-gst-plugins-base-1.0
)
live_packages=(python3-aiohttp python3-prometheus-client)
docs_packages=(python3-sphinx python3-myst-parser furo gi-docgen)
test_packages=(
  "${live_packages[@]}" "${docs_packages[@]}" chromium gstreamer1.0-plugins-ugly gir1.2-gst-rtsp-server-1.0
  mosquitto mosquitto-clients openssl kcat jq python3-venv python3-gst-1.0 python3-lxml python3-pip
  gstreamer1.0-plugins-bad libgstreamer-plugins-bad1.0-dev
  clang libclang-rt-dev llvm valgrind g++ libopencv-dev python3-opencv python3-onnx python3-matplotlib
  python3-jsonschema python3-jinja2 python3-scipy locales
)
$live && packages+=("${live_packages[@]}")
$docs && packages+=("${docs_packages[@]}")
$tests && packages+=("${test_packages[@]}")

has_driver () {
  [[ -e /dev/nvidiactl || -e /dev/dxg || $(PATH=$PATH:/sbin ldconfig -p) == *libcuda.so.1* ]]
}

has_nvcc () {
  command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]
}

# The options with which the build folder was configured; empty if by hand or not yet.
options_before=$(cat "$build/setup.options" 2>/dev/null) || true
if [[ $cuda == here ]]; then
  cuda=disabled
  if has_driver || [[ -f $build/build.ninja && $options_before != *cuda=disabled* ]]; then cuda=auto; fi
fi

# Without --cuda and --no-cuda, a build folder that was configured by hand stays as it is.
by_hand=false wants_nvcc=false
if [[ $cuda == auto && -f $build/build.ninja && ! -f $build/setup.options ]]; then
  by_hand=true
elif [[ $cuda == enabled ]] || { [[ $cuda == auto ]] && { has_nvcc || has_driver; }; }; then
  # nvcc compiles C++; CUDA memory is part of GStreamer's bad plugins.
  packages+=(g++ gstreamer1.0-plugins-bad libgstreamer-plugins-bad1.0-dev)
  if ! has_nvcc; then
    wants_nvcc=true
    packages+=(python3-pip)
  fi
fi

is_installed () {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Sets `missing` to the packages to install.
find_missing () {
  local package
  missing=()
  for package in "${packages[@]}"; do
    [[ " ${missing[*]} " == *" $package "* ]] || is_installed "$package" || missing+=("$package")
  done
}

install_missing () {
  local as_root=() log
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "these packages are missing, and this user is not root and has no sudo; install them as root:
  apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  log=$(mktemp)
  say "installing ${#missing[@]} packages: ${missing[*]}"
  if ! "${as_root[@]}" apt-get -q update >"$log" 2>&1; then
    # An unreachable third-party source does no harm if all packages are available.
    say "apt-get update complained: $(grep -m 1 '^[EW]:' "$log" || tail -n 1 "$log")"
  fi
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=600 \
    install --no-install-recommends "${missing[@]}" </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "apt-get install failed; its whole output is in $log"
  fi
  rm -f "$log"
}

# Runs a command with its output in a log, and shows the log if it fails.
logged () {
  local log=$1
  shift
  "$@" </dev/null >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    fail "failed: $* (whole output: $log)"
  }
}

# Installs nvcc with the versions of cuda-toolkit.txt in a folder.
fetch_nvcc () {
  local folder=$1
  say "fetching nvcc from PyPI into $folder"
  rm -rf "$folder" "$folder.part"
  python3 -m pip install -q --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: --require-hashes \
    --target "$folder.part" -r "$root/examples/cuda-toolkit.txt" </dev/null >"$folder.log" 2>&1 &&
    mv "$folder.part" "$folder"
}

installed=false
if $install; then
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    fail "no apt-get here: install the equivalents of these Debian packages and pass --no-install:
  ${packages[*]}"
  fi
  find_missing
  if ((${#missing[@]})); then
    install_missing
    installed=true
  fi
fi
command -v meson >/dev/null || fail "meson is not installed (needed: 1.0.1 or newer)"

mkdir -p "$build"
build=$(cd "$build" && pwd)

toolkit=''
if $wants_nvcc; then
  toolkit=$build/cuda-toolkit
  if [[ ! -d $toolkit ]] && ! fetch_nvcc "$toolkit"; then
    tail -n 5 "$toolkit.log" >&2
    [[ $cuda == auto ]] || fail "nvcc cannot be fetched; the whole output is in $toolkit.log"
    say "nvcc cannot be fetched: building without CUDA; --no-cuda does not try"
    toolkit='' cuda=disabled
  fi
  [[ -z $toolkit ]] || toolkit=$toolkit/nvidia/cu13
fi

# Prints the architectures to compile for: those of this machine's GPUs; or `auto`, which is all of them.
choose_archs () {
  local nvcc known archs arch
  nvcc=$(command -v "$toolkit/bin/nvcc" nvcc /usr/local/cuda/bin/nvcc | head -n 1) || true
  known=$("${nvcc:-false}" --list-gpu-arch 2>/dev/null) || true
  archs=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -nu) || true
  for arch in $archs; do
    grep -qx "compute_$arch" <<<"$known" || archs=''
  done
  if [[ -z $archs ]] && $tests && ! has_driver; then
    # Tests without a GPU show that kernels compile: for the oldest GPUs and, of the build with sanitizers, the newest.
    $sanitize && archs=120 || archs=75
  fi
  paste -sd, <<<"${archs:-auto}"
}

cuda_options=()
$by_hand || cuda_options=("-Dcuda=$cuda" "-Dcuda-toolkit=$toolkit")
options=(--buildtype=release)
if $sanitize; then
  # -g1 names lines, and compiles faster than -g. Introspection would run uninstrumented programs that load the
  # instrumented library.
  options=(
    --buildtype=plain -Doptimization=2 -Dc_args=-g1 -Dcpp_args=-g1 "-Db_sanitize=address,undefined" -Db_lundef=false
    -Dintrospection=disabled
  )
fi

if [[ ! -f $build/build.ninja ]]; then
  say "configuring $build"
  [[ $cuda == disabled ]] || options+=("-Dcuda-arch=$(choose_archs)")
  logged "$build/setup.log" meson setup "${options[@]}" "${cuda_options[@]}" "$build" "$root"
elif $installed || { ! $by_hand && [[ $options_before != "${cuda_options[*]}" ]]; }; then
  say "configuring $build again, for what was installed or asked for"
  options=()
  [[ $options_before != *cuda=disabled* || $cuda == disabled ]] || options+=("-Dcuda-arch=$(choose_archs)")
  logged "$build/setup.log" meson setup --reconfigure "${options[@]}" "${cuda_options[@]}" "$build" "$root"
fi
$by_hand || echo "${cuda_options[*]}" >"$build/setup.options"

if $compile && [[ $(ninja -C "$build" -n 2>/dev/null | tail -n 1) != *'no work to do'* ]]; then
  say "building $build"
  logged "$build/build.log" ninja -C "$build"
fi
say "ready: $build"
