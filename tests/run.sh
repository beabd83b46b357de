#!/usr/bin/env bash
# gst-cca: sets up the machine, builds, and runs the whole test suite
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/run.sh [--no-skips] [--sanitize] [--quick | --nightly] [--cuda | --no-cuda] [--build DIR] [--no-setup]

Installs missing packages, builds, and runs the tests that every commit must pass. Prints the cases that failed or were
skipped, with reasons; the last line is "N passed, N failed, N skipped". Exits with 0 if every case passed or was
skipped.

  --no-skips   a skipped case is a failed one
  --sanitize   with AddressSanitizer and UndefinedBehaviorSanitizer, in a build folder of its own
  --quick      only the tests that run in less than a minute together, and builds only what they need
  --nightly    also the tests that take long, and those of the benchmarks, which it builds
  --cuda       with the CUDA backend even without a driver; --no-cuda: without it
  --build DIR  the build folder; default: build, with --sanitize build-asan
  --no-setup   install and build nothing: test the build folder as it is
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build='' setup=true sanitize=false tier=commit count=() options=()

while (($#)); do
  case $1 in
    --no-skips) count+=(--no-skips) ;;
    --sanitize) sanitize=true ;;
    --quick | --nightly) tier=${1#--} ;;
    --cuda | --no-cuda) options+=("$1") ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    --no-setup) setup=false ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

# Timeouts end what hangs; a slow machine must not reach them.
multiplier=4
if $sanitize; then
  options+=(--sanitize)
  multiplier=10
  # The plugin scanner and valgrind are not instrumented, and cannot load a library that is.
  export GST_REGISTRY_FORK=no
  # Suppressions need stacks unwound exactly; deeper ones only take time.
  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:fast_unwind_on_malloc=0:malloc_context_size=10}
  export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$root/tests/lsan.supp:print_suppressions=0}
  export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}
fi
if [[ -z $build ]]; then
  $sanitize && build=$root/build-asan || build=$root/build
fi

# Sets up and builds; `meson test` builds what the quick tests need.
set_up () {
  [[ $tier == commit ]] || options+=(--no-build)
  "$root/examples/setup.sh" --tests "${options[@]}" --build "$build" || return
  if [[ $tier == nightly ]]; then
    meson configure "$build" -Dbenches=true && ninja -C "$build"
  fi
}

# The count must be the last line however the set-up ends.
if $setup && ! set_up; then
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
if [[ ! -f $build/build.ninja ]]; then
  echo "run: $build is no configured build folder" >&2
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi

# A forked child cannot use what its parent had of the GPU.
if [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
  export CK_FORK=no
fi
run_tests=(meson test -C "$build" --timeout-multiplier "$multiplier")
$setup && [[ $tier == quick ]] || run_tests+=(--no-rebuild)
case $tier in
  quick) selection=(--suite quick) ;;
  commit) selection=() ;;
  nightly) selection=(--setup nightly) ;;
esac
# Many of the system's plugins leak when they are loaded to see what is in them. The first test fills the registry.
if $sanitize; then
  ASAN_OPTIONS=detect_leaks=0 "${run_tests[@]}" gst-names </dev/null || true
fi
rm -f "$build"/meson-logs/testlog*.json
# Some tests mostly wait, for brokers and streams.
"${run_tests[@]}" "${selection[@]}" --print-errorlogs --num-processes $(($(nproc) + 1)) </dev/null || true
python3 "$root/tests/count.py" "$build" "${count[@]}"
