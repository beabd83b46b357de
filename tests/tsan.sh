#!/usr/bin/env bash
# gst-cca: runs what several threads do with ThreadSanitizer, in a build folder of its own
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/tsan.sh [--build DIR]

Builds with ThreadSanitizer and runs the threads of the library, elements whose properties change while they play, and
the brokers' sinks. Prints each report, and last "N programs, N reports". Exits with 0 if all passed without a report.

  --build DIR  the build folder; default: build-tsan
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build-tsan

while (($#)); do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "tsan: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

# A program of tests/, and its arguments. Frames of real size are slow here: one instruction set has them.
programs=(
  'lib/test-threads -r /threads/strips'
  'lib/test-threads -r /threads/idle'
  'lib/test-threads -p /threads/changing-work/cpu/runs/c'
  gst/test-gst-changes
  'gst/test-gst-crop -s /crop/pixels'
  gst/test-gst-properties
  gst/test-gst-settings
  gst/test-gst-region
  gst/test-gst-stream
  gst/test-gst-track-stream
  gst/test-gst-zones-rules
  gst/test-gst-zones-stream
  gst/test-gst-combiner-pipeline
  gst/test-gst-combiner-stream
  export/broker/test-broker-outbox
  'export/kafka/test-kafka-states -k'
)

if [[ ! -f $build/build.ninja ]]; then
  # gcc only: its ThreadSanitizer is a library, which glib.c can precede.
  CC=gcc meson setup "$build" "$root" --buildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false \
    -Dcuda=disabled -Dintrospection=disabled
fi
targets=()
for program in "${programs[@]}"; do
  targets+=("tests/${program%% *}")
done
ninja -C "$build" "${targets[@]}" tests/export/feed tests/tsan/order tests/tsan/libtsan-glib.so gst/libgstcca.so \
  gst/zones/libgstccazones.so gst/export/json/libgstccajson.so gst/export/onvif/libgstccaonvif.so \
  gst/export/broker/libgstccabroker.so gst/index/libgstccaindex.so

export GST_PLUGIN_PATH=$build/gst GST_REGISTRY=$build/gst-registry.bin
# The plugin scanner is not instrumented, and forked children have none of their parent's threads.
export GST_REGISTRY_FORK=no CK_FORK=no
# GLib's own allocator gives blocks from thread to thread without a word.
export G_SLICE=always-malloc
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
# Of races alone: half of what is done to GLib's recursive locks happens within GLib, where it is not seen.
TSAN_OPTIONS=suppressions=$root/tests/tsan/suppressions.txt:print_suppressions=0:exitcode=66
export TSAN_OPTIONS=$TSAN_OPTIONS:detect_deadlocks=0:report_mutex_bugs=0:log_path=$reports/report
preload=$(gcc -print-file-name=libtsan.so):$build/tests/tsan/libtsan-glib.so
failed=0

with_tsan () {
  LD_PRELOAD=$preload timeout 600 "$@"
}

fail () {
  echo "tsan: $1"
  failed=$((failed + 1))
}

# Fills the registry: that loads every plugin of the machine, whose faults are not ours.
with_tsan "$build/tests/tsan/order" mutex >/dev/null 2>&1 || true

# A race is found, and what GLib and GStreamer order is none.
for order in mutex cond queue object none; do
  status=0
  with_tsan "$build/tests/tsan/order" $order || status=$?
  [[ $status -eq $([[ $order == none ]] && echo 66 || echo 0) ]] || fail "order $order ended with $status"
done
rm -f "$reports"/*

for program in "${programs[@]}"; do
  read -ra words <<<"$program"
  status=0
  start=$SECONDS
  with_tsan "$build/tests/${words[0]}" "${words[@]:1}" >"$reports/output" 2>&1 || status=$?
  echo "$program: $((SECONDS - start)) s"
  if ((status)); then
    grep -E '^(not ok|Bail|#.*ERROR)' "$reports/output" || tail -n 20 "$reports/output"
    fail "$program ended with $status"
  fi
done

# The sinks' process, fed and watched by a test that is not instrumented.
feed=$reports/feed
printf '#!/bin/sh\nLD_PRELOAD=%q exec %q "$@"\n' "$preload" "$build/tests/export/feed" >"$feed"
chmod +x "$feed"
for test in mqtt/test-delivery.py mqtt/test-status.py; do
  timeout 900 /usr/bin/python3 "$root/tests/export/$test" "$feed" >"$reports/output" 2>&1 || {
    grep '^not ok' "$reports/output" || tail -n 20 "$reports/output"
    fail "$test failed"
  }
done

count=0
for report in "$reports"/report.*; do
  [[ -f $report ]] || continue
  cat "$report"
  count=$((count + $(grep -cE '^SUMMARY|CHECK failed|FATAL' "$report" || true)))
done
echo "$((${#programs[@]} + 2)) programs, $count reports"
((failed == 0 && count == 0))
