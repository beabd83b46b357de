#!/usr/bin/python3
# gst-cca: records a camera while something moves, and the seconds before
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes a file for each event: from some seconds before the motion-on of a zone of ccazones to some seconds
after its motion-off. H.264 and H.265 are copied; other video is encoded once."""

import argparse
import json
import re
import signal
import sys
import threading
from collections import deque
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import GLib, Gst, GstApp  # noqa: E402, F401

import sources  # noqa: E402

RULES = '{"zones": [{"name": "anywhere", "motion": {"on": 0.5, "off": 5}}]}'
ANALYSIS = "foreground=motion post-messages=false"
# Parsers that give one whole frame per buffer and headers in the caps.
PARSERS = {
    "video/x-h264": "h264parse ! video/x-h264,stream-format=avc,alignment=au",
    "video/x-h265": "h265parse ! video/x-h265,stream-format=hvc1,alignment=au",
}
KEY_FRAMES = 50  # most frames between key frames, if we encode
ENCODERS = {
    "x264enc": f"x264enc tune=zerolatency speed-preset=veryfast key-int-max={KEY_FRAMES} ! {PARSERS['video/x-h264']}",
    "openh264enc": f"openh264enc gop-size={KEY_FRAMES} ! {PARSERS['video/x-h264']}",
    "vp8enc": f"vp8enc deadline=1 cpu-used=8 keyframe-max-dist={KEY_FRAMES}",
}
QUEUE = "queue max-size-buffers=8 max-size-bytes=0 max-size-time=0"
# If the analysis is slower than the camera, it skips frames; the recording does not.
LEAKY_QUEUE = "queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0"
LONGEST_STEP = 10 * Gst.SECOND  # between two frames; more is a wrong time stamp, or a gap
BACK = Gst.SECOND  # time stamps that go back by this start a new stream
REORDERED = Gst.SECOND // 2  # most time by which a frame after a key frame is shown before it
MAX_WAITING = 256 << 20  # bytes that wait for a slow disk
CAMERA = r"[\w .+-]{1,64}"  # prefix of a file name, valid on every file system


class Frame(NamedTuple):
    """A coded frame."""

    time: int  # running time, ns
    is_key: bool
    buffer: Gst.Buffer
    caps: Gst.Caps


class Group(NamedTuple):
    """A key frame and the frames that need it."""

    first: int  # index of the key frame in the stream
    frames: list

    @property
    def time(self):
        return self.frames[0].time

    @property
    def end(self):
        return self.first + len(self.frames)


class Recorder:
    """Decides which frames belong into a file: those from the last key frame that is `before` older than motion-on to
    the first key frame that is more than `after` younger than motion-off.

    Keeps the coded frames that an event could still need. An event that would need frames of the file before continues
    that file, so that no frame is in two files, and none between them is missing. open_file (caps, time) returns an
    object with write (frame, start) and close (). The methods may be called from any thread, and the analysis may be
    behind the coded frames or ahead of them.

    Motion that lasts longer than `limit` counts as ended, because a motion-off that never comes must not fill the disk;
    on_limit () is called then. If time stamps go back, the file ends; if something moves, another begins."""

    def __init__(self, before, after, open_file, limit=None, on_limit=None):
        self._before, self._after, self._open = before, after, open_file
        self._limit, self._on_limit = limit, on_limit
        self._moved_for = self._last_line = self._last_frame = 0
        self._groups = deque()
        self._moving = set()  # names of rules
        self._since = None  # start of a file that is not open yet
        self._until = 0  # end of the file, as known so far; None = end of the stream
        self._file = None
        self._start = 0  # time of the file's first frame
        self._next = 0  # index of the next frame for the file
        self._caps = None  # the file's
        self._lock = threading.Lock()

    def add_frame(self, frame):
        """Takes the next coded frame, in the order of decoding."""
        with self._lock:
            if frame.time < self._last_frame - BACK:
                self._close()
                self._groups.clear()
                self._next = 0
                if self._moving:
                    self._since = frame.time - self._before
            self._last_frame = frame.time
            if frame.is_key:
                self._groups.append(Group(self._groups[-1].end if self._groups else 0, []))
            if self._groups:
                self._groups[-1].frames.append(frame)
                self._write()

    def add_line(self, line):
        """Takes the results of the next frame."""
        with self._lock:
            time, was_moving = line["running-time"], bool(self._moving)
            if time < self._last_line - BACK:
                self._until = time + self._after
                if self._since is not None or (was_moving and not self._file):
                    self._since = time - self._before
            # In steps, because a single wrong time stamp must not end a motion.
            self._moved_for += min(max(time - self._last_line, 0), LONGEST_STEP)
            self._last_line = time
            for event in line.get("events", []):
                if event["type"] == "motion-on":
                    if not self._moving:
                        self._moved_for = 0
                    self._moving.add(event["rule"])
                    if not self._file and self._since is None:
                        self._since = time - self._before
                elif event["type"] == "motion-off":
                    self._moving.discard(event["rule"])
            if was_moving or self._moving:
                self._until = time + self._after
            if self._moving and self._limit is not None and self._moved_for > self._limit:
                self._moving.clear()
                self._on_limit()
            self._write()
            self._forget(time - self._before)

    def end(self):
        """Ends the stream; no frames may follow."""
        with self._lock:
            if self._since is not None and self._groups:
                self._begin()
            if self._moving:
                self._until = None
            self._write()
            self._close()

    def _begin(self):
        group = self._groups[0]
        for later in self._groups:
            if later.time <= self._since:
                group = later
        self._since = None
        self._start_file(group.frames[0], group.first)

    def _start_file(self, frame, number):
        self._file = self._open(frame.caps, frame.time)
        self._start, self._next, self._caps = frame.time, number, frame.caps

    def _write(self):
        # Before a later frame has come, a later key frame may still be early enough.
        if self._since is not None and self._groups and self._groups[-1].frames[-1].time > self._since:
            self._begin()
        if not self._file:
            return
        for group in self._groups:
            for number, frame in enumerate(group.frames, start=group.first):
                if number < self._next:
                    continue
                if frame.is_key and self._until is not None and frame.time > self._until:
                    return
                if frame.is_key and not frame.caps.is_equal(self._caps):
                    self._close()  # a file has one format
                    self._start_file(frame, number)
                self._file.write(frame, self._start)
                self._next = number + 1

    def _forget(self, time):
        """Drops frames that only an event before this time would need."""
        while len(self._groups) > 1 and self._groups[1].time <= time:
            if self._next < self._groups[0].end:
                self._close()
            self._groups.popleft()

    def _close(self):
        if self._file:
            self._file.close()
            self._file = None


class File:
    """A file, or several if it grows longer than `longest`, by splitmuxsink. It is finished in the background."""

    def __init__(self, location, caps, longest, on_done):
        self.location, self._on_done = location, on_done
        self._frames, self._last = 0, 0
        self._pipeline = Gst.parse_launch(
            f"appsrc name=frames format=time block=true max-bytes={MAX_WAITING} ! splitmuxsink name=sink"
            ' muxer-factory=matroskamux muxer-properties="properties,offset-to-zero=(boolean)true"'
        )
        self._source = self._pipeline.get_by_name("frames")
        self._source.set_property("caps", caps)
        sink = self._pipeline.get_by_name("sink")
        sink.set_property("location", f"{str(location).replace('%', '%%')}-%02d.mkv")
        sink.set_property("max-size-time", longest)
        self._pipeline.set_state(Gst.State.PLAYING)
        self._finishing = threading.Thread(target=self._finish)
        self._finishing.start()

    def write(self, frame, start):
        parts = Gst.BufferCopyFlags.FLAGS | Gst.BufferCopyFlags.TIMESTAMPS | Gst.BufferCopyFlags.MEMORY
        buffer = frame.buffer.copy_region(parts, 0, frame.buffer.get_size())
        shift = frame.time - start - buffer.pts
        buffer.pts += shift
        if buffer.dts != Gst.CLOCK_TIME_NONE:
            buffer.dts = max(buffer.dts + shift, 0)
        self._source.emit("push-buffer", buffer)
        self._frames += 1
        self._last = max(self._last, frame.time - start)

    def close(self):
        self._source.emit("end-of-stream")

    def wait(self):
        self._finishing.join()

    def _finish(self):
        bus = self._pipeline.get_bus()
        message = bus.timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        self._pipeline.set_state(Gst.State.NULL)
        failure = message.parse_error()[0].message if message.type == Gst.MessageType.ERROR else None
        self._on_done(self, self._frames, self._last / Gst.SECOND, failure)


class Camera:
    """The pipeline: a source, its analysis, and the coded frames, which go to a recorder."""

    def __init__(self, options):
        self._options = options
        self._is_live = "://" in options.source or options.source.startswith("v4l2:")
        self._utc = datetime.now(timezone.utc).timestamp()  # of running time 0
        self._files = []
        self._linked = self._is_stopped = self.failed = False
        before, after = (int(seconds * Gst.SECOND) for seconds in (options.before, options.after))
        self._recorder = Recorder(
            before, after + REORDERED, self._open, int(options.limit * 60 * Gst.SECOND), self._report_limit
        )
        self._pipeline = Gst.Pipeline.new()
        if options.source.startswith("v4l2:"):
            source = "v4l2src name=source ! decodebin name=last"
            name, value = "device", options.source.removeprefix("v4l2:")
        elif self._is_live:
            source = "rtspsrc name=source latency=200 ! application/x-rtp,media=video ! parsebin name=last"
            name, value = "location", options.source
        else:
            source, name, value = "filesrc name=source ! parsebin name=last", "location", options.source
        made = Gst.parse_bin_from_description(source, False)
        made.get_by_name("source").set_property(name, value)
        made.get_by_name("last").connect("pad-added", self._link)
        self._source = made
        self._pipeline.add(made)

    def run(self):
        """Records until the stream ends. Returns why it failed, or None."""
        self._pipeline.set_state(Gst.State.PLAYING)
        bus, types = self._pipeline.get_bus(), Gst.MessageType.EOS | Gst.MessageType.ERROR
        # Wakes up regularly, so that Python can call its signal handlers.
        while not (message := bus.timed_pop_filtered(200 * Gst.MSECOND, types)):
            pass
        self._recorder.end()
        for file in self._files:
            file.wait()
        self._pipeline.set_state(Gst.State.NULL)
        if message.type == Gst.MessageType.ERROR:
            return message.parse_error()[0].message
        if self._is_live and not self._is_stopped:
            return "the camera has ended the stream"
        return None if self._linked else "there is no video in it"

    def end(self, number, _):
        """Ends the stream cleanly; a second signal stops at once."""
        signal.signal(number, signal.SIG_DFL)
        self._is_stopped = True
        self._pipeline.send_event(Gst.Event.new_eos())

    def _link(self, _, pad):
        """Links the first video: coded as it is, or decoded, analysed and then coded."""
        caps = pad.get_current_caps() or pad.query_caps(None)
        media = re.split("[,(;]", caps.to_string(), maxsplit=1)[0]
        if self._linked or not media.startswith(("video/", "image/")):
            bin = Gst.parse_bin_from_description("fakesink name=first sync=false async=false", False)
        else:
            self._linked = True
            bin = Gst.parse_bin_from_description(f"identity name=first ! {self._describe(media)}", False)
            bin.get_by_name("zones").set_property(
                "config" if self._options.rules else "rules", self._options.rules or RULES
            )
            bin.get_by_name("json").set_property("camera", self._options.camera)
            bin.get_by_name("lines").connect("new-sample", self._on_line)
            bin.get_by_name("frames").connect("new-sample", self._on_frame)
        for element, inner in ((self._source, pad), (bin, bin.get_by_name("first").get_static_pad("sink"))):
            outer = Gst.GhostPad.new(f"video_{element.numpads}", inner)
            outer.set_active(True)
            element.add_pad(outer)
        self._pipeline.add(bin)
        bin.sync_state_with_parent()
        self._source.pads[-1].link(bin.pads[0])

    def _describe(self, media):
        room = LEAKY_QUEUE if self._is_live else QUEUE
        analysis = (
            f"{room} ! videoconvert ! {self._options.element} {ANALYSIS} ! ccatrack post-messages=false"
            " ! ccazones name=zones post-messages=false ! ccajson name=json parts=events"
            " ! appsink name=lines emit-signals=true sync=false"
        )
        frames = "appsink name=frames emit-signals=true sync=false"
        if media in PARSERS:
            return f"{PARSERS[media]} ! tee name=t  t. ! {QUEUE} ! {frames}  t. ! queue ! decodebin ! {analysis}"
        encoder = next(text for name, text in ENCODERS.items() if Gst.ElementFactory.find(name))
        decode = "" if media == "video/x-raw" else "decodebin ! "
        return f"{decode}tee name=t  t. ! {QUEUE} ! videoconvert ! {encoder} ! {frames}  t. ! {analysis}"

    def _on_frame(self, sink):
        sample = sink.emit("pull-sample")
        buffer, segment = sample.get_buffer(), sample.get_segment()
        time = segment.to_running_time(Gst.Format.TIME, buffer.pts)
        is_key = not buffer.has_flags(Gst.BufferFlags.DELTA_UNIT)
        self._recorder.add_frame(Frame(time, is_key, buffer, sample.get_caps()))
        return Gst.FlowReturn.OK

    def _on_line(self, sink):
        buffer = sink.emit("pull-sample").get_buffer()
        line = json.loads(buffer.extract_dup(0, buffer.get_size()))
        if "utc" in line:
            self._utc = datetime.fromisoformat(line["utc"]).timestamp() - line["running-time"] / Gst.SECOND
        self._recorder.add_line(line)
        return Gst.FlowReturn.OK

    def _open(self, caps, time):
        begin = datetime.fromtimestamp(self._utc + time / Gst.SECOND, timezone.utc)
        name = f"{self._options.camera}-{begin:%Y-%m-%dT%H.%M.%S}.{begin.microsecond // 1000:03}Z"
        longest = int(self._options.longest * 60 * Gst.SECOND)
        self._files.append(File(self._options.output / name, caps, longest, self._report))
        return self._files[-1]

    def _report_limit(self):
        print(
            f"record_events: motion for more than {self._options.limit:g} minutes: the recording ends;"
            " --limit allows more",
            file=sys.stderr,
            flush=True,
        )

    def _report(self, file, frames, seconds, failure):
        if failure:
            self.failed = True
            print(f"record_events: {file.location}: {failure}", file=sys.stderr, flush=True)
        else:
            print(f"{file.location}-00.mkv\t{frames} frames\t{seconds:.2f} s", flush=True)


def seconds(text):
    """Parses a time option: not negative, at most a day."""
    if not 0 <= float(text) <= 86400:  # nor NaN
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 86400")
    return float(text)


def positive(text):
    if not 0 < float(text) <= 86400:
        raise argparse.ArgumentTypeError(f"{text} is not positive, or more than 86400")
    return float(text)


def main(arguments):
    parser = argparse.ArgumentParser(prog="record_events.py", description=__doc__)
    parser.add_argument("source", metavar="SOURCE", help="a video file, rtsp://… or v4l2:/dev/video0")
    parser.add_argument("output", metavar="DIR", type=Path, help="the folder of the files")
    parser.add_argument("--rules", metavar="FILE", help="rules of ccazones with `motion`; default: anything that moves")
    parser.add_argument("--before", metavar="SECONDS", type=seconds, default=5, help="before motion-on; default: 5")
    parser.add_argument("--after", metavar="SECONDS", type=seconds, default=5, help="after motion-off; default: 5")
    parser.add_argument("--longest", metavar="MINUTES", type=positive, default=30, help="a file; default: 30")
    parser.add_argument(
        "--limit",
        metavar="MINUTES",
        type=positive,
        default=120,
        help="an event, if motion-off does not come; default: 120",
    )
    parser.add_argument("--camera", metavar="NAME", default="camera", help="begins the names of files")
    parser.add_argument("--element", choices=["cca", "cudacca"], default="cca", help="default: cca")
    options = parser.parse_args(arguments)
    if not re.fullmatch(CAMERA, options.camera):
        parser.error(
            "--camera: a name has 1 to 64 letters, digits, spaces and ._+-, because it begins the names of files"
        )
    Gst.init(None)
    for element in (options.element, "ccatrack", "ccazones", "ccajson", "splitmuxsink"):
        if not Gst.ElementFactory.find(element):
            parser.error(f"there is no element {element}: is GST_PLUGIN_PATH set?")
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        camera = Camera(options)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, camera.end)
        failure = camera.run()
    except (GLib.Error, OSError) as error:
        failure = str(error)
    if failure:
        shown, failure = sources.name_of(options.source), sources.hide(failure, options.source)
        print(f"record_events: {shown}: {failure}", file=sys.stderr)
    return 1 if failure or camera.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
