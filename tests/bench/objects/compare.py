#!/usr/bin/env python3
# gst-cca: compares the tracker with SORT, ByteTrack and OC-SORT on scripted scenes
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures IDF1, MOTA and identity switches of four trackers on the same boxes, with py-motmetrics.

usage: compare.py TRACK_SCENES [--wide] [--seeds N] [--first SEED]

TRACK_SCENES is the built program of that name. The others are those of PyPI's `trackers` with their defaults and the
scenes' frame rate; they get the bounding boxes of the frame's components, and no pixels. "ours" counts all that it
publishes, which includes boxes of tracks that coast; "ours, seen" counts those of tracks that are seen, as the others
publish. compare.sh installs what this needs.
"""

import argparse
import collections
import subprocess
import sys
import tempfile
import time
import warnings

import motmetrics
import numpy
import supervision
import trackers

OTHERS = {"SORT": trackers.SORTTracker, "ByteTrack": trackers.ByteTrackTracker, "OC-SORT": trackers.OCSORTTracker}
METRICS = ["idf1", "mota", "num_switches"]


def read_scenes(path):
    """{(kind, seed): {frame: {what: [(id, x, y, width, height)]}}}, {(kind, seed): frames a second}"""
    times = collections.defaultdict(dict)
    scenes = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    with open(path) as lines:
        for line in lines:
            kind, seed, frame, _, _, time_ns, what, number, *box = line.split()
            scenes[kind, int(seed)][int(frame)][what].append((int(number), *map(float, box)))
            times[kind, int(seed)][int(frame)] = int(time_ns) / 1e9
    rates = {key: 1 / numpy.median(numpy.diff([of[frame] for frame in sorted(of)])) for key, of in times.items()}
    return scenes, rates


def run_other(tracker_class, scene, rate):
    """{frame: [(id, x, y, width, height)]}"""
    tracker, result = tracker_class(frame_rate=rate), {}
    for frame in sorted(scene):
        boxes = numpy.array([box[1:] for box in scene[frame]["box"]]).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        n = len(boxes)
        detections = supervision.Detections(xyxy=boxes, confidence=numpy.ones(n), class_id=numpy.zeros(n, dtype=int))
        tracked = tracker.update(detections)
        result[frame] = [
            (int(number), x0, y0, x1 - x0, y1 - y0)
            for number, (x0, y0, x1, y1) in zip(tracked.tracker_id, tracked.xyxy)
            if number >= 0
        ]
    return result


def distances_of(truth, found):
    """1 - intersection over union, NaN where that is below 0.5."""
    a, b = numpy.array(truth).reshape(-1, 1, 4), numpy.array(found).reshape(1, -1, 4)
    sides = numpy.minimum(a[..., :2] + a[..., 2:], b[..., :2] + b[..., 2:]) - numpy.maximum(a[..., :2], b[..., :2])
    both = sides.clip(min=0).prod(axis=-1)
    overlap = both / (a[..., 2:].prod(axis=-1) + b[..., 2:].prod(axis=-1) - both)
    return numpy.where(overlap >= 0.5, 1 - overlap, numpy.nan)


def score(scene, tracks):
    accumulator = motmetrics.MOTAccumulator(auto_id=True)
    for frame in sorted(scene):
        truth, found = scene[frame]["truth"], tracks[frame]
        distances = distances_of([box[1:] for box in truth], [box[1:] for box in found])
        accumulator.update([box[0] for box in truth], [box[0] for box in found], distances)
    summary = motmetrics.metrics.create().compute(accumulator, metrics=METRICS, name="scene")
    return summary.loc["scene"].to_numpy(dtype=float)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--wide", action="store_true", help="scenes of the wide range (scenes.h)")
    parser.add_argument("--seeds", type=int, default=5, help="scenes of each kind")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    with tempfile.NamedTemporaryFile() as file:
        seeds = [str(options.first + i) for i in range(options.seeds)]
        subprocess.run([options.program, *["--wide"] * options.wide, *seeds, "--write", file.name], check=True)
        scenes, rates = read_scenes(file.name)

    names = ["ours", "ours, seen", *OTHERS]
    rows = collections.defaultdict(lambda: collections.defaultdict(list))  # kind, name: scores
    seconds, n_frames = collections.Counter(), 0
    for (kind, seed), scene in scenes.items():
        n_frames += len(scene)
        ours = {frame: lists["track"] + lists["coasting"] for frame, lists in scene.items()}
        seen = {frame: lists["track"] for frame, lists in scene.items()}
        rows[kind]["ours"].append(score(scene, ours))
        rows[kind]["ours, seen"].append(score(scene, seen))
        for name, tracker_class in OTHERS.items():
            start = time.monotonic()
            result = run_other(tracker_class, scene, rates[kind, seed])
            seconds[name] += time.monotonic() - start
            rows[kind][name].append(score(scene, result))

    print(f"\n{options.seeds} scenes of each kind: IDF1, MOTA, identity switches a scene")
    print(f'{"scene":6}' + "".join(f"{name:>22}" for name in names))
    means = {kind: {name: numpy.mean(rows[kind][name], axis=0) for name in names} for kind in rows}
    means["mean"] = {name: numpy.mean([means[kind][name] for kind in rows], axis=0) for name in names}
    for kind, row in means.items():
        print(f"{kind:6}" + "".join(f"{row[n][0]:10.3f}{row[n][1]:7.3f}{row[n][2]:5.1f}" for n in names))
    print("ms a frame: " + ", ".join(f"{name} {seconds[name] / n_frames * 1e3:.2f}" for name in OTHERS))

    behind = [
        f"{kind}: {name} {means[kind][name][0]:.3f}, ours {means[kind]['ours'][0]:.3f}"
        for kind in rows
        for name in OTHERS
        if means[kind][name][0] > means[kind]["ours"][0] + 0.01
    ]
    print("behind by more than 0.01: " + ("; ".join(behind) if behind else "nowhere"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
