# gst-cca: the methods that the benchmark of real clips compares
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each function returns a measures.Run of a clip."""

import pathlib
import sys
import time

import cv2
import numpy

import pipeline
import sort
from measures import Frame, Run

sys.path.append(str(pathlib.Path(__file__).parent.parent / "motion"))
import peers  # noqa: E402
import score  # noqa: E402

try:
    import supervision
    import trackers
except ImportError:
    trackers = None

CLOSE_RADIUS = 3  # of the peers' clean-up
PUBLISHED = ("confirmed", "merged")


def box_of(item):
    return item["x"], item["y"], item["x"] + item["width"], item["y"] + item["height"]


def boxes_of(items):
    return numpy.array([box_of(item) for item in items], float).reshape(-1, 4)


def ours(clip, lines):
    """What the elements found, from the lines of ccajson."""
    frames, events = [], []
    for line in lines:
        seconds = line["stream-time"] / 1e9
        tracks = [(t["track-id"], box_of(t)) for t in line.get("tracks", []) if t["state"] in PUBLISHED]
        frames.append(Frame(seconds, tracks, boxes_of(line.get("components", []))))
        crossed = [event for event in line.get("events", []) if event["type"] == "cross"]
        events += [sort.Event(seconds, e["rule"], e["direction"], e["track-id"]) for e in crossed]
    return Run(frames, events)


def track(clip, update, height, detections):
    """Follows (time, boxes) with a tracker, and counts its crossings."""
    frames, counter = [], sort.LineCounter(clip.lines, height)
    for seconds, boxes in detections:
        tracks = update(boxes)
        counter.update(seconds, tracks)
        frames.append(Frame(seconds, tracks, boxes))
    return Run(frames, counter.events)


def on_components(clip, lines, update):
    found = [(line["stream-time"] / 1e9, boxes_of(line.get("components", []))) for line in lines]
    return track(clip, update, lines[0]["height"], found)


def sort_on_components(clip, lines):
    return on_components(clip, lines, sort.Sort().update)


def byte_track(clip, lines):
    """ByteTrack of PyPI's `trackers` with its defaults and the clip's frame rate, on our components."""
    times = [line["stream-time"] / 1e9 for line in lines]
    tracker = trackers.ByteTrackTracker(frame_rate=1 / numpy.median(numpy.diff(times)))

    def update(boxes):
        n = len(boxes)
        detections = supervision.Detections(xyxy=boxes, confidence=numpy.ones(n), class_id=numpy.zeros(n, dtype=int))
        tracked = tracker.update(detections)
        return [(int(i), tuple(box)) for i, box in zip(tracked.tracker_id, tracked.xyxy) if i >= 0]

    return on_components(clip, lines, update)


def subtractor(clip, method):
    """A background subtractor of OpenCV with its defaults, and SORT; the time is that of the subtractor and the
    clean-up."""
    cv2.setNumThreads(1)
    model, seconds, found, height = peers.METHODS[method](), 0.0, [], 0
    for stream_time, picture in pipeline.decode(clip):
        height = picture.shape[0]
        start = time.process_time()
        mask = peers.clean(model.apply(picture), CLOSE_RADIUS, score.min_area_at(picture.shape[0] * picture.shape[1]))
        stats = cv2.connectedComponentsWithStats(mask, connectivity=8)[2][1:]
        seconds += time.process_time() - start
        boxes = stats[:, :4].astype(float)
        boxes[:, 2:] += boxes[:, :2]
        found.append((stream_time, boxes))
    run = track(clip, sort.Sort().update, height, found)
    run.ms = seconds / len(found) * 1e3
    return run


def all_of(clip, cca="", track_settings="", peers_too=True):
    """{name: Run}. ByteTrack is missing without PyPI's `trackers`."""
    lines = pipeline.analyse(clip, cca, track_settings)
    runs = {"ours": ours(clip, lines)}
    runs["ours"].ms = pipeline.milliseconds(clip, len(lines), cca, track_settings)
    if peers_too:
        runs["SORT on our components"] = sort_on_components(clip, lines)
        if trackers:
            runs["ByteTrack on our components"] = byte_track(clip, lines)
        for method in ("MOG2", "KNN"):
            runs[f"{method} + SORT"] = subtractor(clip, method)
    return runs
