#!/usr/bin/python3
# gst-cca: the Python module on the CPU, against SciPy, OpenCV and NumPy; and its page
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-python.py SOURCE_ROOT COMPILER...

Wants PYTHONPATH to name cca/python, and GSTCCA_LIBRARY the built libcca."""

import ctypes
import doctest
import gc
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import cv2
import numpy as np
from scipy import ndimage

import gstcca
from gstcca import _arrays, _library, _plans, _tracker

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import images  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

SOURCE, COMPILER = Path(sys.argv[1]), sys.argv[2:]
# Structs by their names in cca.h.
STRUCTS = {
    "CcaContextOptions": _library.ContextOptions,
    "CcaChroma": _library.Chroma,
    "CcaImage": _library.Image,
    "CcaMotion": _library.Motion,
    "CcaParams": _library.Params,
    "CcaComponent": _library.Component,
    "CcaShape": _library.Shape,
    "CcaIntensity": _library.Intensity,
    "CcaMeasurement": _library.Measurement,
    "CcaAlgorithm": _library.Algorithm,
    "GstCcaTrackerParams": _tracker.TrackerParams,
    "GstCcaTrackerComponent": _tracker.TrackerComponent,
    "GstCcaTrackerFrame": _tracker.TrackerFrame,
    "GstCcaPublished": _tracker.Published,
    "GstCcaGroundPoint": _tracker.GroundPoint,
    "GstCcaTrackerHeight": _tracker.Height,
}
CONSTANTS = {
    **{f"CCA_{name}": getattr(_library, name) for name in dir(_library) if name.startswith(("ERROR_", "OUTPUT_"))},
    **{f"CCA_{name}": getattr(_library, name) for name in dir(_library) if name.startswith(("FORMAT_", "MEMORY_"))},
    **{f"CCA_{name}": getattr(_library, name) for name in dir(_library) if name.startswith("BACKEND_")},
    **{f"CCA_FOREGROUND_{name.upper()}": value for value, name in enumerate(_library.FOREGROUNDS)},
    **{f"CCA_ORDER_{name.upper()}": value for value, name in enumerate(_library.ORDERS)},
    **{f"CCA_MODEL_{name.upper().replace('-', '_')}": value for value, name in enumerate(_library.MODELS)},
    "CCA_MAX_COMPONENTS": _library.MAX_COMPONENTS,
    **{f"GST_CCA_OBJECT_{state.name}": state + 1 for state in gstcca.TrackState},
    "GST_CCA_GROUND_HORIZON": len(_tracker.FAULTS) - 1,
    "GST_CCA_GROUND_MAX_POINTS": _tracker.MOST_POINTS,
    "GST_CCA_TRACKER_MAX_AGE": _tracker.FOREVER,
}


INCLUDED = [f"-I{SOURCE}/gst/{folder}" for folder in ("common", "ground", "track")]


def structs_and_constants_are_those_of_the_header():
    """A C compiler checks each member's place and size, and each constant."""
    lines = ['#include "cca/cca.h"\n#include "gst/track/shared.h"']
    for name, struct in STRUCTS.items():
        lines.append(f'_Static_assert (sizeof ({name}) == {ctypes.sizeof(struct)}, "{name}");')
        for field, _ in struct._fields_:
            member = f"allocator.{field}" if field in ("alloc", "free", "user") else field
            place = getattr(struct, field)
            same = f"offsetof ({name}, {member}) == {place.offset} && sizeof ((({name} *) 0)->{member}) == {place.size}"
            lines.append(f'_Static_assert ({same}, "{name}.{member}");')
    lines += [f'_Static_assert ({name} == {value}, "{name}");' for name, value in CONSTANTS.items()]
    command = [*COMPILER, "-fsyntax-only", "-x", "c", f"-I{SOURCE}", *INCLUDED, "-"]
    result = subprocess.run(command, input="\n".join(lines) + "\n", text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    result = subprocess.run(command, input=lines[0] + '\n_Static_assert (0, "");\n', text=True, capture_output=True)
    assert result.returncode != 0, "the compiler checks nothing"


def labels_are_those_of_scipy():
    for connectivity in (4, 8):
        for image in [*images.all_noise(), *images.scenes()]:
            expected, n = images.scipy_labels(image, connectivity)
            found = gstcca.connected_components(image, connectivity)
            assert found.count == n and found.labels.dtype == np.int32
            assert np.array_equal(found.labels, expected), (connectivity, image.shape)


def measurements_are_those_of_numpy():
    names = ("x", "y", "width", "height", "area", "centroid_x", "centroid_y", "cov_xx", "cov_xy", "cov_yy")
    for connectivity in (4, 8):
        for image in [images.noise((20, 30), density) for density in (5, 40, 60)] + list(images.scenes()):
            found = gstcca.connected_components(image, connectivity, covariance=True)
            rows = images.measured(found.labels, found.count)
            assert found.stats["label"].tolist() == list(range(1, found.count + 1))
            assert np.allclose([found.stats[name] for name in names], np.transpose(rows), rtol=1e-12, atol=1e-9)


def shapes_and_intensities_are_those_of_numpy():
    rng = np.random.default_rng(5)
    for connectivity in (4, 8):
        for dtype in (np.uint8, np.uint16, np.dtype(">u2")):
            for image in [images.noise((20, 30), density) for density in (5, 40, 60)] + list(images.scenes()):
                grey = np.where(image, rng.integers(1, np.iinfo(dtype).max + 1, image.shape), 0).astype(dtype)
                found = gstcca.connected_components(grey, connectivity, shape=True, intensity=True)
                rows = images.shapes(found.labels, found.count, connectivity)
                names = ("perimeter", "euler_number")
                assert np.allclose([found.stats[name] for name in names], np.transpose(rows), rtol=1e-12)
                of_each = [grey[found.labels == label] for label in found.stats["label"]]
                assert found.stats["intensity_mean"].tolist() == [values.mean() for values in of_each]
                assert found.stats["intensity_min"].tolist() == [values.min() for values in of_each]
                assert found.stats["intensity_max"].tolist() == [values.max() for values in of_each]
                # What is not asked for is not there, and what is always there stays the same.
                alone = gstcca.connected_components(grey, connectivity, intensity=True)
                assert "perimeter" not in alone.stats.dtype.names
                same = [name for name in alone.stats.dtype.names if name in found.stats.dtype.names]
                assert len(same) == len(alone.stats.dtype.names)
                assert all(np.array_equal(alone.stats[name], found.stats[name]) for name in same)


def results_are_those_of_opencv():
    """Bit for bit; a row without pixels is not compared, as OpenCV's varies."""
    for connectivity in (4, 8):
        for image in [*images.all_noise(), *images.scenes(), images.noise((480, 640), 30)]:
            for ltype in (cv2.CV_32S, cv2.CV_16U):
                if ltype == cv2.CV_16U and image.size > 65535:
                    continue
                expected = cv2.connectedComponentsWithStats(image, connectivity=connectivity, ltype=ltype)
                found = gstcca.connected_components_with_stats(
                    image, connectivity=connectivity, ltype=ltype, order="opencv"
                )
                first = 0 if (image == 0).any() else 1
                assert found[0] == expected[0]
                assert found[1].dtype == expected[1].dtype and np.array_equal(found[1], expected[1])
                assert found[2].dtype == expected[2].dtype and np.array_equal(found[2][first:], expected[2][first:])
                assert np.array_equal(found[3][first:], expected[3][first:])
    assert (gstcca.CV_16U, gstcca.CV_32S) == (cv2.CV_16U, cv2.CV_32S)
    for name in ("LEFT", "TOP", "WIDTH", "HEIGHT", "AREA", "MAX"):
        assert getattr(gstcca, f"CC_STAT_{name}") == getattr(cv2, f"CC_STAT_{name}")


def results_in_the_shape_of_opencv_can_be_ordered():
    image = images.noise((60, 90), 40)
    by_raster = gstcca.connected_components_with_stats(image)
    assert np.array_equal(by_raster[1], images.scipy_labels(image, 8)[0])
    n, labels, stats, centroids = gstcca.connected_components_with_stats(image, order="area")
    assert n == by_raster[0] and (np.diff(stats[1:, gstcca.CC_STAT_AREA]) <= 0).all()
    for number in range(n):
        y, x = np.nonzero(labels == number)
        assert stats[number].tolist() == [x.min(), y.min(), np.ptp(x) + 1, np.ptp(y) + 1, x.size]
        assert np.allclose(centroids[number], (x.mean(), y.mean()), rtol=1e-12)
    arrays = np.ones((60, 90), np.int32), np.ones((n, 5), np.int32), np.ones((n, 2))
    found = gstcca.connected_components_with_stats(image, *arrays)
    assert all(mine is given for mine, given in zip(found[1:], arrays))
    full = gstcca.connected_components_with_stats(np.ones((3, 4), np.uint8))
    assert full[2][0].tolist() == [0] * 5 and np.isnan(full[3][0]).all()
    expect(
        ValueError, "65535", gstcca.connected_components_with_stats, images.noise((999, 999), 20), ltype=gstcca.CV_16U
    )


def every_kind_of_labels():
    image = images.noise((50, 70), 40)
    expected, n = images.scipy_labels(image, 8)
    for kind in ("int32", "uint32", "uint16", "mask", "colors"):
        labels = gstcca.connected_components(image, labels=kind, stats=False).labels
        given = np.full_like(labels, 7)
        assert gstcca.connected_components(image, labels=given).labels is given
        assert np.array_equal(labels, given)
        if kind == "mask":
            assert labels.dtype == np.uint8 and np.array_equal(labels, np.where(expected, 255, 0))
        elif kind == "colors":
            numbers = labels.view(np.uint32)[..., 0]
            assert labels.shape == (50, 70, 4)
            for number in range(n + 1):
                assert np.unique(numbers[expected == number]).size == 1
            assert np.unique(numbers).size > n // 2
        else:
            assert labels.dtype == np.dtype(kind) and np.array_equal(labels, expected)
    for nothing in (False, None):
        found = gstcca.connected_components(image, labels=nothing, stats=False)
        assert found.labels is None and found.count == n and found.stats.size == 0
    # Rows of a larger array, which keeps the rest.
    frame = np.full((60, 90), 7, np.int32)
    gstcca.connected_components(image, labels=frame[5:55, 10:80])
    assert np.array_equal(frame[5:55, 10:80], expected)
    frame[5:55, 10:80] = 7
    assert (frame == 7).all()


def every_type_and_layout():
    image = images.noise((40, 60), 40)
    expected, n = images.scipy_labels(image, 8)
    kinds = ("bool", "uint8", "int8", "<u2", ">u2", "int16", "uint32", "int64", "float16", "float32", "float64")
    for kind in kinds:
        assert np.array_equal(gstcca.connected_components((image > 0).astype(kind)).labels, expected), kind
    assert np.array_equal(gstcca.connected_components(-0.5 * (image > 0)).labels, expected)
    assert np.array_equal(gstcca.connected_components(image.tolist()).labels, expected)
    assert np.array_equal(gstcca.connected_components(np.asfortranarray(image)).labels, expected)
    assert np.array_equal(gstcca.connected_components(image.repeat(2, 1)[:, ::2]).labels, expected)
    for turned in (
        image[::-1],
        image[:, ::-1],
        image.T,
        np.repeat(image[:1], 5, 0),
        np.broadcast_to(image[:1], (5, 60)),
    ):
        assert np.array_equal(gstcca.connected_components(turned).labels, images.scipy_labels(turned, 8)[0])
    view = np.zeros((50, 80), np.uint8)
    view[3:43, 7:67] = image
    assert np.array_equal(gstcca.connected_components(view[3:43, 7:67]).labels, expected)
    read_only = image.copy()
    read_only.flags.writeable = False
    assert np.array_equal(gstcca.connected_components(read_only).labels, expected)


def batches():
    batch = np.stack([images.noise((30, 45), density) for density in (0, 10, 40, 60, 100)])
    for layout in (batch, batch[::-1], batch[::2], np.asfortranarray(batch), batch[:, 2:20, 5:40]):
        for connectivity in (4, 8):
            for labels in (True, "mask", "colors", False):
                found = gstcca.connected_components(layout, connectivity, labels, shape=True)
                assert len(found) == len(layout) == len(list(found))
                for i, one in enumerate(found):
                    alone = gstcca.connected_components(layout[i], connectivity, labels, shape=True)
                    assert one.count == alone.count == found.counts[i]
                    assert np.array_equal(one.stats, alone.stats)
                    assert labels is False or np.array_equal(one.labels, alone.labels)
    assert np.array_equal(found[-1].stats, found[len(found) - 1].stats)
    expect(IndexError, "", lambda: found[len(found)])
    empty = gstcca.connected_components(np.zeros((0, 30, 45), np.uint8))
    assert empty.count == 0 and empty.labels.shape == (0, 30, 45) and empty.stats.size == 0
    few = gstcca.connected_components(batch, max_components=3)
    assert few.counts.tolist() == gstcca.connected_components(batch).counts.tolist()
    assert few.n_stored.tolist() == [min(3, n) for n in few.counts]
    assert all(one.stats["label"].tolist() == list(range(1, len(one.stats) + 1)) for one in few)


def options_decide_what_is_foreground_and_what_is_kept():
    grey = np.random.default_rng(3).integers(0, 256, (60, 80), np.uint8)
    wide = np.random.default_rng(3).integers(0, 65536, (60, 80), np.uint16)

    def same(mask, image, **options):
        found = gstcca.connected_components(image, **options)
        assert np.array_equal(found.labels, images.scipy_labels(mask, 8)[0]), options

    same(grey > 16, grey, black=16)
    same(grey > 127, grey, foreground="threshold")
    same(grey > 200, grey, foreground="threshold", threshold=200)
    same(wide > 40000, wide, foreground="threshold", threshold=40000)
    same((grey >= 50) & (grey <= 90), grey, foreground="range", low=50, high=90)
    same(wide >= 50000, wide, foreground="range", low=50000)
    same(grey <= 127, grey, foreground="threshold", invert=True)
    majority = ndimage.uniform_filter((grey > 127).astype(float), 3, mode="constant") > 4.5 / 9
    same(majority, grey, foreground="threshold", denoise=True)
    closed = ndimage.binary_closing(np.pad(grey > 240, 9), np.ones((5, 5)))[9:-9, 9:-9]
    same(closed, grey, foreground="threshold", threshold=240, close_radius=2)

    labels, n = images.scipy_labels(grey > 127, 8)
    areas = np.bincount(labels.ravel())[1:]
    kept = (labels > 0) & np.isin(labels, 1 + np.flatnonzero((areas >= 3) & (areas <= 9)))
    found = gstcca.connected_components(grey, labels="mask", foreground="threshold", min_area=3, max_area=9)
    assert np.array_equal(found.labels > 0, kept) and found.count == ((areas >= 3) & (areas <= 9)).sum()
    found = gstcca.connected_components(grey, foreground="threshold", min_width=2, max_height=3)
    boxes = gstcca.connected_components(grey, foreground="threshold").stats
    assert found.count == ((boxes["width"] >= 2) & (boxes["height"] <= 3)).sum()
    by_area = gstcca.connected_components(grey, foreground="threshold", order="area").stats
    assert np.array_equal(by_area["area"], np.sort(areas)[::-1])

    values = grey // 64
    found = gstcca.connected_components(values, 4, foreground="values")
    assert found.count == sum(images.scipy_labels(values == value, 4)[1] for value in (1, 2, 3))


def algorithms_and_threads_change_nothing():
    image = images.noise((300, 400), 50)
    expected = gstcca.connected_components(image)
    names = gstcca.algorithms()
    assert "runs" in names and all(names.values())
    for options in [{"algorithm": name} for name in names] + [{"n_threads": 4}]:
        found = gstcca.connected_components(image, **options)
        assert np.array_equal(found.labels, expected.labels) and np.array_equal(found.stats, expected.stats)


def wrong_arguments_are_named():
    image = np.zeros((4, 6), np.uint8)
    f = gstcca.connected_components
    expect(ValueError, "connectivity is 6", f, image, 6)
    expect(ValueError, "connectivity is -8", f, image, -8)
    expect(ValueError, "1 dimensions", f, image[0])
    expect(ValueError, "4 dimensions", f, image[None, None])
    expect(ValueError, "", f, image[:0])
    expect(ValueError, "labels is 'int64'", f, image, labels="int64")
    expect(ValueError, "shape (4, 5)", f, image, labels=np.zeros((4, 5), np.int32))
    expect(ValueError, "float64", f, image, labels=np.zeros((4, 6)))
    expect(ValueError, "contiguous", f, image, labels=np.zeros((4, 12), np.int32)[:, ::2])
    locked = np.zeros((4, 6), np.int32)
    locked.flags.writeable = False
    expect(ValueError, "read-only", f, image, labels=locked)
    expect(ValueError, "overlap", f, image, labels=image)
    expect(ValueError, "overlap", f, image[1:], labels=image[:3])
    expect(TypeError, "unknown option 'minimum'", f, image, minimum=3)
    expect(ValueError, "foreground is 'white'", f, image, foreground="white")
    expect(ValueError, "BackgroundModel", f, image, foreground="motion")
    expect(ValueError, "order is 'size'", f, image, order="size")
    expect(ValueError, "threshold is -1", f, image, foreground="threshold", threshold=-1)
    expect(ValueError, "threshold is 65536", f, image, foreground="threshold", threshold=65536)
    expect(ValueError, "threshold is 256", f, image, foreground="threshold", threshold=256)
    expect(ValueError, "min_area is 9", f, image, min_area=9, max_area=3)
    expect(ValueError, "algorithm", f, image, algorithm="best")
    expect(ValueError, "n_threads", f, image, n_threads=0)
    expect(TypeError, "float32", f, image.astype("f4"), foreground="threshold")
    expect(TypeError, "stream is a str", f, image, stream="main")
    expect(ValueError, "stream", f, image, stream=1)
    expect(ValueError, "order is 'size'", gstcca.connected_components_with_stats, image, order="size")
    expect(ValueError, "ltype is 5", gstcca.connected_components_with_stats, image, ltype=5)
    expect(ValueError, "3 dimensions", gstcca.connected_components_with_stats, image[None])
    expect(ValueError, "no property 'solidity'", gstcca.regionprops_table, image, ("solidity",))
    expect(ValueError, "covariance=True", gstcca.regionprops_table, f(image), ("orientation",))
    expect(ValueError, "shape=True", gstcca.regionprops_table, f(image, intensity=True), ("euler_number",))
    expect(ValueError, "intensity=True", gstcca.regionprops_table, f(image, shape=True), ("intensity_max",))
    expect(TypeError, "float32", f, image.astype("f4"), intensity=True)
    expect(TypeError, "no effect", gstcca.regionprops_table, f(image), ("label",), min_area=3)
    expect(ValueError, "model is 'knn'", gstcca.BackgroundModel, "knn")
    expect(ValueError, "learning is -1", gstcca.BackgroundModel, learning=-1)
    expect(ValueError, "backend is 'gpu'", gstcca.algorithms, "gpu")


def tables_have_an_ellipse_s_axes():
    y, x = np.mgrid[:200, :300]
    for angle in np.radians((-60, -30, 0, 20, 45, 90)):
        # Along the rows' axis, turned towards that of the columns.
        along = (y - 100) * np.cos(angle) + (x - 150) * np.sin(angle)
        across = (x - 150) * np.cos(angle) - (y - 100) * np.sin(angle)
        image = (along / 70) ** 2 + (across / 25) ** 2 <= 1
        table = gstcca.regionprops_table(
            image, ("axis_major_length", "axis_minor_length", "orientation", "eccentricity", "centroid", "bbox")
        )
        assert abs(table["axis_major_length"][0] - 140) < 0.5 and abs(table["axis_minor_length"][0] - 50) < 0.5
        assert abs(np.sin(table["orientation"][0] - angle)) < 0.01
        assert abs(table["eccentricity"][0] - np.sqrt(1 - (25 / 70) ** 2)) < 0.01
        assert abs(table["centroid-0"][0] - 100) < 1e-9 and abs(table["centroid-1"][0] - 150) < 1e-9
        rows, columns = np.flatnonzero(image.any(1)), np.flatnonzero(image.any(0))
        box = [int(table[f"bbox-{i}"][0]) for i in range(4)]
        assert box == [rows[0], columns[0], rows[-1] + 1, columns[-1] + 1]
    found = gstcca.connected_components(image, covariance=True)
    table = gstcca.regionprops_table(found, ("covariance",), separator="_")
    assert list(table) == [f"covariance_{i}_{j}" for i in (0, 1) for j in (0, 1)]
    assert np.allclose(np.reshape(list(table.values()), (2, 2)), np.cov(*np.nonzero(image), ddof=0))
    assert gstcca.regionprops_table(np.zeros((5, 5), np.uint8), ("label", "eccentricity"))["eccentricity"].size == 0


def a_model_sees_what_moves():
    cases = (
        ("samples", np.uint8, {}),
        ("sigma-delta", np.uint8, {}),
        ("sigma-delta", np.uint16, {"v_min": 2000, "v_max": 60000}),
    )
    for name, kind, settings in cases:
        model = gstcca.BackgroundModel(name, learning=20, min_area=20, **settings)
        street = np.random.default_rng(1).integers(90, 110, (120, 160)).astype(kind) * (1 if kind == np.uint8 else 257)
        for _ in range(25):
            assert model.apply(street).count == 0
        assert not model.learning and not model.scene_change
        frame = street.copy()
        frame[40:60, 50:70] = np.iinfo(kind).max
        found = model.apply(frame)
        assert found.count == 1 and abs(found.stats["centroid_x"][0] - 59.5) < 1
        assert found.labels[50, 60] == 255 and found.labels[10, 10] == 0
        out = np.zeros(frame.shape, np.uint8)
        assert model.apply(frame, out=out).labels is out and out[50, 60] == 255
        model.reset()
        assert model.apply(frame).count == 0 and model.learning
        expect(ValueError, "another BackgroundModel", model.apply, frame[:50])
    expect(ValueError, "height×width", gstcca.BackgroundModel().apply, frame[None])


def a_model_sees_colours():
    """An object of the street's brightness, but another colour; half-size chroma, in planes and interleaved."""
    luma = np.full((120, 160), 100, np.uint8)
    grey = np.full((60, 80, 2), 128, np.uint8)
    red = grey.copy()
    red[20:30, 25:35] = 90, 240
    for planes in (lambda c: (c[..., 0], c[..., 1]), lambda c: (c[..., 0].copy(), c[..., 1].copy())):
        model = gstcca.BackgroundModel(min_area=20)
        for _ in range(40):
            model.apply(luma, chroma=planes(grey))
        found = model.apply(luma, chroma=planes(red))
        assert found.count == 1 and abs(found.stats["centroid_x"][0] - 59.5) < 2
    assert gstcca.BackgroundModel().apply(luma, chroma=planes(grey)).count == 0
    expect(ValueError, "59 rows", model.apply, luma, chroma=planes(grey[:59]))


def a_tracker_follows_components_and_boxes():
    image = np.zeros((120, 160), np.uint8)
    tracker, boxes = gstcca.Tracker((160, 120)), gstcca.Tracker((160, 120), confirm_frames=1)
    for n in range(10):
        image[:] = 0
        image[40:60, 10 + 4 * n : 30 + 4 * n] = 1
        tracks = tracker.update(gstcca.connected_components(image), n / 10)
        assert len(tracks) == (n >= 2), (n, tracks)
        # One box is partly outside, another wholly.
        seen = boxes.update_boxes([(10 + 4 * n, 40, 20, 20), (150, 100, 40, 40), (200, 0, 9, 9)], n / 10, [7, 0, 1])
        assert seen["class_id"].tolist() == [7, 0] and seen["width"].tolist() == [20, 10], seen
    for track in (tracks[0], seen[0]):
        assert track["state"] == gstcca.TrackState.CONFIRMED and track["age"] == 10
        assert [track[name] for name in ("x", "y", "width", "height", "area")] == [46, 40, 20, 20, 400]
        assert (track["centroid_x"], track["centroid_y"]) == (55.5, 49.5) and abs(track["velocity_x"] - 40) < 1
    assert (tracks[0]["class_id"], tracker.n_confirmed, tracker.heights, tracker.metres) == (-1, 1, None, None)
    image[:] = 0
    gone = tracker.update(gstcca.connected_components(image), 1.0)
    assert gone["state"].tolist() == [gstcca.TrackState.COASTING] and gone["label"][0] == 0
    assert len(tracker.update(gstcca.connected_components(image), 3.0)) == 0
    tracker.reset()
    image[5:9, 5:9] = 1
    assert [len(tracker.update(gstcca.connected_components(image), n)) for n in (0, 0.1, 0.2)] == [0, 0, 1]


def a_tracker_knows_the_ground():
    """A camera over a road: people have their height in metres from the first frame on."""
    ground = [(400, 540, 0, 0), (560, 540, 2, 0), (520, 300, 2, 20), (440, 300, 0, 20)]
    tracker = gstcca.Tracker((960, 720), ground=ground, people=True)
    tracker.update_boxes([], 0.0)
    assert tracker.metres is not None and 1.5 < tracker.metres < 1.8, tracker.metres
    assert tracker.heights is not None and tracker.heights[0][1] < tracker.heights[1][1]


def wrong_arguments_of_a_tracker_are_named():
    components = gstcca.connected_components(np.ones((20, 30), np.uint8))
    expect(ValueError, "size", gstcca.Tracker, (0, 5))
    expect(ValueError, "confirm_frames is 0", lambda: gstcca.Tracker((30, 20), confirm_frames=0))
    expect(ValueError, "max_age is -1", lambda: gstcca.Tracker((30, 20), max_age=-1))
    expect(ValueError, "a time is -1", lambda: gstcca.Tracker((30, 20), max_age_time=-1))
    expect(ValueError, "people needs ground", lambda: gstcca.Tracker((30, 20), people=True))
    expect(ValueError, "n×4", lambda: gstcca.Tracker((30, 20), ground=[(0, 0, 0)]))
    expect(ValueError, "at least 4 points", lambda: gstcca.Tracker((30, 20), ground=[(0, 0, 0, 0)]))
    line = [(i, i, i, -i) for i in range(5)]
    expect(ValueError, "lie on a line", lambda: gstcca.Tracker((30, 20), ground=line))
    tracker = gstcca.Tracker((30, 20))
    expect(ValueError, "outside the frame", lambda: gstcca.Tracker((20, 20)).update(components, 0))
    expect(ValueError, "batch", lambda: tracker.update(gstcca.connected_components(np.ones((2, 20, 30))), 0))
    expect(ValueError, "finite", lambda: tracker.update_boxes([(0, 0, 1, np.nan)], 0))
    expect(ValueError, "classes must be 1", lambda: tracker.update_boxes([(0, 0, 1, 1)], 0, [1, 2]))
    model = gstcca.BackgroundModel(coverage=True)
    covered = model.apply(np.zeros((20, 40), np.uint8))
    expect(ValueError, "coverage does not fit", lambda: tracker.update(covered, 0))
    tracker.update(components, 1)
    expect(ValueError, "before that of the last frame", lambda: tracker.update(components, 0.5))


def dlpack_is_read_as_numpy_writes_it():
    class Exported:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, stream):
            return self.array.__dlpack__()

    frame = np.zeros((30, 40, 50), np.uint16)
    for array in (frame, frame[3:, 2:20, 5:], frame[::2].astype(np.uint8), np.asfortranarray(frame), frame[0]):
        read = _arrays._from_dlpack(Exported(array), 1)
        assert (read.pointer, read.shape, read.strides) == (array.ctypes.data, array.shape, array.strides)
        assert read.dtype == array.dtype and read.device == 0


