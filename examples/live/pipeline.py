# gst-cca: the live page's pipeline: a source, its analysis, and of each frame the line of JSON and the JPEG
# SPDX-License-Identifier: LGPL-2.1-or-later

import re
import sys
import threading
import time
from collections import OrderedDict, deque
from pathlib import Path

from gi.repository import GLib, Gst

sys.path.append(str(Path(__file__).resolve().parents[1]))
import sources  # noqa: E402

ANALYSIS = "foreground=motion post-messages=false"
SHORT_QUEUE = "queue max-size-buffers=4 max-size-bytes=0 max-size-time=0"
# If the analysis is slower than a live source, drop frames before it, not after it: the page shows the present.
LIVE_QUEUE = "queue name=arrival leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0"
MAX_WIDTH = 1280  # of the pictures
MAX_HALVES = 64  # frames with only a line or only a picture yet
SILENCE = 15  # seconds without a frame until a live source counts as lost
LONGEST_PAUSE = 30  # seconds between two tries


class Source:
    """A source: a file, rtsp://… or v4l2:/dev/video0. Raises ValueError for anything else."""

    def __init__(self, text):
        self._text = text
        self.settings = {}
        self.is_live = True
        self.shown = sources.name_of(text)
        if text.startswith("v4l2:"):
            device = text.removeprefix("v4l2:")
            if not Path(device).is_char_device():
                raise ValueError(f"no such camera: {device}")
            self.name = Path(device).name
            self.settings = {"device": device}
            self.description = f"v4l2src name=source ! decodebin ! {LIVE_QUEUE}"
        elif re.match(r"rtsps?://", text, re.IGNORECASE):
            if re.match(r"[^/]*//([^/]*@)?(:\d*)?(/|$)", text):
                raise ValueError(f"no camera's address: {self.shown}")
            host = sources.host_of(text) or "camera"
            self.name = re.sub(r":\d+$", "", host).strip("[]")
            self.settings = {"location": text}
            self.description = (
                f"rtspsrc name=source latency=200 ! application/x-rtp,media=video ! decodebin ! {LIVE_QUEUE}"
            )
        else:
            file = Path(text)
            if not file.is_file():
                raise ValueError(f"no such file: {self.shown}")
            self.name = file.stem
            self.shown = file.name
            self.settings = {"uri": file.absolute().as_uri()}
            self.is_live = False
            self.description = "uridecodebin name=source ! clocksync name=arrival"

    def hide(self, text):
        """Returns an error without the secrets of the source."""
        return sources.hide(text, self._text)


class Arrivals:
    """The frames between the source and their line. Any thread."""

    def __init__(self):
        self._lock = threading.Lock()
        self._waiting = deque()  # time stamp, and time of arrival
        self.received = self.dropped = 0

    def __len__(self):
        return len(self._waiting)

    def add(self, time_stamp):
        with self._lock:
            self._waiting.append((time_stamp, time.monotonic()))
            self.received += 1

    def take(self, time_stamp):
        """Ends a frame whose line has come. Returns its latency in seconds, or None for an unknown frame. Forgets the
        frames before it, which were dropped."""
        with self._lock:
            place = next((n for n, (other, _) in enumerate(self._waiting) if other == time_stamp), None)
            if place is None:
                return None
            for _ in range(place):
                self._waiting.popleft()
            self.dropped += place
            return time.monotonic() - self._waiting.popleft()[1]

    def forget(self):
        """The stream begins anew."""
        with self._lock:
            self._waiting.clear()


