#!/usr/bin/env python3
# gst-cca: how long what stands still stays foreground, on a clip that is stopped
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plays a clip up to a frame, then shows this frame for some seconds, with new noise each time, and goes on. Prints
which part of the foreground of the frame is still foreground after a time, and, behind the stop, F of the mask to that
of the clip without the stop: ghosts of those who stood would lower it.

usage: GST_PLUGIN_PATH=build/gst standing.py CLIP FRAME SECONDS [PROPERTIES]

PROPERTIES are those of ccl, such as absorb-time=0. Wants /usr/bin/python3 with python3-gst-1.0 and python3-opencv.
"""

import sys

import cv2
import gi
import numpy

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

NOISE = 1.2
STANDING, BEHIND = (1, 3, 5, 8, 12, 20, 30, 45, 59), (0.2, 0.5, 1, 2, 3, 5)


def read(path, n):
    """The first n frames, BGR, with sides that are multiples of 8, and their number a second."""
    clip, frames = cv2.VideoCapture(path), []
    while len(frames) < n:
        found, frame = clip.read()
        if not found:
            break
        frames.append(numpy.ascontiguousarray(frame[: frame.shape[0] // 8 * 8, : frame.shape[1] // 8 * 8]))
    return frames, clip.get(cv2.CAP_PROP_FPS) or 25


def masks(frames, rate, properties):
    height, width = frames[0].shape[:2]
    caps = f"video/x-raw,format=BGR,width={width},height={height},framerate={round(1000 * rate)}/1000"
    pipeline = Gst.parse_launch(
        f"appsrc name=source format=time block=true max-bytes=20000000 caps={caps} ! videoconvert "
        f"! video/x-raw,format=I420 ! ccl foreground=motion output=mask post-messages=false {properties} "
        "! video/x-raw,format=GRAY8 ! ccatrack post-messages=false ! appsink name=sink sync=false"
    )
    source, sink = pipeline.get_by_name("source"), pipeline.get_by_name("sink")
    pipeline.set_state(Gst.State.PLAYING)
    for i, frame in enumerate(frames):
        buffer = Gst.Buffer.new_wrapped(frame.tobytes())
        buffer.pts, buffer.duration = int(i * 1e9 / rate), int(1e9 / rate)
        if source.emit("push-buffer", buffer) != Gst.FlowReturn.OK:
            sys.exit(f"frame {i}: the pipeline does not take it")
    source.emit("end-of-stream")
    found = []
    while sample := sink.emit("pull-sample"):
        bytes_of = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
        found.append(numpy.frombuffer(bytes_of, numpy.uint8).reshape(height, -1)[:, :width] > 0)
    pipeline.set_state(Gst.State.NULL)
    return found


def f_measure(a, b):
    return 2 * (a & b).sum() / max(1, a.sum() + b.sum())


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    stop, seconds, properties = int(sys.argv[2]), float(sys.argv[3]), "".join(sys.argv[4:])
    Gst.init(None)
    frames, rate = read(sys.argv[1], stop + 1 + 10 * 30)
    random = numpy.random.default_rng(1)

    def noisy():
        noise = numpy.rint(random.normal(0, NOISE, frames[stop].shape))
        return numpy.clip(frames[stop] + noise, 0, 255).astype(numpy.uint8)

    n = int(seconds * rate)
    stopped = masks(frames[: stop + 1] + [noisy() for _ in range(n)] + frames[stop + 1 :], rate, properties)
    usual, there = masks(frames, rate, properties), stopped[stop]
    kept = [(t, (stopped[stop + int(t * rate)] & there).sum() / max(1, there.sum())) for t in STANDING if t <= seconds]
    print("foreground", there.sum(), "kept after s:", ", ".join(f"{t}: {part:.2f}" for t, part in kept))
    behind = [(t, stop + int(t * rate)) for t in BEHIND if stop + int(t * rate) < len(usual)]
    print("F behind the stop, s:", ", ".join(f"{t}: {f_measure(stopped[i + n], usual[i]):.2f}" for t, i in behind))


if __name__ == "__main__":
    main()
