#!/bin/sh
# gst-cca: installs the packages that collect.sh put beside this script, without a network; for the Containerfile
# SPDX-License-Identifier: LGPL-2.1-or-later
set -eu

here=$(dirname "$0")
plugins=$(echo /usr/lib/*-linux-gnu)/gstreamer-1.0

if [ "${1-}" = cuda ]; then
  install -m 644 "$here"/cuda/*.so "$plugins"
  exit
fi

DEBIAN_FRONTEND=noninteractive apt-get -qy --no-install-recommends install "$here"/*.deb
install -m 644 "$here"/plugins/*.so "$plugins"
install -D -m 755 -t /usr/share/gst-cca/container "$here/entrypoint.sh"
install -m 644 "$here/vtest.webm" /usr/share/gst-cca
cp -r "$here/examples" /usr/share/gst-cca
# The examples find their downloads here, and write to the volume.
printf '#!/bin/sh\necho /usr/share/gst-cca/vtest.webm\n' >/usr/share/gst-cca/examples/fetch-media.sh
ln -s /data /usr/share/gst-cca/out
useradd --system --uid 1000 --home-dir /data gst-cca
install -d -o gst-cca /data
rm -rf /var/cache/apt /var/cache/ldconfig /var/log/* /var/lib/apt/lists/*
