#!/usr/bin/python3
# gst-cca: reads the meta of each frame at an appsink, through GObject introspection
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: read_meta.py [PIPELINE]

PIPELINE ends in an element that attaches the meta; default: a test pattern through cca. Prints each frame's components.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstCca  # noqa: E402

DEFAULT = "videotestsrc num-buffers=10 pattern=ball ! cca"


def print_components(buffer):
    meta = GstCca.buffer_get_cca_meta(buffer)
    if meta is None:
        print("no meta")
        return
    seconds = buffer.pts / Gst.SECOND
    print(f"{seconds:.3f} s, {meta.width} x {meta.height}: {meta.n_components} components")
    for c in meta.get_components():
        print(
            f"  {c.label}: {c.width} x {c.height} at ({c.x}, {c.y}), {c.area} pixels,"
            f" centroid ({c.centroid_x:.2f}, {c.centroid_y:.2f})"
        )


def main(arguments):
    Gst.init(None)
    try:
        pipeline = Gst.parse_launch(f"{' '.join(arguments) or DEFAULT} ! appsink name=sink sync=false")
    except GLib.Error as error:
        print(f"read_meta: {error.message}", file=sys.stderr)
        return 2
    except UnicodeEncodeError as error:
        print(f"read_meta: not UTF-8: {error.object!a}; name the file by a URI, file:///…", file=sys.stderr)
        return 2

    sink = pipeline.get_by_name("sink")
    bus = pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    while (failure := bus.pop_filtered(Gst.MessageType.ERROR)) is None and not sink.get_property("eos"):
        sample = sink.emit("try-pull-sample", 100 * Gst.MSECOND)
        if sample is not None:
            print_components(sample.get_buffer())
    if failure is not None:
        print(f"read_meta: {failure.parse_error()[0].message}", file=sys.stderr)
    pipeline.set_state(Gst.State.NULL)
    return 0 if failure is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
