# gst-cca: the metrics of the live page's server, for Prometheus
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Defines the metrics and takes them from the lines; prometheus_client stores and writes them."""

import time
from collections import Counter

from gi.repository import Gst
from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

# Seconds; at 25 frames a second a frame takes 0.04.
BUCKETS = (0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.2, 0.5, 1, 2, 5)
# States of ccacamera.
CAMERA_STATES = ("well", "covered", "blinded", "defocused", "moved", "frozen", "dark", "lost")


def version():
    """The version of the elements."""
    plugin = Gst.Registry.get().find_plugin("cca")
    return plugin.get_version() if plugin else "unknown"


class Metrics(Collector):
    """Collects values from lines, for prometheus_client. All calls are in the server's thread."""

    def __init__(self, live, camera, element, device):
        self._live, self._camera = live, camera
        self._build = {"version": version(), "element": element, "device": device}
        self._start = time.monotonic()
        self._state, self._losses = "opening", 0
        self._frames, self._last_frame = 0, None
        self._second, self._rate = 0, 0  # frames of this second, and of the last one
        self._events = Counter()  # by rule and type
        self._line = {}
        self._registry = CollectorRegistry()
        self._latency = Histogram(
            "gstcca_latency_seconds",
            "Time from a frame's arrival to its results.",
            ["camera"],
            buckets=BUCKETS,
            registry=self._registry,
        ).labels(camera)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def add_line(self, line, latency):
        """A frame's results have come."""
        self._frames += 1
        self._second += 1
        self._last_frame = time.monotonic()
        # Not the tracks, which are many.
        self._line = {name: line[name] for name in ("utc", "n-tracks", "counts") if name in line}
        for event in line.get("events", []):
            self._events[event["rule"], event["type"]] += 1
        if latency is not None:
            self._latency.observe(latency)

    def set_state(self, state):
        self._state = state
        self._losses += state == "lost"

    def end_second(self):
        self._second, self._rate = 0, self._second

    def summary(self):
        """Returns the measured members of the API's health."""
        age = None if self._last_frame is None else round(time.monotonic() - self._last_frame, 3)
        return {
            "version": self._build["version"],
            "camera-state": self._live.camera_state,
            "uptime": round(time.monotonic() - self._start, 3),
            "frames": self._frames,
            "frames-dropped": self._live.arrivals.dropped,
            "frames-per-second": self._rate,
            "last-frame-age": age,
        }

    def counts(self):
        """Returns the API's counts; None before the first frame."""
        if not self._frames:
            return None
        named = {"camera": self._camera, "utc": self._line.get("utc")}
        counts = [{name: value for name, value in rule.items() if name != "points"} for rule in self._rules()]
        return {**named, "objects": self._line.get("n-tracks", 0), "counts": counts}

    def expose(self, accept):
        """Returns the metrics and their type, in a format that a request accepts."""
        encode, kind = choose_encoder(accept)
        return encode(self._registry), kind

    def _rules(self, kind=None):
        return [rule for rule in self._line.get("counts", []) if kind in (None, rule["type"])]

    def _family(self, family, name, text, values, labels=()):
        """Returns a metric family from pairs of a value and its labels besides the camera."""
        made = family(f"gstcca_{name}", text, labels=["camera", *labels])
        for label_values, value in values:
            made.add_metric([self._camera, *label_values], value)
        return made

    def _counter(self, *arguments, **more):
        return self._family(CounterMetricFamily, *arguments, **more)

    def _gauge(self, *arguments, **more):
        return self._family(GaugeMetricFamily, *arguments, **more)

    def _measure(self, name, text, member, kind=None):
        known = [([rule["name"]], rule[member]) for rule in self._rules(kind) if member in rule]
        return self._gauge(name, text, known, labels=["rule"])

    def collect(self):
        arrivals, lines, zones = self._live.arrivals, self._rules("line"), self._rules("zone")
        build = GaugeMetricFamily(
            "gstcca_build_info", "The software and what it works on; 1.", labels=list(self._build)
        )
        build.add_metric(list(self._build.values()), 1)
        yield build
        yield self._gauge("up", "Whether the source plays.", [([], int(self._state == "playing"))])
        now = self._live.camera_state
        states = [([state], int(state == now)) for state in CAMERA_STATES] if now else []
        yield self._gauge(
            "camera_state", "1 for the state that the camera is in, 0 for the others.", states, labels=["state"]
        )
        yield self._counter("source_losses", "How often the source was lost.", [([], self._losses)])
        yield self._counter("frames_received", "Frames that came from the source.", [([], arrivals.received)])
        yield self._counter("frames", "Frames that were analysed.", [([], self._frames)])
        yield self._counter(
            "frames_dropped", "Frames that were not analysed, for want of time.", [([], arrivals.dropped)]
        )
        yield self._gauge("frames_per_second", "Frames analysed in the last second.", [([], self._rate)])
        yield self._gauge("queue_frames", "Frames that wait or are being analysed.", [([], len(arrivals))])
        yield self._gauge("objects", "Objects in view.", [([], self._line.get("n-tracks", 0))])
        yield self._gauge("viewers", "Browsers that show the page.", [([], len(self._live.viewers))])
        crossings = [
            ([line["name"], way], line[member])
            for line in lines
            for way, member in (("forward", "n-in"), ("backward", "n-out"))
        ]
        yield self._counter("line_crossings", "Objects that crossed a line.", crossings, labels=["line", "direction"])
        for name, text, member in (
            ("zone_entries", "Objects that entered a zone.", "n-in"),
            ("zone_exits", "Objects that left a zone.", "n-out"),
        ):
            yield self._counter(name, text, [([zone["name"]], zone[member]) for zone in zones], labels=["zone"])
        occupancy = [([zone["name"]], zone["occupancy"]) for zone in zones]
        yield self._gauge("zone_occupancy", "Objects inside a zone.", occupancy, labels=["zone"])
        queues = [([zone["name"]], zone["queue"]) for zone in zones if "queue" in zone]
        yield self._gauge("zone_queue_objects", "Objects that wait in a zone.", queues, labels=["zone"])
        yield self._measure("speed_meters_per_second", "Mean speed at a line or in a zone.", "speed")
        # Drops rules that were deleted or renamed.
        names = {rule["name"] for rule in self._rules()}
        events = [(key, value) for key, value in sorted(self._events.items()) if key[0] in names]
        self._events = Counter(dict(events))
        yield self._counter("events", "Events of rules.", events, labels=["rule", "type"])
