#!/usr/bin/env python3
# gst-cca: scores masks of moving objects against the truth of a scene
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: score.py SCENE MASKS

Prints precision, recall and F of the pixels, and F of the objects, of all frames after the warm-up together.

SCENE is a folder of scenes.py, MASKS a file of a byte a pixel, zero or not, frames one after the other. An object is an
8-connected component of at least 200 pixels at 768x576, in proportion at other sizes. A found object counts where its
box and that of an object of the truth overlap with an intersection over union of at least 0.5, one to one.
"""

import dataclasses
import json
import pathlib
import sys

import cv2
import numpy

# The clean-up at 768x576; in proportion at other sizes.
CLOSE_RADIUS, MIN_AREA = 2, 200


def min_area_at(n_pixels):
    return round(MIN_AREA * n_pixels / (768 * 576))


def clean_up(info):
    """close-radius and min-area for a scene."""
    return round(CLOSE_RADIUS * info["height"] / 576), min_area_at(info["width"] * info["height"])


def f_of(hits, extra, missed):
    """The harmonic mean of precision and recall."""
    return 2 * hits / max(2 * hits + extra + missed, 1)


@dataclasses.dataclass
class Score:
    """Counts of pixels and of objects: found rightly, found wrongly, missed."""

    hits: int = 0
    extra: int = 0
    missed: int = 0
    object_hits: int = 0
    object_extra: int = 0
    object_missed: int = 0

    @property
    def precision(self):
        return self.hits / max(self.hits + self.extra, 1)

    @property
    def recall(self):
        return self.hits / max(self.hits + self.missed, 1)

    @property
    def f(self):
        return f_of(self.hits, self.extra, self.missed)

    @property
    def object_f(self):
        return f_of(self.object_hits, self.object_extra, self.object_missed)

    def __add__(self, other):
        return Score(*(a + b for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other))))


def boxes_of(mask):
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return stats[1:][stats[1:, cv2.CC_STAT_AREA] >= min_area_at(mask.size), :4].astype(float)


def count_matches(truth, found):
    """Pairs of boxes that overlap by at least half, best first, one to one."""
    a, b = truth[:, None], found[None]
    sides = numpy.minimum(a[..., :2] + a[..., 2:], b[..., :2] + b[..., 2:]) - numpy.maximum(a[..., :2], b[..., :2])
    both = sides.clip(min=0).prod(axis=-1)
    overlap = both / (a[..., 2:].prod(axis=-1) + b[..., 2:].prod(axis=-1) - both)
    n = 0
    while overlap.size and overlap.max() >= 0.5:
        i, j = numpy.unravel_index(overlap.argmax(), overlap.shape)
        overlap[i], overlap[:, j] = 0, 0
        n += 1
    return n


def score_frame(truth, mask):
    truth, mask = (truth > 0).astype(numpy.uint8), (mask > 0).astype(numpy.uint8)
    hits = cv2.countNonZero(truth & mask)
    real, found = boxes_of(truth), boxes_of(mask)
    matches = count_matches(real, found)
    n_truth, n_mask = cv2.countNonZero(truth), cv2.countNonZero(mask)
    return Score(hits, n_mask - hits, n_truth - hits, matches, len(found) - matches, len(real) - matches)


def read_info(scene):
    return json.loads((pathlib.Path(scene) / "info.json").read_text())


def read_masks(path, info):
    shape = info["frames"], info["height"], info["width"]
    size = pathlib.Path(path).stat().st_size
    if size != shape[0] * shape[1] * shape[2]:
        sys.exit(f"score: {path}: {size} bytes; the scene has {shape[0]} frames of {shape[2]}x{shape[1]}")
    return numpy.memmap(path, numpy.uint8, "r", shape=shape)


def score_masks(scene, masks):
    """The score of each frame after the warm-up."""
    info = read_info(scene)
    truth = read_masks(pathlib.Path(scene) / "truth.raw", info)
    return [score_frame(truth[i], masks[i]) for i in range(info["warmup"], info["frames"])]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    scene, path = sys.argv[1:]
    total = sum(score_masks(scene, read_masks(path, read_info(scene))), Score())
    print(f"precision {total.precision:.3f} recall {total.recall:.3f} F {total.f:.3f} object F {total.object_f:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
