# gst-cca: what the scripts of data sets have in common; they set `name`, `packages` and usage ()
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2034,SC2154

fail () { echo "$name.sh: $1" >&2; exit "${2:-1}"; }

# set_up ARGUMENT...: sets `folder`, `build`, `output` and `options`, and makes the Python environment.
set_up () {
  local venv
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
  folder='' build=$root/build output='' options=()
  while (($#)); do
    case $1 in
      --build | --output)
        (($# > 1)) || fail "$1 needs a value" 2
        declare -g "${1#--}=$2"
        shift
        ;;
      -h | --help) usage; exit 0 ;;
      -*)
        options+=("$@")
        break
        ;;
      *)
        [[ -z $folder ]] || fail "more than one folder: $folder and $1" 2
        folder=$1
        ;;
    esac
    shift
  done
  [[ -n $folder ]] || { usage >&2; exit 2; }
  [[ -d $folder ]] || fail "there is no folder $folder"
  build=$(realpath -m "$build") output=$(realpath -m "${output:-$build/$name}")
  [[ -f $build/gst/libgstcca.so ]] || fail "$build/gst/libgstcca.so is not there: build it first"
  mkdir -p "$output"

  # GStreamer's bindings are Debian's.
  python=/usr/bin/python3
  if ((${#packages[@]})); then
    venv=$build/$name-venv
    "$root/tests/venv.sh" --with-debian "$venv" "${packages[@]}"
    python=$venv/bin/python
  fi
  export GST_PLUGIN_PATH=$build/gst
}
