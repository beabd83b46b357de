# gst-cca: rows of tracks and events from the lines of a recording
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A track is a row: when it begins and ends, and where its box was in each frame. An event is a row."""

from datetime import datetime, timedelta, timezone

import pyarrow as pa

UTC = pa.timestamp("us", tz="UTC")
WHERE = [("camera", pa.string()), ("file", pa.string())]
POINT = pa.struct(
    [
        ("utc", UTC),
        ("stream-time", pa.uint64()),
        ("state", pa.string()),
        *[(name, pa.int64()) for name in ("label", "x", "y", "width", "height", "area", "age")],
        *[(name, pa.float64()) for name in ("centroid-x", "centroid-y", "velocity-x", "velocity-y")],
    ]
)
TRACKS = pa.schema(
    [
        *WHERE,
        ("track-id", pa.uint64()),
        ("begin", UTC),
        ("end", UTC),
        ("utc-source", pa.string()),
        ("frame-width", pa.uint32()),
        ("frame-height", pa.uint32()),
        ("points", pa.list_(POINT)),
    ]
)
EVENTS = pa.schema(
    [
        *WHERE,
        ("utc", UTC),
        ("utc-source", pa.string()),
        ("stream-time", pa.uint64()),
        *[(name, pa.string()) for name in ("type", "rule", "direction")],
        ("track-id", pa.uint64()),
        *[(name, pa.float64()) for name in ("x", "y")],
        *[(name, pa.uint64()) for name in ("dwell", "n-in", "n-out", "occupancy")],
    ]
)
EPOCH = datetime.fromtimestamp(0, timezone.utc)


def read(lines):
    """Returns a recording's tracks and events, as rows, and its length in microseconds, from its lines."""
    tracks, events, length = {}, [], 0
    for line in lines:
        when = {"utc": datetime.fromisoformat(line["utc"]), "utc-source": line["utc-source"]}
        when["stream-time"] = line["stream-time"]
        length = (line["stream-time"] + line.get("duration", 0)) // 1000
        frame = {"utc-source": line["utc-source"], "frame-width": line["width"], "frame-height": line["height"]}
        for track in line.get("tracks", []):
            row = tracks.setdefault(track["track-id"], {"track-id": track["track-id"], **frame, "points": []})
            row["points"].append({**when, **track})
        events += [{**when, **event} for event in line.get("events", [])]
    return list(tracks.values()), events, length


def tables(camera, file, lines, source, end=None):
    """Returns the tables of tracks and events of a recording. `source` is where UTC is from, if not from the recording
    itself: where that only says when the recording ended, at `end`, its lines have UTC since 1970."""
    tracks, events, length = read(lines)
    shift = end - EPOCH - timedelta(microseconds=length) if end else timedelta()
    points = [point for track in tracks for point in track["points"]]
    for row in points + events:
        if row["utc-source"] == "start":
            row["utc"] += shift
    for row in tracks + events:
        row.update(camera=camera, file=file)
        if row["utc-source"] == "start":
            row["utc-source"] = source
    for track in tracks:
        track.update(begin=track["points"][0]["utc"], end=track["points"][-1]["utc"])
    return pa.Table.from_pylist(tracks, TRACKS), pa.Table.from_pylist(events, EVENTS)
