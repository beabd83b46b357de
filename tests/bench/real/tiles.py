#!/usr/bin/env python3
# gst-cca: what a detector on the tiles of ccacrop costs, and what of the objects ccauncrop gives back
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: tiles.py CLIPS [--scenes FILE] [--tile PIXELS] [--crop PIXELS] [--hog | --model FILE [--config FILE] [--grid]]
                [--gate "PROPERTIES"] [--only NAME]

Runs cca foreground=motion ! ccatrack ! ccagate mode=crops ! ccacrop ! detector ! ccauncrop on each clip, with crops of
at least --crop and tiles of --tile, and prints a Markdown table:

tiles      a frame, of all frames: calls of the detector; the most that a frame had
calls      of those that cover every frame with tiles side by side, which show as much
pixels     of the tiles, of those of all frames
crossings  true crossings with a frame within 0.1 s, one of whose crops shows the place, of all
boxes      true boxes that come back, overlapping by half of the union, of all
objects    the same, of objects: in at least one frame
more       boxes that come back and are not true; and repeats that ccauncrop left out

The detector is a stand-in that knows the true boxes: in a tile, it gives the part that the tile shows of each box, if
that is a fifth or more. With --hog it is OpenCV's detector of people, on clips with true boxes only. With --model it
is a network as of examples/detect_tiles.py, on one thread, whose input is as large as a tile; then crossings are those
with a box that the network found on the line. For both, a second line has the same for whole frames, and with --grid
a third for the tiles that cover every frame. Wants GST_PLUGIN_PATH to name the built plugin."""

import argparse
import ctypes
import ctypes.util
import pathlib
import sys
import time

import cv2
import gate
import numpy

import clips as real
import pipeline as play

from gi.repository import Gst

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples"))
import detect_tiles  # noqa: E402

PART = 0.2
SAME = 0.5
LEAST = 0.3  # the score of a network
TYPE = "object"

libgst = ctypes.CDLL(ctypes.util.find_library("gstreamer-1.0"))
libvideo = ctypes.CDLL(ctypes.util.find_library("gstvideo-1.0"))
libglib = ctypes.CDLL(ctypes.util.find_library("glib-2.0"))


class Region(ctypes.Structure):
    """The first fields of GstVideoRegionOfInterestMeta."""

    _fields_ = [("flags", ctypes.c_int), ("info", ctypes.c_void_p), ("type", ctypes.c_uint32), ("id", ctypes.c_int)]
    _fields_ += [("parent", ctypes.c_int)] + [(name, ctypes.c_uint) for name in "xywh"]


def boxes_of(buffer):
    """The boxes that detect() added, as (x, y, width, height), in a frame or a tile."""
    found, state = [], ctypes.c_void_p()
    api = libvideo.gst_video_region_of_interest_meta_api_get_type
    api.restype = ctypes.c_size_t
    step = libgst.gst_buffer_iterate_meta_filtered
    step.restype = ctypes.POINTER(Region)
    while region := step(ctypes.c_void_p(hash(buffer)), ctypes.byref(state), ctypes.c_size_t(api())):
        meta = region.contents
        if meta.type == libglib.g_quark_try_string(TYPE.encode()):
            found.append((meta.x, meta.y, meta.w, meta.h))
    return found


def overlap(a, b):
    """The part of their union that two boxes share."""
    x = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    y = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(x, 0) * max(y, 0)
    return shared / (a[2] * a[3] + b[2] * b[3] - shared)


def inside(box, size):
    """The part of a box that lies in the frame, and None if none does."""
    left, top = max(box[0], 0), max(box[1], 0)
    width, height = min(box[0] + box[2], size[0]) - left, min(box[1] + box[3], size[1]) - top
    return (left, top, width, height) if width > 0 and height > 0 else None


class Truth:
    """A detector that knows what is in a frame, and where a crop lies in a tile."""

    format = "GRAY8"

    def __init__(self, tile):
        self.tile = tile

    def detect(self, _buffer, _caps, crop, boxes):
        scale = min(self.tile / crop[2], self.tile / crop[3])
        left, top = (self.tile - crop[2] * scale) / 2, (self.tile - crop[3] * scale) / 2
        for box in boxes:
            if gate.shown(box, crop) < PART:
                continue
            x0, y0 = max(box[0], crop[0]), max(box[1], crop[1])
            x1, y1 = min(box[0] + box[2], crop[0] + crop[2]), min(box[1] + box[3], crop[1] + crop[3])
            at = (x0 - crop[0]) * scale + left, (y0 - crop[1]) * scale + top
            yield tuple(max(round(v), 0) for v in (*at, (x1 - x0) * scale, (y1 - y0) * scale))


class Hog:
    """OpenCV's detector of people, whose boxes have a margin."""

    format = "GRAY8"

    def __init__(self):
        self.seconds = 0.0
        self.hog = cv2.HOGDescriptor()
        self.hog.setSVMDetector(cv2.HOGDescriptor_getDefaultPeopleDetector())

    def detect(self, buffer, caps, _crop, _boxes):
        width, height = play.size_of(caps)
        data = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), numpy.uint8)
        picture = numpy.ascontiguousarray(data.reshape(height, -1)[:, :width])
        begin = time.perf_counter()
        found, _ = self.hog.detectMultiScale(picture, winStride=(8, 8), scale=1.05)
        self.seconds += time.perf_counter() - begin
        for x, y, w, h in found:
            margin, lower = round(0.1 * w), round(0.07 * h)
            yield max(x + margin, 0), max(y + lower, 0), round(0.8 * w), round(0.86 * h)