def threads_work_at_once():
    pictures = [images.noise((64 + 8 * i, 96), 40, i) for i in range(6)]
    expected = [images.scipy_labels(picture, 8)[0] for picture in pictures]
    wrong = []

    def work():
        for turn in range(30):
            i = turn % len(pictures)
            if not np.array_equal(gstcca.connected_components(pictures[i], n_threads=2).labels, expected[i]):
                wrong.append(i)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def plans_are_kept_and_freed():
    gstcca.clear_plans()
    image = images.noise((30, 40), 40)
    for _ in range(3):
        gstcca.connected_components(image)
    assert len(_plans._cache.plans) == 1
    for width in range(1, 20):
        gstcca.connected_components(image[:, :width])
    assert len(_plans._cache.plans) == _plans.MAX_PLANS
    gstcca.clear_plans()
    gc.collect()
    plans = [
        one for one in gc.get_objects() if isinstance(one, _plans.Plan) and one not in _plans._cache.plans.values()
    ]
    assert not plans, "plans live on"


def a_fork_can_go_on():
    """A child has none of the threads of its parent's plans, those of the parent's other threads included."""
    image = images.noise((400, 500), 40)
    expected = gstcca.connected_components(image, n_threads=2)
    model = gstcca.BackgroundModel(n_threads=2)
    model.apply(image)
    worked, ended = threading.Event(), threading.Event()

    def work():
        gstcca.connected_components(image, n_threads=2)
        worked.set()
        ended.wait()

    worker = threading.Thread(target=work)
    worker.start()
    worked.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        status = 1
        try:
            found = gstcca.connected_components(image, n_threads=2)
            assert np.array_equal(found.labels, expected.labels)
            expect(RuntimeError, "parent process", model.apply, image)
            del model
            gstcca.clear_plans()
            gc.collect()
            status = 0
        finally:
            os._exit(status)
    ended.set()
    worker.join()
    assert os.waitpid(child, 0)[1] == 0
    assert np.array_equal(gstcca.connected_components(image, n_threads=2).labels, expected.labels)


