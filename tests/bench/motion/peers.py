#!/usr/bin/env python3
# gst-cca: runs OpenCV's background subtractors on a scene, with the clean-up of the element
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: peers.py METHOD SCENE MASKS

Writes the masks of one of OpenCV's background subtractors, a byte a pixel, and prints its milliseconds a frame. METHOD
is one of MOG2, KNN, and of opencv-contrib CNT, GMG, LSBP, GSOC, with OpenCV's defaults. Pixels that MOG2 and KNN call
shadow are background.
"""

import pathlib
import sys
import time

import cv2
import numpy

import score

METHODS = {
    "MOG2": lambda: cv2.createBackgroundSubtractorMOG2(),
    "KNN": lambda: cv2.createBackgroundSubtractorKNN(),
    "CNT": lambda: cv2.bgsegm.createBackgroundSubtractorCNT(),
    "GMG": lambda: cv2.bgsegm.createBackgroundSubtractorGMG(),
    "LSBP": lambda: cv2.bgsegm.createBackgroundSubtractorLSBP(),
    "GSOC": lambda: cv2.bgsegm.createBackgroundSubtractorGSOC(),
}
# What these mark as shadow is 127.
FOREGROUND = 255


def clean(mask, close_radius, min_area):
    """What the element's denoise, close-radius and min-area make of a mask; 0 and 255."""
    mask = (mask == FOREGROUND).astype(numpy.uint8)
    votes = cv2.boxFilter(mask, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    mask = (votes >= 5).astype(numpy.uint8)
    # Without the margin OpenCV would also close against the picture's border.
    r = close_radius
    mask = cv2.copyMakeBorder(mask, r, r, r, r, cv2.BORDER_CONSTANT)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, numpy.ones((2 * r + 1, 2 * r + 1), numpy.uint8))
    mask = mask[r : mask.shape[0] - r, r : mask.shape[1] - r]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    kept = stats[:, cv2.CC_STAT_AREA] >= min_area
    kept[0] = False
    return kept[labels].astype(numpy.uint8) * 255


def run(method, scene, masks):
    """Runs a method and the clean-up on a scene. Returns milliseconds of one processor's time a frame."""
    cv2.setNumThreads(1)
    info = score.read_info(scene)
    shape = info["frames"], info["height"] * 3 // 2, info["width"]
    video = numpy.memmap(pathlib.Path(scene) / "video.yuv", numpy.uint8, "r", shape=shape)
    subtractor, seconds = METHODS[method](), 0.0
    with open(masks, "wb") as file:
        for frame in video:
            picture = cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_I420)
            start = time.process_time()
            mask = clean(subtractor.apply(picture), *score.clean_up(info))
            seconds += time.process_time() - start
            file.write(mask.tobytes())
    return seconds / len(video) * 1e3


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in METHODS:
        sys.exit(__doc__)
    print(f"{run(*sys.argv[1:]):.2f}")
