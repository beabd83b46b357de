#!/usr/bin/env python3
# gst-cca: foreground of a camera that pans, shakes or sways
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cuts a window that moves out of real frames with true masks, and measures F of the foreground of `ccl`, and of
OpenCV's MOG2 with a median and a closing.

usage: pan.py FOLDER FIRST N

FOLDER has a sequence in the format of changedetection.net: input/inNNNNNN.jpg, groundtruth/gtNNNNNN.png. The first 150
of N frames are not scored. Needs GST_PLUGIN_PATH, python3-opencv and python3-gi.
"""

import pathlib
import sys

import cv2
import gi
import numpy as np

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

MARGIN = 24  # pixels, on each side of the window
SKIPPED = 150
SHAKE = np.clip(np.random.default_rng(1).normal(0, 1, (10000, 2)), -3, 3)
MOTIONS = {
    "still": lambda i: (0, 0),
    "pan, 1.25 pixels a second, to 24 pixels": lambda i: (min(0.05 * i, MARGIN), 0),
    "jitter, of 1 pixel (standard deviation)": lambda i: tuple(SHAKE[i]),
    "sway, 3 pixels to each side in 3 s": lambda i: (3 * np.sin(i / 12), 1.5 * np.cos(i / 9)),
}


def cut(image, x, y, flags, border):
    height, width = image.shape[:2]
    matrix = np.float32([[1, 0, -MARGIN - x], [0, 1, -MARGIN - y]])
    return cv2.warpAffine(image, matrix, (width - 2 * MARGIN, height - 2 * MARGIN), flags=flags, borderValue=border)


def masks_of_ccl(frames):
    height, width = frames[0].shape[:2]
    pipeline = Gst.parse_launch(
        f"appsrc name=source format=time caps=video/x-raw,format=BGRx,width={width},height={height},framerate=25/1 ! "
        "videoconvert ! video/x-raw,format=I420 ! ccl foreground=motion output=mask post-messages=false ! "
        "video/x-raw,format=GRAY8 ! appsink name=sink sync=false"
    )
    source, sink = pipeline.get_by_name("source"), pipeline.get_by_name("sink")
    pipeline.set_state(Gst.State.PLAYING)
    for i, frame in enumerate(frames):
        buffer = Gst.Buffer.new_wrapped(cv2.cvtColor(frame, cv2.COLOR_BGR2BGRA).tobytes())
        buffer.pts = i * Gst.SECOND // 25
        source.emit("push-buffer", buffer)
        mask = sink.emit("pull-sample").get_buffer()
        yield np.frombuffer(mask.extract_dup(0, mask.get_size()), np.uint8).reshape(height, -1)[:, :width] > 0
    pipeline.set_state(Gst.State.NULL)


def masks_of_mog2(frames):
    model, disc = cv2.createBackgroundSubtractorMOG2(), np.ones((7, 7), np.uint8)
    for frame in frames:
        mask = cv2.medianBlur((model.apply(frame) == 255).astype(np.uint8), 3)
        yield cv2.morphologyEx(mask, cv2.MORPH_CLOSE, disc) > 0


def score(masks, truths):
    hits = wrong = missed = 0
    for i, (mask, truth) in enumerate(zip(masks, truths)):
        if i < SKIPPED:
            continue
        hits += (mask & (truth == 255)).sum()
        wrong += (mask & ((truth == 0) | (truth == 50))).sum()
        missed += (~mask & (truth == 255)).sum()
    return 2 * hits / (2 * hits + wrong + missed)


def main():
    folder, first, n = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    Gst.init(None)
    print("| camera | ccl | MOG2 |\n|---|---|---|")
    for name, motion in MOTIONS.items():
        frames, truths = [], []
        for i in range(n):
            image = cv2.imread(str(next(folder.glob(f"input/in{first + i:06d}.*"))))
            truth = cv2.imread(str(folder / f"groundtruth/gt{first + i:06d}.png"), cv2.IMREAD_GRAYSCALE)
            frames.append(cut(image, *motion(i), cv2.INTER_LINEAR, 0))
            truths.append(cut(truth, *motion(i), cv2.INTER_NEAREST, 85))
        print(f"| {name} | {score(masks_of_ccl(frames), truths):.3f} | {score(masks_of_mog2(frames), truths):.3f} |")


if __name__ == "__main__":
    main()
