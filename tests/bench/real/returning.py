#!/usr/bin/env python3
# gst-cca: how soon the background model knows a scene that comes back, on clips whose light is switched
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plays a clip of which another scene takes the place of 120 frames, from frame 100 on: the same frames in another
light, or those of another clip, as a camera shows that turns to another preset. Prints F of the masks of frames behind
the return to those of the clip without it.

usage: GST_PLUGIN_PATH=build/gst returning.py CLIP lamp|infrared|dark|OTHER-CLIP [PROPERTIES]

lamp switches the light in the room off and a warm lamp on, infrared an IR-cut filter, dark all light but a window's.
PROPERTIES are those of ccl. Wants /usr/bin/python3 with python3-gst-1.0 and python3-opencv.
"""

import sys

import cv2
import numpy
from standing import Gst, f_measure, masks, read

FIRST, N = 100, 120
BEHIND = ((0, 5), (5, 20), (20, 50), (50, 100))  # frames
NOISE = 2.5


def spot(shape, x, y, width, height):
    """A light that falls off from a place; all in parts of the frame."""
    rows, columns = numpy.mgrid[0 : shape[0], 0 : shape[1]].astype(numpy.float32)
    return numpy.exp(-(((columns / shape[1] - x) / width) ** 2) - ((rows / shape[0] - y) / height) ** 2)[..., None]


def lamp(frame):
    return frame * (0.5 + 1.6 * spot(frame.shape, 0.7, 0.2, 0.3, 0.5)) * (0.6, 1.0, 1.25)


def infrared(frame):
    grey = 255 - 1.2 * abs(0.9 * frame[..., :1] + 0.02 * frame[..., 1:2] - 128)
    return numpy.repeat(1.1 * grey * spot(frame.shape, 0.5, 0.5, 0.5, 0.5), 3, 2)


def dark(frame):
    return 255 * (frame / 255) ** 1.1 * (0.06 + 0.5 * spot(frame.shape, 0, 0.5, 0.25, 1e6)) * (1.25, 1.0, 0.85)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    Gst.init(None)
    lights = {"lamp": lamp, "infrared": infrared, "dark": dark}
    frames, rate = read(sys.argv[1], FIRST + N + BEHIND[-1][1])
    height, width = frames[0].shape[:2]
    other = frames if sys.argv[2] in lights else read(sys.argv[2], FIRST + N)[0]
    if min(len(frames), len(other)) < FIRST + N:
        sys.exit(f"a clip has fewer than {FIRST + N} frames")
    random, switched = numpy.random.default_rng(1), list(frames)
    for i in range(FIRST, FIRST + N):
        if other is frames:
            noise = random.normal(0, NOISE, frames[i].shape)
            switched[i] = numpy.clip(lights[sys.argv[2]](frames[i]) + noise, 0, 255).astype(numpy.uint8)
        else:
            switched[i] = cv2.resize(other[i], (width, height), interpolation=cv2.INTER_AREA)
    usual, found = (masks(which, rate, "".join(sys.argv[3:])) for which in (frames, switched))
    for first, end in BEHIND:
        chosen = slice(FIRST + N + first, FIRST + N + end)
        f = f_measure(numpy.array(found[chosen]), numpy.array(usual[chosen]))
        print(f"frames {first}-{end - 1} behind the return: F {f:.3f}")


if __name__ == "__main__":
    main()
