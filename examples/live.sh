#!/usr/bin/env bash
# gst-cca: shows the moving objects of a live video on a page in the browser
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/live.sh [FILE | rtsp://… | v4l2:/dev/video0] [--listen ADDRESS] [--port N] [--token [TOKEN]]
                        [--rules FILE] [--camera NAME] [--elements cpu|cuda|auto] [--build DIR] [--no-setup]

Installs missing packages, builds, and serves a page with the video, its moving objects, and the zones and lines that
count them, which you can draw there. Plays a file in a loop; default: the surveillance clip vtest.avi of Debian's
package opencv-doc. Only this machine can open the page, unless you set --listen.

  --listen    the address to serve at, such as 0.0.0.0 for all of this machine; default 127.0.0.1
  --port      default 8090; 0 = a free one
  --token     require the token; without TOKEN the one in the environment variable CCA_LIVE_TOKEN, or a new one
  --name      another name of this server, such as that of a proxy
  --proxy     the address of a proxy, which may open more connections than a browser
  --rules     zones and lines, a JSON file, which the page changes; default: out/CAMERA.rules.json
  --camera    the camera's name; default: that of the source
  --elements  cca (cpu) or cudacca (cuda); default auto: cudacca if a GPU works
  --build     another build folder than build
  --no-setup  install and build nothing
USAGE
}

examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$examples/../build setup=true source='' options=()

while (($#)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --no-setup) setup=false ;;
    --build)
      build=${2:?--build needs a folder}
      shift
      ;;
    --token)
      options+=("$1")
      if (($# > 1)) && [[ $2 != -* && $2 != *:/* && ! -e $2 ]]; then
        options+=("$2")
        shift
      fi
      ;;
    --listen | --port | --name | --proxy | --rules | --camera | --elements)
      (($# > 1)) || { echo "live: $1 needs a value" >&2; exit 2; }
      options+=("$1=$2")
      shift
      ;;
    -*) echo "live: unknown option: $1" >&2; usage | head -n 2 >&2; exit 2 ;;
    *)
      [[ -z $source ]] || { echo "live: more than one source" >&2; exit 2; }
      source=$1
      ;;
  esac
  shift
done

if $setup; then
  "$examples/setup.sh" --live --here --build "$build"
fi
if [[ -z $source ]]; then
  source=$("$examples/fetch-media.sh" vtest.avi)
  options+=("--first-rules=$examples/vtest.rules.json")
fi
build=$(realpath "$build")
export GST_PLUGIN_PATH=$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
exec "$examples/live/server.py" "${options[@]}" -- "$source"
