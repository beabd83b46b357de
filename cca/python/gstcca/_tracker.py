# gst-cca: identities over time
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Uses libccatracker, the tracker of the element ccatrack. Structs have the members of those in gst/track in their
order; tests/python compares the layouts."""

from __future__ import annotations

import ctypes
import functools
import weakref
from ctypes import POINTER, byref, c_bool, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _library as lib
from ._components import Components

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

FOREVER = (1 << 32) - 1
MOST_POINTS = 256


class TrackState(IntEnum):
    """How a track is visible in a frame."""

    CONFIRMED = 0
    """Seen: the box is that of its components."""
    MERGED = 1
    """Seen in a component shared with other tracks: the box is estimated."""
    COASTING = 2
    """Not seen: the box is predicted."""


class TrackerParams(ctypes.Structure):
    _fields_ = [("confirm_frames", c_uint32), ("max_age", c_uint32), ("max_age_time", c_uint64)]


class TrackerComponent(ctypes.Structure):
    _fields_ = [
        ("label", c_uint32),
        ("x", c_uint32),
        ("y", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("area", c_uint64),
        ("centroid_x", c_double),
        ("centroid_y", c_double),
        ("kind", c_uint32),
    ]


class TrackerFrame(ctypes.Structure):
    _fields_ = [
        ("time", c_uint64),
        ("width", c_uint32),
        ("height", c_uint32),
        ("components", c_void_p),
        ("n_components", c_size_t),
        ("coverage", c_void_p),
        ("colours", c_void_p),
        ("cell", c_uint32),
        ("columns", c_uint32),
        ("rows", c_uint32),
        ("whole", c_bool),
    ]


class Published(ctypes.Structure):
    _fields_ = [
        ("id", c_uint64),
        ("area", c_uint64),
        ("centroid_x", c_double),
        ("centroid_y", c_double),
        ("velocity_x", c_double),
        ("velocity_y", c_double),
        ("state", c_int),
        ("label", c_uint32),
        ("x", c_uint32),
        ("y", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("age", c_uint32),
        ("kind", c_uint32),
    ]


class GroundPoint(ctypes.Structure):
    _fields_ = [("image", c_double * 2), ("place", c_double * 2)]


class Height(ctypes.Structure):
    _fields_ = [("row", c_double), ("height", c_double)]


# Texts of GstCcaGroundFault; a and b are indices of points.
FAULTS = (
    "",
    "at least 4 points are needed",
    "points {a} and {b} are the same",
    "all points, or all but one, lie on a line",
    "the places are a mirror image of the picture: seen from above, y must point to the left of x",
    "the horizon passes between the points, as if point {a} were behind the camera",
)

_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "cca_tracker_new": (c_void_p, [POINTER(TrackerParams)]),
    "cca_tracker_free": (None, [c_void_p]),
    "cca_tracker_reset": (None, [c_void_p]),
    "cca_tracker_set_ground": (
        c_int,
        [c_void_p, POINTER(GroundPoint), c_size_t, c_uint32, c_uint32, c_bool, POINTER(c_size_t), POINTER(c_size_t)],
    ),
    "cca_tracker_run": (c_bool, [c_void_p, POINTER(TrackerFrame), POINTER(c_void_p), POINTER(c_size_t)]),
    "cca_tracker_n_confirmed": (c_uint64, [c_void_p]),
    "cca_tracker_heights": (c_bool, [c_void_p, POINTER(Height)]),
    "cca_tracker_metres": (c_double, [c_void_p]),
}

COMPONENT: np.dtype[Any] = np.dtype(TrackerComponent)
PUBLISHED: np.dtype[Any] = np.dtype(Published)
TRACK: np.dtype[Any] = np.dtype(
    [("track_id", np.uint64), ("state", np.int32), ("label", np.uint32)]
    + [(name, np.uint32) for name in ("x", "y", "width", "height")]
    + [("area", np.uint64)]
    + [(name, np.float64) for name in ("centroid_x", "centroid_y", "velocity_x", "velocity_y")]
    + [("age", np.uint32), ("class_id", np.int64)]
)
SAME = tuple(name for name in TRACK.names or () if name in (PUBLISHED.names or ()) and name != "state")


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    return lib.load("libccatracker", "GSTCCA_TRACKER_LIBRARY", _FUNCTIONS)


class Tracker:
    """Gives the objects of a camera identities over time: follows the components of its frames, or a detector's boxes.

    size: (width, height) of the frames, pixels.

    confirm_frames: a track is returned after it was seen in this many frames. max_age, max_age_time: it ends after
    it was not seen for more than this many frames, or seconds; see docs/elements/ccatrack.md.

    ground: the ground plane, n×4 numbers: for each of at least four points, x and y in the frame, pixels, and x and y
    on the ground, metres. With it, the tracker learns sizes of objects in metres, for the whole frame. people: the
    objects are people, whose size is known from the first frame on.
    """

    def __init__(
        self,
        size: tuple[int, int],
        *,
        confirm_frames: int = 3,
        max_age: Optional[int] = None,
        max_age_time: float = 1.0,
        ground: Optional[ArrayLike] = None,
        people: bool = False,
    ) -> None:
        self.width, self.height = size
        if not (0 < self.width <= 1 << 20 and 0 < self.height <= 1 << 20):
            raise ValueError(f"size is {size}; sides must be 1 to {1 << 20}")
        if not 1 <= confirm_frames <= FOREVER:
            raise ValueError(f"confirm_frames is {confirm_frames}; it must be 1 to {FOREVER}")
        if max_age is not None and not 0 <= max_age <= FOREVER:
            raise ValueError(f"max_age is {max_age}; it must be 0 to {FOREVER}")
        params = TrackerParams(confirm_frames, FOREVER if max_age is None else max_age, _nanoseconds(max_age_time))
        self._tracker = c_void_p(_library().cca_tracker_new(byref(params)))
        if not self._tracker:
            raise MemoryError("out of memory")
        weakref.finalize(self, _library().cca_tracker_free, self._tracker)
        self._time = 0
        if ground is not None:
            self._set_ground(ground, people)
        elif people:
            raise ValueError("people needs ground")

    def _set_ground(self, ground: ArrayLike, people: bool) -> None:
        points = np.ascontiguousarray(ground, np.float64)
        if points.ndim != 2 or points.shape[1] != 4 or not np.isfinite(points).all() or len(points) > MOST_POINTS:
            raise ValueError(
                f"ground must be n×4 finite numbers, n at most {MOST_POINTS}: x, y, pixels, and x, y, metres"
            )
        a, b = c_size_t(), c_size_t()
        fault = _library().cca_tracker_set_ground(
            self._tracker,
            points.ctypes.data_as(POINTER(GroundPoint)),
            len(points),
            self.width,
            self.height,
            people,
            byref(a),
            byref(b),
        )
        if fault:
            raise ValueError("ground: " + FAULTS[fault].format(a=a.value, b=b.value))

    @property
    def n_confirmed(self) -> int:
        """The number of tracks confirmed so far."""
        return int(_library().cca_tracker_n_confirmed(self._tracker))

    @property
    def heights(self) -> Optional[tuple[tuple[float, float], tuple[float, float]]]:
        """Heights of objects, pixels, once learned: (row, height) for two rows, by the row of their feet."""
        heights = (Height * 2)()
        if not _library().cca_tracker_heights(self._tracker, heights):
            return None
        return (heights[0].row, heights[0].height), (heights[1].row, heights[1].height)

    @property
    def metres(self) -> Optional[float]:
        """The height of objects, metres, once known; needs ground."""
        return float(_library().cca_tracker_metres(self._tracker)) or None

    def update(self, components: Components, time: float) -> NDArray[Any]:
        """Takes the components of the next frame, at a time in seconds, which must not decrease. Returns its tracks.

        Components of BackgroundModel(coverage=True) help to separate objects that touch.

        The tracks are records by ascending track_id: track_id, from 1 on; state (TrackState); label of the largest of
        its components, 0 without; the box x, y, width, height; area, pixels; centroid_x, centroid_y; velocity_x,
        velocity_y, pixels a second; age, frames; class_id, here -1.
        """
        if components.is_batch:
            raise ValueError("components belong to a batch: pass result[i]")
        found = np.zeros(len(components.stats), COMPONENT)
        for name in COMPONENT.names or ():
            if name != "kind":
                found[name] = components.stats[name]
        right = found["x"].astype(np.int64) + found["width"]
        lower = found["y"].astype(np.int64) + found["height"]
        if found.size and (right.max() > self.width or lower.max() > self.height):
            raise ValueError(f"a component lies outside the frame of {self.width}×{self.height} pixels")
        frame = TrackerFrame()
        coverage = components.coverage
        if coverage is not None:
            frame.cell, (frame.rows, frame.columns) = coverage.cell, coverage.counts.shape
            if (frame.rows, frame.columns) != (-(-self.height // frame.cell), -(-self.width // frame.cell)):
                raise ValueError(f"coverage does not fit a frame of {self.width}×{self.height} pixels")
            counts, colours = np.ascontiguousarray(coverage.counts), np.ascontiguousarray(coverage.colours)
            frame.coverage, frame.colours = counts.ctypes.data, colours.ctypes.data
        return self._run(frame, found, time)

    def update_boxes(self, boxes: ArrayLike, time: float, classes: Optional[ArrayLike] = None) -> NDArray[Any]:
        """Takes a detector's boxes in the next frame, n×4: x, y, width, height, pixels; and their classes, integers.

        Each box is a whole object of one track. Boxes are clipped to the frame; those outside are ignored.
        Returns tracks as update() does, with the most frequent class of their recent boxes as class_id.
        """
        given = np.asarray(boxes, np.float64).reshape(-1, 4)
        if not np.isfinite(given).all():
            raise ValueError("boxes must be finite")
        kinds = np.full(len(given), -1) if classes is None else np.asarray(classes)
        if (
            kinds.shape != (len(given),)
            or kinds.dtype.kind not in "iu"
            or (kinds < -1).any()
            or (kinds > 1 << 30).any()
        ):
            raise ValueError(f"classes must be {len(given)} integers, -1 (unknown) or more")
        low = np.clip(np.rint(given[:, :2]), 0, (self.width, self.height))
        high = np.clip(np.rint(given[:, :2] + given[:, 2:]), 0, (self.width, self.height))
        inside = (high > low).all(axis=1)
        low, sides, kinds = low[inside], (high - low)[inside], kinds[inside]
        found = np.zeros(len(low), COMPONENT)
        found["label"] = np.arange(1, len(low) + 1)
        found["x"], found["y"] = low.T
        found["width"], found["height"] = sides.T
        found["area"] = sides.prod(axis=1)
        found["centroid_x"], found["centroid_y"] = (low + (sides - 1) / 2).T
        found["kind"] = kinds + 1
        return self._run(TrackerFrame(whole=True), found, time)

    def _run(self, frame: TrackerFrame, found: NDArray[Any], time: float) -> NDArray[Any]:
        now = _nanoseconds(time)
        if now < self._time:
            raise ValueError(f"time is {time}; it must not be before that of the last frame, {self._time / 1e9}")
        self._time = now
        frame.time, frame.width, frame.height = now, self.width, self.height
        frame.components, frame.n_components = found.ctypes.data, len(found)
        published, n = c_void_p(), c_size_t()
        if not _library().cca_tracker_run(self._tracker, byref(frame), byref(published), byref(n)):
            raise MemoryError("out of memory")
        raw = np.empty(n.value, PUBLISHED)
        if raw.size:
            ctypes.memmove(raw.ctypes.data, published, raw.nbytes)
        tracks = np.empty(n.value, TRACK)
        for name in SAME:
            tracks[name] = raw[name]
        tracks["track_id"], tracks["state"] = raw["id"], raw["state"] - 1
        tracks["class_id"] = raw["kind"].astype(np.int64) - 1
        return tracks

    def reset(self) -> None:
        """Forgets all tracks, as after a cut, but keeps the learned sizes. Times may start again."""
        _library().cca_tracker_reset(self._tracker)
        self._time = 0


def _nanoseconds(seconds: float) -> int:
    if not 0 <= seconds < 1 << 34:
        raise ValueError(f"a time is {seconds} s; it must be 0 to {1 << 34}")
    return round(seconds * 1e9)
