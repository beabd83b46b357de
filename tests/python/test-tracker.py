#!/usr/bin/python3
# gst-cca: the Python module's tracker against the element ccatrack
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-tracker.py SOURCE_ROOT

Wants PYTHONPATH to name cca/python, GSTCCA_LIBRARY and GSTCCA_TRACKER_LIBRARY the built libraries, and GST_PLUGIN_PATH
the plugins."""

import subprocess
import sys
from pathlib import Path

import gi
import numpy as np

import gstcca

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

SOURCE = Path(sys.argv[1])
NAMES = ("track-id", "state", "label", "x", "y", "width", "height", "area", "age")
NAMES += ("centroid-x", "centroid-y", "velocity-x", "velocity-y")


def planes_of(buffer, width, height):
    """The planes of an I420 frame as GStreamer lays them out."""
    data = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), np.uint8)
    pitch, half = (width + 3) // 4 * 4, ((width + 1) // 2 + 3) // 4 * 4
    rows, half_rows = (height + 1) // 2 * 2, (height + 1) // 2
    luma = data[: pitch * rows].reshape(rows, pitch)[:height, :width]
    chroma = data[pitch * rows : pitch * rows + 2 * half * half_rows].reshape(2, half_rows, half)
    return luma, chroma[:, :, : (width + 1) // 2]


def frames_of(source, analysis, track):
    """Yields (seconds, luma, chroma, tracks of the element) for each frame."""
    pipeline = Gst.parse_launch(
        f"{source} ! video/x-raw,format=I420 ! cca foreground=motion post-messages=false {analysis} ! ccatrack {track} "
        "! appsink name=sink sync=false max-buffers=1"
    )
    sink, bus = pipeline.get_by_name("sink"), pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    while sample := sink.emit("pull-sample"):
        info, buffer = GstVideo.VideoInfo.new_from_caps(sample.get_caps()), sample.get_buffer()
        while True:
            told = bus.pop_filtered(Gst.MessageType.ELEMENT).get_structure()
            if told.get_name() == "cca-tracks":
                break
        assert told.get_value("timestamp") == buffer.pts
        tracks = [tuple(int(one.get_value(name)) for name in NAMES[:9]) for one in told.get_value("tracks")]
        exact = [tuple(one.get_value(name) for name in NAMES[9:]) for one in told.get_value("tracks")]
        planes = planes_of(buffer, info.width, info.height)
        yield (buffer.pts / Gst.SECOND, *planes, [a + b for a, b in zip(tracks, exact)])
    error = bus.pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert error is None, error.parse_error()


def compare(frames, model, **options):
    """Follows frames, and compares each track with the element's, bit for bit. Returns how many there are."""
    tracker, n, states = None, 0, set()
    for seconds, luma, chroma, expected in frames:
        tracker = tracker or gstcca.Tracker(luma.shape[::-1], **options)
        tracks = tracker.update(model.apply(luma, chroma=chroma), seconds)
        names = [name.replace("-", "_") for name in NAMES]
        found = [tuple(track[name].item() for name in names) for track in tracks]
        assert found == expected, (seconds, found, expected)
        assert (tracks["class_id"] == -1).all()
        n += len(found)
        states.update(tracks["state"].tolist())
    return n, states, tracker


def vtest():
    command = [SOURCE / "examples" / "fetch-media.sh"]
    path = subprocess.run(command, capture_output=True, text=True)
    if path.returncode:
        raise tap.Skip(f"no vtest.avi: {path.stderr.strip()}")
    return f"filesrc location={path.stdout.strip()} ! decodebin ! videoconvert"


# In full: the module and the element have other defaults.
ANALYSIS = "motion-learning=8 close-radius=3 min-area=442 absorb-time=0"
MODEL = {"learning": 8, "close_radius": 3, "min_area": 442, "labels": None}


def a_street_has_the_element_s_tracks():
    """The tracker of Python does not hold objects in the model, so with absorb-time=0 the element's does not either."""
    model = gstcca.BackgroundModel(coverage=True, **MODEL)
    n, states, tracker = compare(frames_of(vtest(), ANALYSIS, ""), model)
    assert n > 3000 and states == {0, 1, 2}, (n, states)
    assert tracker.heights is not None and tracker.n_confirmed > 20, (tracker.heights, tracker.n_confirmed)


def a_street_without_coverage_has_them_with_other_settings():
    model = gstcca.BackgroundModel(**MODEL)
    frames = frames_of(vtest(), f"{ANALYSIS} coverage=false", "confirm-frames=5 max-age=7 max-age-time=400000000")
    n, states, _ = compare(frames, model, confirm_frames=5, max_age=7, max_age_time=0.4)
    assert n > 2000 and states == {0, 1, 2}, (n, states)


Gst.init(None)
sys.exit(
    tap.run(
        a_street_has_the_element_s_tracks,
        a_street_without_coverage_has_them_with_other_settings,
    )
)