class Model:
    """A network, on whole pictures or on the tiles side by side that cover them."""

    format = "BGR"

    def __init__(self, options, grid=False):
        self.network = detect_tiles.Network(options.model, options.config, options.tile, LEAST)
        self.tile, self.grid, self.seconds = options.tile, grid, 0.0

    def detect(self, buffer, caps, _crop, _boxes):
        picture = detect_tiles.picture_of(buffer, caps)
        height, width = picture.shape[:2]
        parts = [(0, 0, picture)]
        if self.grid:
            places = [(x, y) for y in self.starts(height) for x in self.starts(width)]
            parts = [(x, y, picture[y : y + self.tile, x : x + self.tile]) for x, y in places]
        begin = time.thread_time()
        found = [(left, top, self.network.detect(part)) for left, top, part in parts]
        self.seconds += time.thread_time() - begin
        return [(left + x, top + y, w, h) for left, top, boxes in found for _, (x, y, w, h) in boxes]

    def starts(self, length):
        n = -(-length // self.tile)
        return [round(i * max(length - self.tile, 0) / max(n - 1, 1)) for i in range(n)]


class Run:
    """A clip through the pipeline, with a detector that sees tiles or, with tile=None, whole frames."""

    def __init__(self, clip, detector, tile, options):
        self.clip, self.detector = clip, detector
        self.times, self.crops, self.n_tiles, self.seen = [], {}, {}, {}
        self.truth = clip.true_boxes()
        cut = f"{options.gate} crop-width={options.crop} crop-height={options.crop} crop-aspect=1/1"
        description = f"videoconvert ! video/x-raw,format={detector.format} ! identity name=detector ! "
        if tile:
            description = (
                f"cca foreground=motion post-messages=false ! ccatrack post-messages=false ! ccagate name=gate "
                f"mode=crops {cut} ! ccacrop ! video/x-raw,format={detector.format},width={tile},height={tile} ! "
                f"identity name=detector ! ccauncrop name=uncrop ! "
            )
        line = play.set_up(clip, f"identity name=all ! {description}appsink name=sink sync=false max-buffers=4")
        self.watch(line, "all", self.note_frame)
        if tile:
            self.watch(line, "gate", self.note_crops)
        self.watch(line, "detector", self.detect)
        self.pull(line)
        self.repeats = line.get_by_name("uncrop").get_property("stats").get_value("repeats") if tile else 0

    def watch(self, line, name, function):
        line.get_by_name(name).get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, function)

    def pull(self, line):
        sink = line.get_by_name("sink")
        line.set_state(Gst.State.PLAYING)
        while sample := sink.emit("pull-sample"):
            self.size, self.segment = play.size_of(sample.get_caps()), sample.get_segment()
            self.seen[sample.get_buffer().pts] = boxes_of(sample.get_buffer())
        message = line.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if message:
            raise RuntimeError(f"{self.clip.name}: {message.parse_error().gerror.message}")
        line.set_state(Gst.State.PAUSED)
        line.get_state(Gst.CLOCK_TIME_NONE)

    def note_frame(self, _pad, info):
        self.times.append(info.get_buffer().pts)
        return Gst.PadProbeReturn.OK

    def note_crops(self, _pad, info):
        buffer = info.get_buffer()
        self.crops[buffer.pts] = gate.crops_of(buffer)
        return Gst.PadProbeReturn.OK

    def detect(self, pad, info):
        buffer = info.get_buffer()
        caps = pad.get_current_caps()
        n = self.n_tiles.get(buffer.pts, 0)
        self.n_tiles[buffer.pts] = n + 1
        crop = self.crops[buffer.pts][n] if self.crops else None
        for box in self.detector.detect(buffer, caps, crop, [box for _, box in self.true_boxes(buffer.pts)]):
            detect_tiles.add_box(buffer, TYPE, box)
        return Gst.PadProbeReturn.OK

    def true_boxes(self, pts):
        return [(number, tuple(box)) for number, *box in (self.truth or {}).get(self.times.index(pts) + 1, [])]

    def crossings(self):
        shown = self.seen if isinstance(self.detector, Model) else self.crops
        passed = {self.segment.to_stream_time(Gst.Format.TIME, pts) / Gst.SECOND: c for pts, c in shown.items()}
        return gate.crossings(self.clip, passed, True)

    def boxes(self):
        """Returns ((back, all) of the boxes, (back, all) of the objects, boxes that are not true)."""
        back, n, ids, back_ids, false = 0, 0, set(), set(), 0
        for frame in self.truth:
            pts = self.times[frame - 1]
            left = list(self.seen.get(pts, []))
            for number, box in self.true_boxes(pts):
                if not (box := inside(box, self.size)):
                    continue
                best = max(left, key=lambda other: overlap(other, box), default=None)
                n += 1
                ids.add(number)
                if best and overlap(best, box) >= SAME:
                    left.remove(best)
                    back += 1
                    back_ids.add(number)
            false += len(left)
        return (back, n), (len(back_ids), len(ids)), false


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else ""


