#!/usr/bin/env python3
# gst-cca: runs ccl foreground=motion on a scene as a user would
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: element.py SCENE MASKS [PROPERTY=VALUE...]

Writes the masks of `ccl foreground=motion output=mask`, a byte a pixel, and prints the milliseconds a frame of its
`stats`. Wants GST_PLUGIN_PATH to name the built plugin.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import score  # noqa: E402


def run(scene, masks, settings=""):
    """Runs the element on a scene and returns its milliseconds a frame. Raises RuntimeError if the pipeline fails."""
    Gst.init(None)
    info = score.read_info(scene)
    pipeline = Gst.parse_launch(
        f"filesrc location={scene}/video.yuv ! rawvideoparse format=i420 width={info['width']}"
        f" height={info['height']} framerate={info['fps']}/1"
        f" ! ccl name=element foreground=motion output=mask post-messages=false emit=0 {settings}"
        f" ! video/x-raw,format=GRAY8 ! videoconvert ! filesink location={masks}"
    )
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    stats = pipeline.get_by_name("element").get_property("stats")
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        raise RuntimeError(f"ccl {settings} on {scene}: {message.parse_error().gerror.message}")
    stages = ("foreground-time", "cleanup-time", "label-time", "components-time", "output-time")
    return sum(stats.get_value(stage) for stage in stages) / 1e6


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print(f"{run(sys.argv[1], sys.argv[2], ' '.join(sys.argv[3:])):.2f}")
