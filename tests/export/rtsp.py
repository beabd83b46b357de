# gst-cca: a camera in the network, for tests
# SPDX-License-Identifier: LGPL-2.1-or-later

import subprocess
import sys

PROGRAM = """
import gi, sys
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer
Gst.init(None)
server = GstRtspServer.RTSPServer(address="127.0.0.1", service=sys.argv[1])
factory = GstRtspServer.RTSPMediaFactory(shared=True)
factory.set_launch(sys.argv[2])
server.get_mount_points().add_factory("/gate", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
"""


class Unavailable(Exception):
    """There is no RTSP server here; the text says why."""


class Camera:
    """A context manager: an RTSP server of a pipeline, at rtsp://127.0.0.1:PORT/gate; port 0 = one that is free."""

    def __init__(self, pipeline, port=0):
        command = [sys.executable, "-c", PROGRAM, str(port), f"( {pipeline} )"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        line = self._process.stdout.readline()
        if not line:
            raise Unavailable(self._process.communicate()[1].strip().splitlines()[-1])
        self.port = int(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """Goes away without a word; may be called again."""
        self._process.kill()
        self._process.communicate()
