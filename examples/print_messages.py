#!/usr/bin/python3
# gst-cca: prints a line per frame and per event from the messages of cca, ccl, their CUDA twins and ccazones
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: print_messages.py PIPELINE...

Runs a pipeline, written as for gst-launch-1.0, and prints a line per frame, fields separated by tabs:
frame number, stream time in seconds, number of components, and for each component its label, box, area and centroid.
A line that begins with "event" is of a rule of ccazones: stream time in seconds, rule, what happened, track, direction,
and how many came in or crossed forward, and went out or crossed backward, so far. Ctrl-C ends the stream in good order.
"""

import re
import signal
import sys
import warnings
from pathlib import Path

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

# Gst.Structure.get_list() returns this deprecated type.
warnings.filterwarnings("ignore", message="GObject.ValueArray")


FIELDS = ("label", "x", "y", "width", "height", "area", "centroid-x", "centroid-y")


def components(structure):
    """Returns the fields of each component in a message's structure, as lists that may be kept."""
    found, array = structure.get_list("components")
    # Read the values here: the structures live only as long as the array.
    return [[array.get_nth(i).get_value(field) for field in FIELDS] for i in range(array.n_values if found else 0)]


def seconds(structure):
    time = structure.get_value("stream-time")
    return "-" if time == Gst.CLOCK_TIME_NONE else f"{time / Gst.SECOND:.3f}"


def line(frame, structure):
    words = [str(frame), seconds(structure), str(structure.get_value("n-components"))]
    for label, x, y, width, height, area, centroid_x, centroid_y in components(structure):
        words.append(f"{label} {width}x{height}+{x}+{y} {area} {centroid_x:.1f},{centroid_y:.1f}")
    return "\t".join(words)


def event_line(structure):
    kind, direction = (structure.get_value(field).value_nick for field in ("type", "direction"))
    rule, track, n_in, n_out = (structure.get_value(field) for field in ("rule", "track-id", "n-in", "n-out"))
    return "\t".join(["event", seconds(structure), rule, kind, f"#{track}", direction, str(n_in), str(n_out)])


def is_utf8(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def parse(arguments):
    """Does Gst.parse_launchv () with any file name as a location. Python passes only UTF-8 strings to GStreamer; other
    names are set as URIs after the elements are made."""
    words, uris = [], {}
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name == "location" and not is_utf8(argument):
            if quoted := re.fullmatch('"(.*)"', value, re.DOTALL):
                value = re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)
            place = f"file {len(uris)}, named below"
            uris[place] = Path(value).absolute().as_uri()
            argument = f'location="{place}"'
        words.append(argument)

    def name_file(element):
        if isinstance(element, Gst.URIHandler) and element.find_property("location"):
            if uri := uris.get(element.get_property("location")):
                element.set_uri(uri)

    pipeline = Gst.parse_launchv(words)
    if isinstance(pipeline, Gst.Bin):
        pipeline.iterate_recurse().foreach(name_file)
    return pipeline


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        return 0 if arguments else 2
    Gst.init(None)
    try:
        pipeline = parse(arguments)
    except GLib.Error as error:
        print(f"print_messages: {error.message}", file=sys.stderr)
        return 2
    except UnicodeEncodeError as error:
        print(f"print_messages: not UTF-8: {error.object!a}; a file can be named by a URI", file=sys.stderr)
        return 2

    loop = GLib.MainLoop()
    status, frame = 0, 0

    def on_message(_, message):
        nonlocal status, frame
        if message.type == Gst.MessageType.ERROR:
            error, debug = message.parse_error()
            print(f"print_messages: {message.src.get_name()}: {error.message}\n{debug}", file=sys.stderr)
            status = 1
            loop.quit()
        elif message.type == Gst.MessageType.EOS:
            loop.quit()
        elif message.type == Gst.MessageType.ELEMENT and message.has_name("cca"):
            print(line(frame, message.get_structure()))
            frame += 1
        elif message.type == Gst.MessageType.ELEMENT and message.has_name("cca-event"):
            print(event_line(message.get_structure()))

    def on_interrupt():
        pipeline.send_event(Gst.Event.new_eos())
        return GLib.SOURCE_CONTINUE

    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message", on_message)
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGINT, on_interrupt)

    print("# frame\tseconds\tcomponents\tlabel WIDTHxHEIGHT+X+Y area centroid-x,centroid-y\t...")
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
