#!/usr/bin/env bash
# gst-cca: what the README asks of a new user, on a system that has nothing but apt
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/chroot.sh --clean [--suite NAME] [--no-toolkit] --run tests/fresh.sh [--cuda | --no-cuda]

Runs examples/quickstart.sh and tests/run.sh with these switches, and checks what they leave. --no-toolkit --cuda is the
machine with an NVIDIA driver and no CUDA toolkit. The last line is "N passed, N failed, N skipped".
USAGE
}

cuda=auto
while (($#)); do
  case $1 in
    --cuda) cuda=enabled ;;
    --no-cuda) cuda=disabled ;;
    -h | --help) usage; exit 0 ;;
    *) echo "fresh: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
switches=()
case $cuda in
  enabled) switches=(--cuda) ;;
  disabled) switches=(--no-cuda) ;;
esac

# The clip has 795 frames.
quickstart () {
  ./examples/quickstart.sh "${switches[@]}" 2>&1 | tee "$log" || return
  (($(grep -c '^[0-9]' out/components.txt) == 795)) || return
  [[ -s out/video.webm && -s out/frame.png ]] || return
  grep -q '^quickstart: using \(cuda\)\?cca on ' "$log"
}

# Whether the build has kernels exactly where they are wanted and nvcc can be had.
kernels () {
  local expected=false found=false
  if [[ $cuda == enabled ]] || { [[ $cuda == auto ]] && [[ -x /usr/local/cuda/bin/nvcc || -e /dev/nvidiactl ]]; }; then
    expected=true
  fi
  if LC_ALL=C grep -qP '\x50\xed\x55\xba' build/cca/libcca.so.0; then # how fatbins begin
    found=true
  fi
  echo "kernels: expected $expected, found $found"
  [[ $expected == "$found" ]]
}

passed=0 failed=0
# check CASE: runs a case and counts it.
check () {
  if "$1"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "fresh: $1 failed" >&2
  fi
}

check quickstart
./tests/run.sh "${switches[@]}" 2>&1 | tee "$log" || true
read -r n_passed _ n_failed _ n_skipped _ <<<"$(tail -n 1 "$log")"
check kernels # the quickstart alone builds none without a driver
echo "$((passed + n_passed)) passed, $((failed + n_failed)) failed, $n_skipped skipped"
((failed + n_failed == 0))
