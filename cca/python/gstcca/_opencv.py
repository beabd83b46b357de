# gst-cca: connected components with the signature and, on request, the numbering of OpenCV's functions
# SPDX-License-Identifier: LGPL-2.1-or-later
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._components import connected_components

if TYPE_CHECKING:
    from numpy.typing import NDArray

# OpenCV's columns of stats.
CC_STAT_LEFT, CC_STAT_TOP, CC_STAT_WIDTH, CC_STAT_HEIGHT, CC_STAT_AREA, CC_STAT_MAX = range(6)
# OpenCV's types of labels.
CV_16U, CV_32S = 2, 4
ORDERS = ("raster", "area", "opencv")


def _opencv_order(labels: NDArray[Any], n: int, connectivity: int) -> NDArray[Any]:
    """Returns libcca's labels, less 1, in OpenCV's order: with 8-connectivity by their first block of 2×2 pixels in
    raster order, because OpenCV's algorithms are block-based (Grana et al., IEEE TIP 19, 2010; Bolelli et al., IEEE
    TIP 29, 2020); with 4-connectivity by their first pixel."""
    if connectivity == 4:
        return np.arange(n)
    height, width = labels.shape
    blocks = np.zeros(((height + 1) // 2, (width + 1) // 2), labels.dtype)
    for dy in (0, 1):
        for dx in (0, 1):
            part = labels[dy::2, dx::2]
            corner = blocks[: part.shape[0], : part.shape[1]]
            np.maximum(corner, part, out=corner)  # all foreground of a block is connected
    flat = blocks.ravel()
    first = np.full(n + 1, flat.size)
    first[flat[::-1]] = np.arange(flat.size)[::-1]  # the last assignment wins: the first block
    return np.argsort(first[1:], kind="stable")


def _background_stats(labels: NDArray[Any], s: NDArray[Any]) -> tuple[list[int], list[float]]:
    """Measures the background, as OpenCV does: all pixels minus the components'."""
    height, width = labels.shape
    area = height * width - int(s["area"].sum())
    if area == 0:
        return [0] * CC_STAT_MAX, [np.nan, np.nan]
    # The centroid gives back the exact sum, which is at most 2^47.
    sum_x = height * (width * (width - 1) // 2) - int(np.rint(s["centroid_x"] * s["area"]).astype(np.int64).sum())
    sum_y = width * (height * (height - 1) // 2) - int(np.rint(s["centroid_y"] * s["area"]).astype(np.int64).sum())
    top = next(y for y in range(height) if not labels[y].all())
    bottom = next(y for y in reversed(range(height)) if not labels[y].all())
    left = next(x for x in range(width) if not labels[:, x].all())
    right = next(x for x in reversed(range(width)) if not labels[:, x].all())
    return [left, top, right - left + 1, bottom - top + 1, area], [sum_x / area, sum_y / area]


def connected_components_with_stats(
    image: Any,
    labels: Optional[NDArray[Any]] = None,
    stats: Optional[NDArray[Any]] = None,
    centroids: Optional[NDArray[Any]] = None,
    connectivity: int = 8,
    ltype: int = CV_32S,
    *,
    order: str = "raster",
) -> tuple[int, NDArray[Any], NDArray[np.int32], NDArray[np.float64]]:
    """Does what OpenCV's connectedComponentsWithStats() does, with its arguments and results, on the CPU.

    Returns the number of labels with the background, labels (of ltype CV_32S or CV_16U), stats (a row for each label:
    CC_STAT_LEFT, _TOP, _WIDTH, _HEIGHT, _AREA) and centroids (x, y). Writes to given arrays if shape and type fit.

    order: how components are numbered: "raster", by their first pixels, which is the fastest; "area", the largest
    first; "opencv", as OpenCV numbers them, whose results are then the same.
    """
    if order not in ORDERS:
        raise ValueError(f"order is {order!r}; it must be one of {', '.join(ORDERS)}")
    if ltype not in (CV_16U, CV_32S):
        raise ValueError(f"ltype is {ltype}; it must be CV_32S ({CV_32S}) or CV_16U ({CV_16U})")
    image = np.asarray(image)
    if image.ndim != 2:
        raise ValueError(f"the image has {image.ndim} dimensions; it must be height×width")
    dtype = np.dtype(np.int32 if ltype == CV_32S else np.uint16)
    if labels is None or labels.dtype != dtype or labels.shape != image.shape or not labels.flags.c_contiguous:
        labels = np.empty(image.shape, dtype)
    found = connected_components(image, connectivity, labels, order="area" if order == "area" else "raster")
    n, s = found.count, found.stats
    if ltype == CV_16U and n > 65535:
        raise ValueError(f"the image has {n} components; labels of CV_16U number at most 65535: use CV_32S")
    if order != "raster":
        by_number = s["label"].astype(np.int64) - 1 if order == "area" else _opencv_order(labels, n, connectivity)
        s = s if order == "area" else s[by_number]
        numbers = np.zeros(n + 1, dtype)
        numbers[by_number + 1] = np.arange(1, n + 1)
        np.take(numbers, labels, out=labels, mode="clip")
    if stats is None or stats.dtype != np.int32 or stats.shape != (n + 1, CC_STAT_MAX):
        stats = np.empty((n + 1, CC_STAT_MAX), np.int32)
    if centroids is None or centroids.dtype != np.float64 or centroids.shape != (n + 1, 2):
        centroids = np.empty((n + 1, 2), np.float64)
    stats[0], centroids[0] = _background_stats(labels, s)
    for column, name in enumerate(("x", "y", "width", "height", "area")):
        stats[1:, column] = s[name]
    centroids[1:, 0], centroids[1:, 1] = s["centroid_x"], s["centroid_y"]
    return n + 1, labels, stats, centroids
