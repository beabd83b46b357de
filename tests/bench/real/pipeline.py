# gst-cca: decodes clips, and runs the elements on them as a user would
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every method sees the same decoded frames at the same stream times. Wants GST_PLUGIN_PATH to name the built
plugin."""

import json
import pathlib
import resource
import tempfile

import gi
import numpy

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo  # noqa: E402

Gst.init(None)


def set_up(clip, description):
    """A pipeline that decodes the clip into what the description says. An element `zones` gets the clip's rules."""
    # Gst.parse_launch() would want spaces and quotation marks escaped.
    pipeline = Gst.parse_launch(f"filesrc name=source ! decodebin ! videoconvert ! {clip.elements}{description}")
    pipeline.get_by_name("source").set_property("location", str(clip.path))
    if zones := pipeline.get_by_name("zones"):
        zones.set_property("rules", clip.rules())
    return pipeline


def size_of(caps):
    """The width and height of frames. From GStreamer 1.26 on, Python cannot read the structure of caps as before."""
    info = GstVideo.VideoInfo.new_from_caps(caps)
    return info.width, info.height


def size(clip):
    """The width and height of a clip."""
    _, picture = next(decode(clip))
    return picture.shape[1], picture.shape[0]


def play(pipeline, clip):
    """Plays to the end and returns the seconds of CPU time. Raises RuntimeError if the pipeline fails."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        raise RuntimeError(f"{clip.name}: {message.parse_error().gerror.message}")
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def elements(cca, track):
    """Messages are off: they would need a reader, and the JSON has all that they have."""
    quiet = "post-messages=false"
    return f"cca foreground=motion {quiet} {cca} ! ccatrack {quiet} {track} ! ccazones name=zones {quiet}"


def analyse(clip, cca="", track=""):
    """The lines that ccajson writes about the frames, as dicts, with the properties given to cca and ccatrack."""
    with tempfile.TemporaryDirectory() as scratch:
        lines = pathlib.Path(scratch) / "lines"
        pipeline = set_up(clip, f"{elements(cca, track)} ! ccajson ! filesink name=sink")
        pipeline.get_by_name("sink").set_property("location", str(lines))
        play(pipeline, clip)
        return [json.loads(line) for line in lines.read_text().splitlines()]


def milliseconds(clip, n_frames, cca="", track=""):
    """CPU milliseconds a frame of the elements: those of the pipeline without those of decoding."""
    sink = "fakesink sync=false"
    seconds = play(set_up(clip, f"{elements(cca, track)} ! {sink}"), clip) - play(set_up(clip, sink), clip)
    return max(0, seconds) / n_frames * 1e3


def decode(clip):
    """Yields (stream time in seconds, picture in BGR) of each frame."""
    pipeline = set_up(clip, "video/x-raw,format=BGR ! appsink name=sink sync=false max-buffers=4")
    sink = pipeline.get_by_name("sink")
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while sample := sink.emit("pull-sample"):
            (width, height), buffer = size_of(sample.get_caps()), sample.get_buffer()
            data = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), numpy.uint8)
            rows = data.reshape(height, -1)  # BGR rows are padded to four bytes
            picture = numpy.ascontiguousarray(rows[:, : width * 3]).reshape(height, width, 3)
            yield sample.get_segment().to_stream_time(Gst.Format.TIME, buffer.pts) / Gst.SECOND, picture
        if message := pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR):
            raise RuntimeError(f"{clip.name}: {message.parse_error().gerror.message}")
    finally:
        pipeline.set_state(Gst.State.NULL)
