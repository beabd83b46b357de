#!/usr/bin/env bash
# gst-cca: installs the Python packages of a requirements file in a virtual environment, unless they are there
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage='usage: examples/install-packages.sh REQUIREMENTS FOLDER'
[[ ${1-} != -h && ${1-} != --help ]] || { echo "$usage"; exit 0; }
(($# == 2)) || { echo "$usage" >&2; exit 2; }
requirements=$1 folder=$2
fail () { echo "install-packages: $1" >&2; exit 1; }

exec 3<"$requirements"
flock 3 # of two that need them at once, one installs
! cmp -s "$requirements" "$folder/installed.txt" || exit 0
echo "install-packages: installing Python packages in $folder"
rm -rf "$folder"
python3 -m venv "$folder" || fail "python3 -m venv does not work; on Debian, install python3-venv"
"$folder/bin/pip" install -q --disable-pip-version-check --only-binary :all: --require-hashes -r "$requirements" ||
  fail "pip cannot install $requirements"
cp "$requirements" "$folder/installed.txt"
