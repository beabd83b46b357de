#!/usr/bin/env bash
# gst-cca: makes the wheel, installs it in a new environment beside other libraries, and tests it there
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

packages=(numpy==2.4.6 scipy==1.17.1 opencv-python-headless==5.0.0.93 scikit-image==0.26.0
  connected-components-3d==4.1.1 mypy==2.4.1)
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
skip () { echo "1..0 # SKIP $1"; exit 0; }

# What the TAP of the test must not contain goes elsewhere.
wheel=$("$root/cca/python/wheel.sh" --no-cuda --build "$build/wheel" | tee /dev/stderr | tail -n 1)
venv=$build/wheel-peers
"$root/tests/venv.sh" "$venv" "${packages[@]}" >&2 || skip "no packages from PyPI"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q --no-deps "$wheel" >&2
# The libraries to compare with, without installing them once more.
realpath "$venv"/lib/python3*/site-packages >"$(realpath "$scratch"/venv/lib/python3*/site-packages)/peers.pth"
cd "$scratch"
unset PYTHONPATH GSTCCA_LIBRARY
"$scratch/venv/bin/python" "$here/test-wheel.py" "$root" "$wheel"