class Pipeline(threading.Thread):
    """Plays a source for ever: a file again and again, in its own time; a camera that is lost is tried again.

    on_line (line, latency), on_frame (line, picture) and on_state (state, text) are called from the pipeline's threads.
    Latency is in seconds, from the frame's arrival to its line, or None. State is "opening", "playing", "lost", or
    "failed", after which the thread ends. Pictures are only made while wants_pictures is set, and are those of the
    line's own frame."""

    def __init__(self, source, element, camera, rules, on_line, on_frame, on_state):
        super().__init__(name="pipeline", daemon=True)
        self._source, self._element, self._camera, self._rules = source, element, camera, str(rules)
        self._on_line, self._on_frame, self._on_state = on_line, on_frame, on_state
        self._lock = threading.Lock()
        self._halves = OrderedDict()
        self.arrivals = Arrivals()
        self._pipeline = None
        self.wants_pictures = False
        self._last_frame = 0.0
        self._playing = False
        self._stopped = threading.Event()

    @property
    def camera_state(self):
        """The camera's state by ccacamera, such as "well"; None while nothing plays. Any thread."""
        pipeline = self._pipeline
        return pipeline.get_by_name("health").get_property("state").value_nick if pipeline and self._playing else None

    def reload_rules(self):
        """Makes ccazones read its file again; without a pipeline, it will when one starts."""
        with self._lock:
            if self._pipeline:
                self._pipeline.get_by_name("zones").emit("reload")

    def stop(self):
        self._stopped.set()
        with self._lock:
            if self._pipeline:
                self._pipeline.get_bus().post(Gst.Message.new_application(None, Gst.Structure.new_empty("stop")))
        if self.is_alive():
            self.join()

    def run(self):
        pause, ever_played = 1, False
        while not self._stopped.is_set():
            self._on_state("opening", self._source.shown)
            try:
                reason = self._play()
            except GLib.Error as error:  # an element is missing
                reason = self._source.hide(error.message)
            ever_played |= self._playing
            if self._stopped.is_set():
                return
            if not self._source.is_live and not ever_played:
                self._on_state("failed", reason)
                return
            pause = 1 if self._playing else min(2 * pause, LONGEST_PAUSE)
            self._on_state("lost", f"{reason}; trying again in {pause} s")
            self._stopped.wait(pause)

    def _build(self):
        pipeline = Gst.parse_launch(
            f"{self._source.description} ! videoconvert ! ccacamera name=health post-messages=false"
            f" ! {self._element} {ANALYSIS}"
            f" ! ccatrack post-messages=false"
            f" ! ccazones name=zones post-messages=false ! tee name=frames"
            f" frames. ! {SHORT_QUEUE} ! ccajson name=json parts=tracks+events+counts+points"
            f" ! appsink name=lines emit-signals=true sync=false async=false"
            f" frames. ! {SHORT_QUEUE} name=camera ! videoconvertscale"
            f" ! video/x-raw,width=(int)[1,{MAX_WIDTH}],pixel-aspect-ratio=1/1 ! jpegenc quality=80"
            f" ! appsink name=pictures emit-signals=true sync=false async=false"
        )
        source = pipeline.get_by_name("source")
        for name, value in self._source.settings.items():
            source.set_property(name, value)
        pipeline.get_by_name("json").set_property("camera", self._camera)
        pipeline.get_by_name("zones").set_property("config", self._rules)
        # A valve would also block the flush to the appsink when the file restarts.
        pipeline.get_by_name("camera").get_static_pad("sink").add_probe(
            Gst.PadProbeType.BUFFER,
            lambda *_: Gst.PadProbeReturn.OK if self.wants_pictures else Gst.PadProbeReturn.DROP,
        )
        # Before the queue that drops a camera's frames, and after the element that plays a file in real time.
        arrival = pipeline.get_by_name("arrival").get_static_pad("sink" if self._source.is_live else "src")
        arrival.add_probe(Gst.PadProbeType.BUFFER, self._on_arrival)
        pipeline.get_by_name("lines").connect("new-sample", self._on_line_sample)
        pipeline.get_by_name("pictures").connect("new-sample", self._on_picture_sample)
        return pipeline

    def _play(self):
        """Plays until the stream ends or fails. Returns the reason."""
        self._playing, self._last_frame = False, time.monotonic()
        with self._lock:
            self._halves.clear()
            self.arrivals.forget()
            self._pipeline = self._build()
        pipeline, bus = self._pipeline, self._pipeline.get_bus()
        types = Gst.MessageType.ERROR | Gst.MessageType.EOS | Gst.MessageType.APPLICATION
        try:
            pipeline.set_state(Gst.State.PLAYING)
            while not self._stopped.is_set():
                message = bus.timed_pop_filtered(Gst.SECOND, types)
                if message is None:
                    if self._source.is_live and time.monotonic() - self._last_frame > SILENCE:
                        return f"no frame for {SILENCE} s"
                elif message.type == Gst.MessageType.ERROR:
                    return self._source.hide(message.parse_error()[0].message)
                elif message.type == Gst.MessageType.EOS:
                    if self._source.is_live or not self._playing:
                        return "the stream has ended"
                    self.arrivals.forget()
                    if not pipeline.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH, 0):
                        return "the file cannot be played from its beginning again"
            return "stopped"
        finally:
            with self._lock:
                self._pipeline = None
            pipeline.set_state(Gst.State.NULL)

    @staticmethod
    def _pull(sink):
        buffer = sink.emit("pull-sample").get_buffer()
        return buffer.pts, buffer.extract_dup(0, buffer.get_size())

    def _on_arrival(self, _, info):
        self.arrivals.add(info.get_buffer().pts)
        return Gst.PadProbeReturn.OK

    def _on_line_sample(self, sink):
        time_stamp, line = self._pull(sink)
        self._last_frame = time.monotonic()
        if not self._playing:
            self._playing = True
            self._on_state("playing", self._source.shown)
        self._on_line(line, self.arrivals.take(time_stamp))
        self._pair(time_stamp, 0, line)
        return Gst.FlowReturn.OK

    def _on_picture_sample(self, sink):
        time_stamp, picture = self._pull(sink)
        self._pair(time_stamp, 1, picture)
        return Gst.FlowReturn.OK

    def _pair(self, time_stamp, place, half):
        """Delivers a frame once it has its line and its picture."""
        with self._lock:
            halves = self._halves.setdefault(time_stamp, [None, None])
            halves[place] = half
            if None in halves:
                if len(self._halves) > MAX_HALVES:
                    self._halves.popitem(last=False)
                return
            del self._halves[time_stamp]
            self._on_frame(*halves)