def row(run, tile):
    """The cells of a clip."""
    n, tiles = len(run.times), sum(run.n_tiles.values())
    grid = -(-run.size[0] // tile) * -(-run.size[1] // tile)
    pixels = tiles * tile * tile / (n * run.size[0] * run.size[1])
    cells = [f"{run.size[0]} x {run.size[1]}", str(n), f"{tiles / n:.2f}", str(max(run.n_tiles.values(), default=0))]
    cells += [percent(tiles, n * grid), f"{100 * pixels:.0f} %", gate.share(run.crossings())]
    return cells + truth_cells(run) if run.truth else cells + [""] * 3


def truth_cells(run):
    found, objects, false = run.boxes()
    return [gate.share(found), gate.share(objects), f"{false}, {run.repeats}"]


def print_whole(clip, detectors, options):
    """Prints what detectors find on whole frames."""
    for name, detector in detectors.items():
        run = Run(clip, detector, None, options)
        cells = [f"{run.size[0]} x {run.size[1]}", str(len(run.times)), "", "", "", ""]
        cells += [gate.share(run.crossings()) if isinstance(detector, Model) else ""]
        cells += truth_cells(run) if run.truth else [""] * 3
        print(f"| {name} | " + " | ".join(cells) + " |")
        print(f"seconds of the detector on {name}: {detector.seconds:.1f}", flush=True)


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=pathlib.Path)
    parser.add_argument("--scenes", type=pathlib.Path, default=here / "scenes.json")
    parser.add_argument("--tile", type=int, default=320)
    parser.add_argument("--crop", type=int, default=320)
    parser.add_argument("--hog", action="store_true")
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--config", type=pathlib.Path)
    parser.add_argument("--grid", action="store_true")
    parser.add_argument("--gate", default="")
    parser.add_argument("--only")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    found, problems = real.read(options.scenes, [options.clips])
    print("| clip | size | frames | tiles a frame | most | calls | pixels | crossings | boxes | objects | more |")
    print("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |")
    for clip in found:
        if (options.only and clip.name != options.only) or (options.hog and not clip.true_boxes()):
            continue
        detector = Hog() if options.hog else Model(options) if options.model else Truth(options.tile)
        run = Run(clip, detector, options.tile, options)
        print(f"| {clip.name} | " + " | ".join(row(run, options.tile)) + " |", flush=True)
        if options.hog or options.model:
            print(f"seconds of the detector on tiles: {detector.seconds:.1f}", flush=True)
            others = {"whole frames": Hog() if options.hog else Model(options)}
            if options.grid:
                others["tiles side by side"] = Model(options, grid=True)
            print_whole(clip, others, options)
    for problem in problems:
        print(problem)


if __name__ == "__main__":
    main()
