#!/usr/bin/env bash
# gst-cca: collects everything that the image installs in a folder, so that building the image needs no network
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: examples/container/collect.sh [--cuda yes|no] DIR

For a Debian 13 of its own, in which it installs what it needs: the first stage of the Containerfile. Puts into DIR the
packages of the tree and those of Debian that they need, some plugins, a clip and the programs. Takes the tree's
packages from examples/container/packages/ if they are there, such as those of tests/packages.sh, and else builds them.

  --cuda yes  builds the packages with the CUDA backend; fetches nvcc from PyPI if it is missing
USAGE
}

fail () { echo "collect: $1" >&2; exit "${2:-1}"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cuda=no out=''
while (($#)); do
  case $1 in
    --cuda) cuda=${2:?--cuda needs yes or no}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "collect: unknown option: $1" >&2; usage >&2; exit 2 ;;
    *) out=$1 ;;
  esac
  shift
done
[[ -n $out && ! -e $out ]] || fail "DIR must be a new folder: '$out'" 2
[[ $cuda == yes || $cuda == no ]] || fail "--cuda is $cuda; it can be yes or no" 2

# Packages of the image beside the dependencies of the tree's packages.
packages=(
  gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-tools fonts-dejavu-core
  libopenh264-8 libde265-0 python3-gi gir1.2-gstreamer-1.0 python3-aiohttp python3-prometheus-client
)
# H.264 and H.265 from gstreamer1.0-plugins-bad, which as a whole needs 400 MB of other packages.
plugins=(libgstopenh264.so libgstde265.so libgstvideoparsersbad.so)
cuda_plugins=(libgstnvcodec.so)

export DEBIAN_FRONTEND=noninteractive
mkdir -p "$out/partial" "$out/plugins" "$out/cuda"
cp /var/lib/dpkg/status "$out/status" # what the image has before
apt-get -q update

if ! compgen -G "$root/examples/container/packages/*.deb" >/dev/null; then
  apt-get -qy install --no-install-recommends build-essential python3-pip
  (cd "$root" && apt-get -qy build-dep --no-install-recommends ./)
  if [[ $cuda == yes ]]; then
    python3 -m pip install -q --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
      --target /opt/cuda -r "$root/examples/cuda-toolkit.txt"
    ln -sfn /opt/cuda/nvidia/cu13 /usr/local/cuda
  else
    export DEB_BUILD_PROFILES=pkg.gst-cca.nocuda
  fi
  cp -r "$root" /tmp/gst-cca
  (cd /tmp/gst-cca && dpkg-buildpackage -us -uc -b)
  mkdir -p "$root/examples/container/packages"
  mv /tmp/*.deb "$root/examples/container/packages"
fi
for name in libcca0 libgstcca-1.0-0 gstreamer1.0-cca gstreamer1.0-cca-broker gst-cca-tools; do
  cp "$root/examples/container/packages/$name"_*.deb "$out"
done

apt-get -qy -o "Dir::State::status=$out/status" -o "Dir::Cache::archives=$out" install --download-only \
  --no-install-recommends "$out"/*.deb "${packages[@]}"
rm -rf "$out/partial" "$out/lock" "$out/status"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
(cd "$work" && apt-get -q -o APT::Sandbox::User=root download gstreamer1.0-plugins-bad)
dpkg-deb -x "$work"/*.deb "$work/bad"
for plugin in "${plugins[@]}"; do cp "$work"/bad/usr/lib/*/gstreamer-1.0/"$plugin" "$out/plugins"; done
for plugin in "${cuda_plugins[@]}"; do cp "$work"/bad/usr/lib/*/gstreamer-1.0/"$plugin" "$out/cuda"; done

# Only libav, which needs 200 MB, decodes the clip's format; as VP8 the clip gives the same counts.
apt-get -qy install --no-install-recommends gstreamer1.0-tools gstreamer1.0-plugins-good gstreamer1.0-libav
clip=$("$root/examples/fetch-media.sh" vtest.avi)
gst-launch-1.0 -q filesrc location="$clip" ! decodebin ! videoconvert ! vp8enc deadline=1 cpu-used=4 end-usage=cq \
  cq-level=16 min-quantizer=4 max-quantizer=16 target-bitrate=12000000 ! webmmux ! filesink "location=$out/vtest.webm"

cp -r "$root/examples" "$out/examples"
rm -rf "$out/examples/container"
cp "$root/examples/container/entrypoint.sh" "$root/examples/container/install.sh" "$out"
