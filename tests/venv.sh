#!/usr/bin/env bash
# gst-cca: makes a virtual environment with Python packages, unless it has exactly these
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage='usage: tests/venv.sh [--with-debian] FOLDER PACKAGE==VERSION...'
python=python3 options=(--clear)
if [[ ${1-} == --with-debian ]]; then # its bindings of GStreamer
  python=/usr/bin/python3 options+=(--system-site-packages)
  shift
fi
(($# > 1)) && [[ $1 != -* ]] || { echo "$usage" >&2; exit 2; }
folder=$1
shift
[[ $(cat "$folder/packages" 2>/dev/null) != "$*" ]] || exit 0
"$python" -m venv "${options[@]}" "$folder"
"$folder/bin/pip" -q install "$@"
echo "$*" >"$folder/packages"
