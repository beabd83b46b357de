#!/usr/bin/python3
# gst-cca: saves one frame of a video as a PNG
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: save_frame.py VIDEO SECONDS PNG"""

import sys
from pathlib import Path

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def frame_at(video, seconds):
    """Returns the frame at a time, as PNG bytes; raises RuntimeError."""
    # A URI can name any file; a string needs a UTF-8 name.
    uri = Path(video).absolute().as_uri()
    pipeline = Gst.parse_launch(f"{uri} ! decodebin ! videoconvert ! pngenc ! appsink name=sink")
    sink = pipeline.get_by_name("sink")
    try:
        pipeline.set_state(Gst.State.PAUSED)
        if pipeline.get_state(10 * Gst.SECOND)[0] != Gst.StateChangeReturn.SUCCESS:
            error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
            raise RuntimeError(error.parse_error()[0].message if error else "cannot be decoded in 10 seconds")
        pipeline.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE, int(seconds * Gst.SECOND))
        sample = sink.emit("pull-preroll")
        if sample is None:
            raise RuntimeError(f"no frame at {seconds} s")
        buffer = sample.get_buffer()
        return buffer.extract_dup(0, buffer.get_size())
    finally:
        pipeline.set_state(Gst.State.NULL)


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    Gst.init(None)
    video, seconds, png = arguments
    try:
        data = frame_at(video, float(seconds))
        with open(png, "wb") as file:
            file.write(data)
    except (OSError, RuntimeError, ValueError) as error:
        print(f"save_frame: {video}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