def a_missing_library_is_named():
    command = [sys.executable, "-c", "import gstcca"]
    environment = {**os.environ, "GSTCCA_LIBRARY": "/nowhere/libcca.so.0"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 1 and "ImportError: gstcca cannot open libcca: /nowhere" in result.stderr, result.stderr


def the_page_says_what_happens():
    failed, tried = doctest.testfile(str(SOURCE / "docs" / "python.md"), module_relative=False)
    assert failed == 0 and tried > 20


def the_example_cleans_masks():
    path = SOURCE / "examples" / "clean_masks.py"
    spec = importlib.util.spec_from_file_location("clean_masks", path)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    masks = np.stack([images.noise((80, 90), density) for density in (30, 50, 70)])
    for mask, clean, filled in zip(masks, example.remove_islands(masks, 12), example.fill_holes(masks, 9)):
        labels, _ = ndimage.label(mask, images.structure(8))
        assert np.array_equal(clean > 0, (labels > 0) & (np.bincount(labels.ravel())[labels] >= 12))
        holes, _ = ndimage.label(mask == 0)
        assert np.array_equal(filled > 0, (mask > 0) | (np.bincount(holes.ravel())[holes] <= 9))
    scores = np.where(masks > 0, 3.0, -2.0)
    filled = example.fill_holes_in_scores(scores, 9)
    assert np.array_equal(filled > 0, example.fill_holes(masks, 9) > 0)
    assert set(np.unique(filled)) == {-2.0, 0.1, 3.0} and set(np.unique(scores)) == {-2.0, 3.0}
    with tempfile.TemporaryDirectory() as folder:
        cv2.imwrite(f"{folder}/mask.png", masks[0])
        subprocess.run([path, f"{folder}/mask.png", f"{folder}/clean.png", "5"], check=True)
        clean = cv2.imread(f"{folder}/clean.png", cv2.IMREAD_GRAYSCALE)
        assert np.array_equal(clean, example.fill_holes(example.remove_islands(masks[0], 5), 5))
        result = subprocess.run([path, f"{folder}/none.png", "x.png"], capture_output=True, text=True)
        assert result.returncode == 1 and "none.png" in result.stderr


sys.exit(
    tap.run(
        structs_and_constants_are_those_of_the_header,
        labels_are_those_of_scipy,
        measurements_are_those_of_numpy,
        shapes_and_intensities_are_those_of_numpy,
        results_are_those_of_opencv,
        results_in_the_shape_of_opencv_can_be_ordered,
        every_kind_of_labels,
        every_type_and_layout,
        batches,
        options_decide_what_is_foreground_and_what_is_kept,
        algorithms_and_threads_change_nothing,
        wrong_arguments_are_named,
        tables_have_an_ellipse_s_axes,
        a_model_sees_what_moves,
        a_model_sees_colours,
        a_tracker_follows_components_and_boxes,
        a_tracker_knows_the_ground,
        wrong_arguments_of_a_tracker_are_named,
        dlpack_is_read_as_numpy_writes_it,
        threads_work_at_once,
        plans_are_kept_and_freed,
        a_fork_can_go_on,
        a_missing_library_is_named,
        the_page_says_what_happens,
        the_example_cleans_masks,
    )
)
