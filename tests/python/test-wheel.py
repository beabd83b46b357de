#!/usr/bin/env python3
# gst-cca: the installed wheel as a user has it, against OpenCV, SciPy, scikit-image and cc3d on scikit-image's pictures
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-wheel.py SOURCE_ROOT WHEEL    by wheel.sh"""

import doctest
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import cc3d
import cv2
import numpy as np
import skimage.data
import skimage.filters
from skimage import measure

import gstcca

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import images  # noqa: E402
import tap  # noqa: E402

SOURCE, WHEEL = Path(sys.argv[1]), Path(sys.argv[2])
# Those that scikit-image brings.
PICTURES = ("coins", "camera", "page", "text", "moon")


def masks():
    for name in PICTURES:
        try:
            picture = getattr(skimage.data, name)()
        except Exception:  # fetched where there is a network
            continue
        yield picture > skimage.filters.threshold_otsu(picture)
    yield skimage.data.binary_blobs(512, rng=1)
    yield from images.scenes()


def the_wheel_is_what_its_name_says():
    tags = "manylinux2014_x86_64.manylinux_2_17_x86_64"
    assert re.fullmatch(rf"gst_cca-{re.escape(gstcca.__version__)}-py3-none-{re.escape(tags)}\.whl", WHEEL.name), WHEEL
    with zipfile.ZipFile(WHEEL) as wheel:
        names = set(wheel.namelist())
        libraries = [wheel.read(f"gstcca/{name}.so.0") for name in ("libcca", "libccatracker")]
    sources = {f"gstcca/{path.name}" for path in (SOURCE / "cca/python/gstcca").glob("*.py")}
    assert sources | {"gstcca/py.typed"} <= names, names
    assert not [name for name in names if "__pycache__" in name or "test" in name], names
    assert not [library for library in libraries if b".symtab" in library], "a library is not stripped"
    assert len(libraries[1]) < 200_000, len(libraries[1])
    assert Path(gstcca.__file__).is_relative_to(sys.prefix), gstcca.__file__


def the_page_says_what_happens():
    failed, tried = doctest.testfile(str(SOURCE / "docs" / "python.md"), module_relative=False)
    assert failed == 0 and tried > 20


def types_are_complete():
    package = Path(gstcca.__file__).parent
    program = """
import numpy as np
import gstcca

count: int = gstcca.connected_components(np.zeros((3, 3)), min_area=3).count
table = gstcca.regionprops_table(np.zeros((3, 3)), ("label",), foreground="nonzero")
found = gstcca.BackgroundModel("samples", min_area=20).apply(np.zeros((3, 3), np.uint8))
tracks = gstcca.Tracker((3, 3)).update(found, 0.5)["track_id"]
"""
    Path("good.py").write_text(program)
    Path("bad.py").write_text(program.replace("min_area", "min_aera"))
    for arguments, status in (([package], 0), (["good.py"], 0), (["bad.py"], 1)):
        command = [sys.executable, "-m", "mypy", "--strict", *arguments]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == status, result.stdout + result.stderr
    assert result.stdout.count("min_aera") == 2, result.stdout


def labels_are_those_of_others():
    n_masks = 0
    for mask in masks():
        n_masks += 1
        for connectivity in (4, 8):
            found = gstcca.connected_components(mask, connectivity)
            theirs, n = measure.label(mask, return_num=True, connectivity=1 if connectivity == 4 else 2)
            assert found.count == n and np.array_equal(found.labels, theirs)  # also in raster order
            assert np.array_equal(found.labels, images.scipy_labels(mask, connectivity)[0])
            theirs, n = cc3d.connected_components(mask, connectivity=connectivity, return_N=True)
            pairs = np.unique(np.stack([found.labels.ravel(), theirs.ravel()]), axis=1)
            assert found.count == n and pairs.shape[1] == n + (not mask.all())
    assert n_masks >= 6, f"only {n_masks} masks"


def results_are_those_of_opencv():
    for mask in masks():
        for connectivity in (4, 8):
            expected = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=connectivity)
            found = gstcca.connected_components_with_stats(mask, connectivity=connectivity, order="opencv")
            assert found[0] == expected[0]
            assert all(np.array_equal(mine, theirs) for mine, theirs in zip(found[1:], expected[1:]))


def statistics_are_those_of_cc3d():
    for mask in masks():
        found = gstcca.connected_components(mask)
        theirs = cc3d.statistics(found.labels.astype(np.uint32), no_slice_conversion=True)
        assert np.array_equal(found.stats["area"], theirs["voxel_counts"][1:])
        centroids = np.stack([found.stats["centroid_y"], found.stats["centroid_x"]], axis=1)
        assert np.allclose(centroids, theirs["centroids"][1:])


def tables_are_those_of_scikit_image():
    names = (
        *("label", "area", "bbox", "area_bbox", "extent", "equivalent_diameter_area", "centroid"),
        *("axis_major_length", "axis_minor_length", "orientation", "eccentricity"),
        *("perimeter", "perimeter_crofton", "euler_number", "intensity_mean", "intensity_min", "intensity_max"),
    )
    for mask in masks():
        grey = np.where(mask, np.random.default_rng(2).integers(1, 256, mask.shape), 0).astype(np.uint8)
        found = gstcca.connected_components(grey, covariance=True, shape=True, intensity=True)
        mine = gstcca.regionprops_table(found, names)
        theirs = measure.regionprops_table(found.labels, grey, properties=names)
        assert list(mine) == list(theirs)
        round_ones = np.isclose(theirs["axis_major_length"], theirs["axis_minor_length"], rtol=1e-7)
        for name, column in theirs.items():
            assert mine[name].dtype == column.dtype, (name, mine[name].dtype, column.dtype)
            # scikit-image's roots of differences lose digits near 0; a round component has no orientation.
            near = np.isclose(mine[name], column, rtol=1e-9, atol=1e-6)
            if name == "orientation":
                near |= round_ones | np.isclose(abs(mine[name] - column), np.pi)
            assert near.all(), (name, mine[name][~near][:5], column[~near][:5])


def tensors_on_the_cpu_share_their_memory():
    """PyTorch's are not here; DLPack is the same."""

    class Tensor:
        def __init__(self, array):
            self.array = array

        def __array__(self, *arguments, **options):
            return self.array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    mask = images.noise((30, 40), 40)
    assert np.array_equal(gstcca.connected_components(Tensor(mask)).labels, images.scipy_labels(mask, 8)[0])


sys.exit(
    tap.run(
        the_wheel_is_what_its_name_says,
        the_page_says_what_happens,
        types_are_complete,
        labels_are_those_of_others,
        results_are_those_of_opencv,
        statistics_are_those_of_cc3d,
        tables_are_those_of_scikit_image,
        tensors_on_the_cpu_share_their_memory,
    )
)
