#!/usr/bin/env bash
# gst-cca: the tracks and events of a folder of recordings as Parquet data sets, on all cores of this machine
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/archive/run.sh [--build DIR] [--venv DIR] FOLDER --output DIR [OPTIONS]
       examples/archive/run.sh --install

Finds the tracks and events in every recording below FOLDER and writes them to DIR/tracks and DIR/events, two Parquet
data sets. Start it again after an interruption, or when there are new recordings: it analyses the missing ones.

  --build DIR  the build folder with the plugins; default: build in the repository, if it is there
  --venv DIR   folder of Python packages, installed the first time (450 MB); default: build-archive in the repository;
               --install only installs them

The other options are those of archive.py; archive.py --help lists them.
USAGE
}

fail () { echo "archive: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/examples/archive
build=$root/build venv=$root/build-archive install_only=false

while (($#)); do
  case $1 in
    --build | --venv)
      (($# > 1)) || fail "$1 needs a value" 2
      declare "${1#--}=$2"
      shift
      ;;
    --install) install_only=true ;;
    -h | --help) usage; exit 0 ;;
    *) break ;;
  esac
  shift
done
$install_only || (($#)) || { usage >&2; exit 2; }

"$root/examples/install-packages.sh" "$here/requirements.txt" "$venv"
! $install_only || exit 0

if [[ -d $build/gst ]]; then
  export GST_PLUGIN_PATH=$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
fi
gst-inspect-1.0 ccajson >/dev/null 2>&1 || fail "no element ccajson: build gst-cca, and name its folder by --build"
export RAY_USAGE_STATS_ENABLED=0           # or Ray reports usage to its developers
export RAY_AUTH_MODE=${RAY_AUTH_MODE:-token} # without a token, anyone who reaches Ray's ports can run programs
exec "$venv/bin/python" "$here/archive.py" "$@"
