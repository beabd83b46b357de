#!/usr/bin/env python3
# gst-cca: composes what most cameras see: a picture with the sensor's noise, and now and then somebody who walks by
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: quiet.py VTEST FOLDER [--minutes N] [--every SECONDS]

Writes quiet.avi, its true boxes and scenes.json for gate.py: walkers of vtest.avi before the median of that clip, one
every so many seconds, at ten frames a second. The same options and the same versions of OpenCV and NumPy give the same
clip."""

import argparse
import json
import pathlib
import sys

import cv2
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "motion"))
import scenes  # noqa: E402
import walkers  # noqa: E402

SIZE, FPS, NOISE, HEIGHT = (480, 360), 10, 2.0, 80


def cast_walker(cast, begin, random):
    """A walker who enters the picture at a side in the frame `begin`."""
    walker = cast[random.integers(len(cast))]
    mirror = bool(random.integers(2))
    right = (walker.step[0] > 0) != mirror
    at = numpy.array([-20.0 if right else SIZE[0] + 20.0, random.uniform(0.5, 0.8) * SIZE[1]])
    tone = random.uniform(0.8, 1.2, 3).astype(numpy.float32)
    return scenes.Actor(walker, HEIGHT / walker.height, mirror, tone, at, begin, (0, 0))


def box_of(actor, time):
    """The walker's box in the picture, or None."""
    _, alpha = actor.sprite(time)
    foot, (h, w) = actor.feet(time), alpha.shape
    rows, columns = numpy.nonzero(alpha >= 0.5)
    if time < actor.when or not len(rows):
        return None
    left, top = round(foot[0] - w / 2), round(foot[1] - h)
    x0, x1 = max(left + columns.min(), 0), min(left + columns.max() + 1, SIZE[0])
    y0, y1 = max(top + rows.min(), 0), min(top + rows.max() + 1, SIZE[1])
    return (x0, y0, x1 - x0, y1 - y0) if x0 < x1 and y0 < y1 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vtest", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--every", type=float, default=60)
    options = parser.parse_args()
    random = numpy.random.default_rng(1)
    clip = walkers.read_clip(options.vtest)
    median = walkers.median_of(clip)
    cast = [walker for walker in walkers.cut_walkers(clip, median) if abs(walker.step[0]) > 2 * abs(walker.step[1])]
    background = cv2.resize(median, SIZE, interpolation=cv2.INTER_AREA).astype(numpy.float32)
    n, step = round(options.minutes * 60 * FPS), round(options.every * FPS)
    actors = [cast_walker(cast, begin, random) for begin in range(step // 2, n, step)]
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, path = [], options.folder / "quiet.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), FPS, SIZE)
    for time in range(n):
        there = [(number, box) for number, actor in enumerate(actors, 1) if (box := box_of(actor, time))]
        picture, _ = scenes.compose(background, [actors[number - 1] for number, _ in there], time, 0)
        picture += random.normal(0, NOISE, picture.shape).astype(numpy.float32)
        writer.write(picture.clip(0, 255).astype(numpy.uint8))
        rows += [",".join(map(str, (time + 1, number, *box, 1, -1, -1, -1))) for number, box in there]
    writer.release()
    (options.folder / "quiet.txt").write_text("\n".join(rows) + "\n")
    scene = {"name": "quiet", "file": path.name, "lines": {}, "crossings": {}, "tolerance": 1, "boxes": "quiet.txt"}
    (options.folder / "scenes.json").write_text(json.dumps([scene | {"frames": [1, n]}]))


if __name__ == "__main__":
    main()
