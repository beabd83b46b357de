#!/usr/bin/python3
# gst-cca: a traffic counter: prints each crossing of a line with the line's counts
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: traffic_counter.py RULES SOURCE..., such as: traffic_counter.py road.json v4l2src"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

TYPES = Gst.MessageType.ELEMENT | Gst.MessageType.EOS | Gst.MessageType.ERROR


def main(rules, *source):
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f"{' '.join(source)} ! videoconvert ! cca foreground=motion post-messages=false"
        " ! ccatrack post-messages=false ! ccazones name=zones ! fakesink"
    )
    pipeline.get_by_name("zones").set_property("config", rules)
    pipeline.set_state(Gst.State.PLAYING)
    while (message := pipeline.bus.timed_pop_filtered(Gst.CLOCK_TIME_NONE, TYPES)).type == Gst.MessageType.ELEMENT:
        if message.has_name("cca-event"):
            event = message.get_structure()
            seconds = event.get_value("stream-time") / Gst.SECOND
            line, forward, backward = (event.get_value(field) for field in ("rule", "n-in", "n-out"))
            print(f"{seconds:.1f} s, {line}: {forward} forward, {backward} backward", flush=True)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        raise message.parse_error().gerror


try:
    main(*sys.argv[1:])
except (GLib.Error, TypeError) as error:
    sys.exit(f"traffic_counter: {error}")
