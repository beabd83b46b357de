#!/usr/bin/python3
# gst-cca: a neural network detects objects only where something moves; ccatrack tracks them
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: detect_tiles.py [--config FILE] [--labels FILE] [--size PIXELS] [--least SCORE] MODEL VIDEO

Cuts what moves into tiles, gives each tile to a detector of the YOLO family, and prints the tracks of what it found,
with their classes: a line when one begins. At the end it tells how often the network ran, and how long.

MODEL is a file that OpenCV reads: an ONNX file of YOLOv8 or a later one with the same output (N×(4 + classes)×boxes);
or the weights of a YOLO of Darknet, with its .cfg as --config. --labels names a file with the name of a class in each
line. --size is the side of the network's input, and of the tiles. Needs GST_PLUGIN_PATH to name the plugins, if they
are not installed, and python3-opencv."""

import argparse
import ctypes
import ctypes.util
import sys
import time
from pathlib import Path

import cv2
import gi
import numpy as np

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo  # noqa: E402

SAME = 0.45  # intersection over union from which on two boxes of a class are one object

libgst = ctypes.CDLL(ctypes.util.find_library("gstreamer-1.0"))
libvideo = ctypes.CDLL(ctypes.util.find_library("gstvideo-1.0"))


class Network:
    """A detector of the YOLO family."""

    def __init__(self, model, config, size, least, labels=()):
        self.net = cv2.dnn.readNet(str(model), str(config or ""))
        self.outputs = self.net.getUnconnectedOutLayersNames()
        self.size, self.least, self.labels = size, least, labels
        self.calls, self.seconds = 0, 0.0

    def name_of(self, number):
        return self.labels[number] if number < len(self.labels) else f"class {number}"

    def detect(self, picture):
        """Returns [(class, (x, y, width, height))] of a picture, whose pixels are B, G, R."""
        height, width = picture.shape[:2]
        begin = time.perf_counter()
        self.net.setInput(cv2.dnn.blobFromImage(picture, 1 / 255, (self.size, self.size), swapRB=True))
        found = self.net.forward(self.outputs)
        self.seconds += time.perf_counter() - begin
        self.calls += 1
        if found[0].ndim == 3:  # boxes in pixels of the input, a column each
            rows = np.hstack([output[0] for output in found]).T
            boxes, scores = rows[:, :4] / self.size, rows[:, 4:]
        else:  # boxes relative to the input; the fifth number is the score of any object
            rows = np.vstack(found)
            boxes, scores = rows[:, :4], rows[:, 5:]
        classes = scores.argmax(axis=1)
        best = scores[np.arange(len(scores)), classes]
        boxes = boxes * (width, height, width, height)
        boxes[:, :2] -= boxes[:, 2:] / 2
        apart = boxes.copy()
        apart[:, :2] += classes[:, None] * 2.0 * max(width, height)  # a box suppresses only its own class
        kept = cv2.dnn.NMSBoxes(apart.tolist(), best.tolist(), self.least, SAME)
        return [(int(classes[i]), clip(boxes[i], width, height)) for i in np.ravel(kept).astype(int)]


def clip(box, width, height):
    """Returns a box clipped to a picture, in whole pixels."""
    left, top = max(round(box[0]), 0), max(round(box[1]), 0)
    return left, top, min(round(box[0] + box[2]), width) - left, min(round(box[1] + box[3]), height) - top


def picture_of(buffer, caps):
    """Returns the pixels of a frame in the format BGR."""
    info = GstVideo.VideoInfo.new_from_caps(caps)
    width, height = info.width, info.height
    rows = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), np.uint8).reshape(height, -1)
    return np.ascontiguousarray(rows[:, : 3 * width]).reshape(height, width, 3)


def add_box(buffer, label, box):
    """Adds a region of interest to a buffer, which must be writable except for Python's own reference."""
    pointer = ctypes.c_void_p(hash(buffer))
    libgst.gst_mini_object_unref(pointer)
    libvideo.gst_buffer_add_video_region_of_interest_meta(pointer, label.encode(), *map(ctypes.c_uint, box))
    libgst.gst_mini_object_ref(pointer)


def track(network, video):
    """Prints the tracks of a video. Returns its number of frames; raises RuntimeError."""
    # A URI can name any file; a string needs a UTF-8 name.
    size, uri, n_frames, known = network.size, Path(video).absolute().as_uri(), 0, set()
    pipeline = Gst.parse_launch(
        f"{uri} ! decodebin ! videoconvert ! cca foreground=motion post-messages=false ! ccatrack post-messages=false "
        f"! ccagate mode=crops crop-width={size} crop-height={size} crop-aspect=1/1 post-messages=false ! ccacrop "
        f"! video/x-raw,format=BGR,width={size},height={size} ! identity name=network ! ccauncrop "
        "! ccatrack id=detector detections=roi ! fakesink sync=false"
    )

    def detect(pad, info):
        buffer = info.get_buffer()
        for number, box in network.detect(picture_of(buffer, pad.get_current_caps())):
            add_box(buffer, network.name_of(number), box)
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("network").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, detect)
    pipeline.set_state(Gst.State.PLAYING)
    bus, kinds = pipeline.get_bus(), Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT
    try:
        while (message := bus.timed_pop_filtered(Gst.CLOCK_TIME_NONE, kinds)).type != Gst.MessageType.EOS:
            if message.type == Gst.MessageType.ERROR:
                raise RuntimeError(message.parse_error()[0].message)
            structure = message.get_structure()
            if structure.get_name() != "cca-tracks":
                continue
            n_frames += 1
            for one in structure.get_value("tracks"):
                if one.get_value("track-id") not in known:
                    known.add(one.get_value("track-id"))
                    x, y, width, height = (one.get_value(name) for name in ("x", "y", "width", "height"))
                    seconds = structure.get_value("stream-time") / Gst.SECOND
                    print(f"{seconds:.2f} s: {one.get_value('class')} {len(known)}, {width} x {height} at ({x}, {y})")
    finally:
        pipeline.set_state(Gst.State.NULL)
    return n_frames


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--size", type=int, default=640)
    parser.add_argument("--least", type=float, default=0.4)
    parser.add_argument("model", type=Path)
    parser.add_argument("video", type=Path)
    options = parser.parse_args()
    Gst.init(None)
    try:
        labels = options.labels.read_text().splitlines() if options.labels else ()
        network = Network(options.model, options.config, options.size, options.least, labels)
        n_frames = track(network, options.video)
    except (OSError, RuntimeError, cv2.error, gi.repository.GLib.Error) as error:
        print(f"detect_tiles: {error}", file=sys.stderr)
        return 1
    print(f"{n_frames} frames; the network ran {network.calls} times, {network.seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
