#!/usr/bin/env bash
# gst-cca: all that wants a GPU, on a machine that has one and nothing else
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/gpu.sh [--jobs N] BUILD [GSTREAMER]

Runs the library's tests, the CUDA driver's failures, the elements' tests and compute-sanitizer from a build folder that
was carried to this machine together with tests/. Needs bash and Python 3; no Meson, no compiler, no package registry.

  BUILD      a build folder, all of it or just its programs, libraries and meson-info/
  GSTREAMER  a folder with GStreamer and GLib: bin/, lib/ and plugins/; without it this machine's are used, and the
             elements' tests are skipped where there are none
  --jobs N   programs at a time; default: 4, as they share the GPU by turns

Prints the cases that failed or were skipped, with reasons; the last line is "N passed, N failed, N skipped". Exits with
1 where a case failed or none passed. Where everything is installed, ./tests/run.sh runs all of this and more.
USAGE
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=(--jobs 4) folders=()

while (($#)); do
  case $1 in
    --jobs) jobs=(--jobs "${2:?--jobs needs a number}"); shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "gpu: unknown option: $1" >&2; usage >&2; exit 2 ;;
    *) folders+=("$1") ;;
  esac
  shift
done
if ((${#folders[@]} < 1 || ${#folders[@]} > 2)); then
  echo "gpu: a build folder is needed, and at most a GStreamer folder" >&2
  usage >&2
  exit 2
fi
for folder in "${folders[@]}"; do
  if [[ ! -d $folder ]]; then
    echo "gpu: $folder is no folder" >&2
    exit 2
  fi
done

build=${folders[0]} suites=(--suite lib --suite skipped)
if ((${#folders[@]} == 2)); then
  gstreamer=$(cd "${folders[1]}" && pwd)
  export PATH=$gstreamer/bin:$PATH LD_LIBRARY_PATH=$gstreamer/lib:${LD_LIBRARY_PATH:-}
  export GST_PLUGIN_SYSTEM_PATH='' GST_PLUGIN_PATH=$gstreamer/plugins
  export GST_PLUGIN_SCANNER=$gstreamer/bin/gst-plugin-scanner
fi
if command -v gst-inspect-1.0 >/dev/null; then
  suites+=(--suite gst)
else
  suites+=(--skip "gst=no GStreamer: gst-inspect-1.0 was not found")
fi
# A forked child cannot use what its parent had of the GPU.
export CK_FORK=no

# No matter of the GPU: kernels on the host, and what needs Python's GObject, fonts or json-glib.
without=(--without 'emulated-*' --without 'fuzz-*' --without gst-introspection --without gst-overlay
  --without gst-overlay-meta --without gst-overlay-rules --without gst-overlay-scene --without gst-overlay-stream
  --without gst-overlay-tracks --without 'gst-zones-*')
python3 "$root/tests/run-built.py" "$build" "${suites[@]}" "${jobs[@]}" --split "${without[@]}"
python3 "$root/tests/count.py" "$build"
