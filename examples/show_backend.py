#!/usr/bin/python3
# gst-cca: prints the device of an element
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: show_backend.py ELEMENT

Lets cca, ccl, cudacca or cudaccl work on one frame and prints the backend of its property stats: the instruction set of
the CPU, or the name of the GPU. If the element cannot work here, prints its error and exits with 1."""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

TIMEOUT = 60 * Gst.SECOND


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        return 2
    Gst.init(None)
    try:
        pipeline = Gst.parse_launch(
            f"videotestsrc num-buffers=1 ! video/x-raw,format=NV12 ! {arguments[0]} name=element ! fakesink"
        )
    except GLib.Error as error:
        print(f"show_backend: {error.message}", file=sys.stderr)
        return 1

    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(TIMEOUT, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    backend = pipeline.get_by_name("element").get_property("stats").get_string("backend")
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        reason = message.parse_error()[0].message if message else "no frame came within a minute"
        print(f"show_backend: {reason}", file=sys.stderr)
        return 1
    print(backend)
    return 0


sys.exit(main(sys.argv[1:]))
