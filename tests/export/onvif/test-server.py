#!/usr/bin/python3
# gst-cca: an RTSP client of examples/onvif_server.py gets the documents whole, in time and with all states
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-server.py; wants GST_PLUGIN_PATH of an uninstalled build."""

import datetime
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
import tap  # noqa: E402

TT = "{http://www.onvif.org/ver10/schema}"
WSNT = "{http://docs.oasis-open.org/wsn/b-2}"
RTP_HEADER = 12
NTP_TO_UNIX = 2208988800
CLOCK_RATE = 90000
# A ball that swings over a line every four seconds.
SOURCE = "videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,width=160,height=120,framerate=25/1"
ANALYSIS = "cca foreground=threshold post-messages=false"
RULES = '{"units": "relative", "lines": [{"name": "<middle>", "points": [[0.5, 0], [0.5, 1]], "anchor": "center"}]}'

try:
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError) as error:
    print("1..0 # SKIP Python cannot use GStreamer's RTSP server:", error)
    sys.exit(0)
Gst.init(None)


class Server:
    """The example as a process, while in its context."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        rules = Path(self.folder.name) / 'rules "1".json'
        rules.write_text(RULES)
        command = [ROOT / "examples/onvif_server.py", "--port", "0", "--analysis", ANALYSIS, "--rules", rules]
        self.process = subprocess.Popen(
            [*command, *self.options, *SOURCE.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("rtsp://127.0.0.1:"), self.process.communicate()
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.communicate()
        self.folder.cleanup()


class Client:
    """Reads a server's two media, by rtspsrc alone."""

    def __init__(self, address):
        self.pipeline = Gst.Pipeline()
        source = Gst.ElementFactory.make("rtspsrc")
        source.set_property("location", address)
        source.set_property("protocols", 4)  # TCP, so that no packet is lost
        source.set_property("latency", 0)
        source.connect("new-manager", self.add_manager)
        source.connect("pad-added", self.add_pad)
        self.pipeline.add(source)
        self.documents = []  # (text, RTP time)
        self.report = None  # the UTC of an RTP time, by RTCP
        self.caps = {}
        self.n_video = 0
        self.part = b""
        self.pipeline.set_state(Gst.State.PLAYING)

    def add_manager(self, source, manager):
        manager.connect("new-jitterbuffer", self.add_jitterbuffer)

    def add_jitterbuffer(self, manager, jitterbuffer, session, ssrc):
        if session == 1:  # the metadata
            jitterbuffer.connect("handle-sync", self.add_report)

    def add_report(self, jitterbuffer, structure):
        report = structure.get_value("sr-buffer")
        if not report:  # from GStreamer 1.26 on, a packet's own time is one, too
            return
        seconds, fraction, rtp = struct.unpack(">III", report.extract_dup(8, 12))
        self.report = (seconds - NTP_TO_UNIX + fraction / 2**32, rtp)

    def utc_of(self, rtp):
        """The UTC of an RTP time, by the last report."""
        utc, reported = self.report
        return utc + ((rtp - reported + 2**31) % 2**32 - 2**31) / CLOCK_RATE

    def add_pad(self, source, pad):
        caps = pad.get_current_caps().to_string()
        medium = re.search(r"media=\(string\)(\w+)", caps)[1]
        self.caps[medium] = caps
        sink = Gst.ElementFactory.make("fakesink")
        sink.set_property("async", False)
        sink.set_property("sync", False)
        self.pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.add_probe(Gst.PadProbeType.BUFFER, self.add_document if medium == "application" else self.add_video)
        pad.link(sink.get_static_pad("sink"))

    def add_video(self, pad, info):
        self.n_video += 1
        return Gst.PadProbeReturn.OK

    def add_document(self, pad, info):
        packet = info.get_buffer()
        data = packet.extract_dup(0, packet.get_size())
        self.part += data[RTP_HEADER:]
        if data[1] & 0x80:  # the marker
            self.documents.append((self.part, int.from_bytes(data[4:8], "big")))
            self.part = b""
        return Gst.PadProbeReturn.OK

    def wait(self, done, seconds=30):
        end = time.monotonic() + seconds
        while not done():
            message = self.pipeline.get_bus().timed_pop_filtered(50 * Gst.MSECOND, Gst.MessageType.ERROR)
            assert not message, message.parse_error()
            assert time.monotonic() < end, f"{len(self.documents)} documents, {self.n_video} packets of video"

    def stop(self):
        self.pipeline.set_state(Gst.State.NULL)


def utc_of(root):
    frame = root.find(f"{TT}VideoAnalytics/{TT}Frame")
    return datetime.datetime.fromisoformat(frame.get("UtcTime").replace("Z", "+00:00")).timestamp()


def messages(root):
    """The topic, operation and items of each notification."""
    for notification in root.iter(WSNT + "NotificationMessage"):
        message = notification.find(f"{WSNT}Message/{TT}Message")
        items = {item.get("Name"): item.get("Value") for item in message.iter(TT + "SimpleItem")}
        yield notification.find(WSNT + "Topic").text.rpartition("/")[2], message.get("PropertyOperation"), items


def check_documents(documents):
    """Checks that documents follow each other, one a frame, and returns what they tell of the line."""
    roots = [ET.fromstring(text) for text, _ in documents]
    ticks = [(after - before) % 2**32 for (_, before), (_, after) in zip(documents, documents[1:])]
    assert set(ticks) == {CLOCK_RATE // 25}, ticks
    assert abs(utc_of(roots[-1]) - time.time()) < 60, (utc_of(roots[-1]), time.time())
    objects = {element.get("ObjectId") for root in roots for element in root.iter(TT + "Object")}
    assert objects == {"1"}, objects
    return [message for root in roots for message in messages(root)]


def clients_get_all():
    with Server("--camera", 'the "gate"') as server:
        first = Client(server.address)
        first.wait(lambda: len(first.documents) >= 150)
        second = Client(server.address)
        second.wait(lambda: len(second.documents) >= 20)
        first.wait(lambda: len(first.documents) >= 250)
        first.stop()
        second.stop()
    caps = first.caps["application"]
    assert "encoding-name=(string)VND.ONVIF.METADATA" in caps and "payload=(int)107" in caps, caps
    assert "clock-rate=(int)90000" in caps and "video" in first.caps and first.n_video > 100, (
        first.caps,
        first.n_video,
    )

    told = check_documents(first.documents)
    topics = [(topic, operation) for topic, operation, _ in told]
    assert ("Counter", "Initialized") in topics[:1], topics
    assert ("Crossed", None) in topics and ("Counter", "Changed") in topics, topics
    for _, _, items in told:
        assert items["Rule"] == "<middle>" and items["VideoSourceConfigurationToken"] == 'the "gate"', items
    # Who joins is told what the states are, even though nothing happens.
    joined = check_documents(second.documents)
    initial = [items for topic, operation, items in joined if operation == "Initialized"]
    assert initial and initial[0]["Rule"] == "<middle>", joined


def times_are_those_of_the_frames():
    """What RTCP says of a packet's time is the UTC in it, so that a recorder finds the frame of the video."""
    with Server() as server:
        client = Client(server.address)
        client.wait(lambda: client.report and len(client.documents) >= 200)
        client.stop()
    # The first was made before the pipeline played; and any may have waited for the processor between two clocks.
    differences = [abs(utc_of(ET.fromstring(text)) - client.utc_of(rtp)) for text, rtp in client.documents[1:]]
    assert statistics.median(differences) < 0.02, differences


def wrong_options_are_refused():
    for options, reason in ((("no-such-element",), "no-such-element"), (("--port", "1.5", "fakesrc"), "--port")):
        result = subprocess.run(
            [ROOT / "examples/onvif_server.py", *options], capture_output=True, text=True, timeout=30
        )
        assert result.returncode != 0 and reason in result.stderr and "Traceback" not in result.stderr, result


if __name__ == "__main__":
    sys.exit(tap.run(clients_get_all, times_are_those_of_the_frames, wrong_options_are_refused))
