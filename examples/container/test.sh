#!/usr/bin/env bash
# gst-cca: builds the image, and runs the commands of docs/container.md
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/container/test.sh [--packages DIR] [--dir DIR]

Builds the image with buildah, which needs no daemon, on a Debian 13 made with debootstrap, and runs it in a chroot as
its own user (needs root, buildah, debootstrap, mosquitto and its clients). The image itself is built and run without a
network. The last line is "N passed, N failed, N skipped".

  --packages DIR  the tree's packages for Debian 13, such as chroot/trixie/packages of tests/packages.sh; default: the
                  first stage builds them
  --dir DIR       where images lie; default: chroot/container in the repository

DEBIAN_MIRROR overrides the mirror.
USAGE
}

fail () { echo "container: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
packages='' dir=$root/chroot/container
while (($#)); do
  case $1 in
    --packages) packages=$(realpath "${2:?--packages needs a folder}"); shift ;;
    --dir) dir=$(realpath -m "${2:?--dir needs a folder}"); shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "container: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
((EUID == 0)) || fail "must be run as root: it makes and enters a chroot"
for program in buildah debootstrap mosquitto mosquitto_sub gst-launch-1.0; do
  command -v "$program" >/dev/null || fail "$program is missing"
done

mkdir -p "$dir"
work=$(mktemp -d -p "$dir")
jobs=()
set -m # a job is a process group: it ends with all that Buildah started for it
# shellcheck disable=SC2317 # called by trap
clean () {
  exec 2>/dev/null # bash names each job that ends, and the count must be the last line
  ((${#jobs[@]} == 0)) || kill -- "${jobs[@]/#/-}" || true
  wait || true
  image rm --all >/dev/null || true
  rm -rf --one-file-system "$work"
}
trap clean EXIT

network=() # or a command that takes it away
image () { "${network[@]}" buildah --root "$dir/images" --runroot "$dir/run" --storage-driver vfs "$@"; }

passed=0 failed=0
# check NAME COMMAND…: runs a case, and shows its output if it fails.
check () {
  local name=$1
  shift
  echo "== $name"
  if "$@" >"$work/$name.log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    tail -n 40 "$work/$name.log" >&2
    echo "container: $name failed" >&2
  fi
}

# Debian's slim image: a minimal system without the files that examples/container/dpkg.cfg leaves out.
make_base () {
  local container
  debootstrap --variant=minbase trixie "$work/debian" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
  container=$(image from scratch)
  tar -C "$work/debian" --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' \
    --exclude='./var/lib/apt/lists/*' --exclude='./var/cache/*' --exclude='./var/log/*' -cf "$work/debian.tar" .
  image add -q "$container" "$work/debian.tar" /
  image commit -q "$container" docker.io/library/debian:trixie-slim
  rm -rf "$work/debian" "$work/debian.tar"
}

# Only files that git tracks, and the packages.
make_context () {
  mkdir "$work/context"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard |
    tar -c --null --no-recursion --ignore-failed-read -T -) | tar -x -C "$work/context"
  if [[ -n $packages ]]; then
    mkdir "$work/context/examples/container/packages"
    cp "$packages"/*.deb "$work/context/examples/container/packages"
  fi
}

# build STAGE: builds a stage and the missing ones before it.
built=() # what Buildah takes in place of a stage: that of Debian 12 cannot mount a stage that it does not build itself
build () {
  image build -q "${built[@]}" --isolation chroot --pull-never --layers --format docker --target "$1" \
    -t "localhost/gst-cca:$1" -f "$work/context/examples/container/Containerfile" \
    "$work/context"
}

# in_image COMMAND…: runs the entry point as the image's own user.
in_image () {
  image run --isolation chroot "$container" -- /usr/share/gst-cca/container/entrypoint.sh "$@"
}

# The sum of its files' sizes, as container engines report it.
is_small () {
  local size
  size=$(du -s --apparent-size --block-size=MB "$(image mount "$container")" | cut -f 1)
  echo "the image: $size"
  ((${size%MB} <= 250))
}

is_unprivileged () {
  [[ $(in_image id -u) == 1000 ]] && ! in_image touch /usr/share/gst-cca/written
}

# The clip has 795 frames, in which 7 people cross the line in one direction and 4 in the other.
quickstart () {
  in_image quickstart | tee "$work/said" && grep -q 'over the line path: 7 forward, 4 backward$' "$work/said" &&
    [[ $(in_image grep -c '^[0-9]' /data/components.txt) == 795 ]] &&
    in_image test -s /data/video.webm && in_image test -s /data/frame.png
}

# decodes 264|265: decodes a camera's format. Each frame gives one message.
decodes () {
  local out
  out=$(image mount "$container")/tmp
  gst-launch-1.0 -q videotestsrc num-buffers=50 ! video/x-raw,format=I420 ! "x$1enc" ! "h$1parse" ! mp4mux ! \
    filesink "location=$out/$1.mp4" &&
    in_image gst-launch-1.0 -m filesrc "location=/tmp/$1.mp4" ! decodebin ! videoconvert ! cca ! fakesink |
    tee "$work/messages" && (($(grep -c ': cca, ' "$work/messages") == 50))
}

# Without a driver or kernels, the element reports that.
has_no_driver () {
  in_image gst-launch-1.0 videotestsrc num-buffers=1 ! cudacca ! fakesink 2>&1 | tee "$work/messages"
  grep -qE 'libcuda|without CUDA' "$work/messages"
}

# wait_for COMMAND…: tries a command for a minute.
wait_for () {
  local try
  for ((try = 0; try < 60; try++)); do
    "$@" && return
    sleep 1
  done
  return 1
}

live () {
  local address page
  ! in_image health || return # as long as nothing runs
  in_image live >"$work/page.log" 2>&1 &
  jobs+=($!)
  wait_for in_image health
  cat "$work/page.log"
  in_image health | grep '"state": *"playing"' || return
  # The page requires the token, which the log shows.
  [[ $(curl -so /dev/null -w '%{http_code}' http://127.0.0.1:8090/) == 401 ]] || return
  address=$(grep -o 'http://[^ ]*token=.*' "$work/page.log") || return
  page=$(curl -fsSL -c "$work/cookies" "$address") && [[ $page == *live.js* ]]
}

# Both cameras of compose.yaml publish to its broker; here, all share this machine's network.
compose () {
  local name command
  mosquitto -c "$root/examples/container/mosquitto.conf" &
  jobs+=($!)
  wait_for mosquitto_pub -t probe -m '' || return # until it listens
  stdbuf -oL mosquitto_sub -t 'cca/#' -v >"$work/published" &
  jobs+=($!)
  for name in street lawn; do
    command=$(/usr/bin/python3 -c "import yaml; print(yaml.safe_load(open(0))['services']['$name']['command'])" \
      <"$root/examples/container/compose.yaml")
    # shellcheck disable=SC2086 # the words of a command
    in_image ${command//host=mosquitto/host=localhost} &
    jobs+=($!)
  done
  wait_for grep -q '^cca/street/.*"n-' "$work/published" && wait_for grep -q '^cca/lawn/.*"n-' "$work/published"
}

image inspect --type image docker.io/library/debian:trixie-slim >/dev/null 2>&1 || check base make_base
make_context
check collected build collected
built=(--build-context collected=container-image://localhost/gst-cca:collected)
network=(unshare --net)
check cpu build cpu
container=$(image from --pull-never localhost/gst-cca:cpu)
check small is_small
check unprivileged is_unprivileged
check quickstart quickstart
check h264 decodes 264
check h265 decodes 265
network=()
check live live
check compose compose
network=(unshare --net)
check cuda build cuda
container=$(image from --pull-never localhost/gst-cca:cuda)
check driver has_no_driver
cat "$work/small.log"

echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
