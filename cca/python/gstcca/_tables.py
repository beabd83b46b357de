# gst-cca: components as columns, with the names and definitions of scikit-image's regionprops_table
# SPDX-License-Identifier: LGPL-2.1-or-later
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable

import numpy as np

from ._components import Components, connected_components

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from ._plans import Options

Columns = tuple["NDArray[Any]", ...]


def _bbox(s: NDArray[Any]) -> Columns:
    x, y = s["x"].astype(np.int64), s["y"].astype(np.int64)
    return y, x, y + s["height"], x + s["width"]


def _axis(s: NDArray[Any], sign: int) -> NDArray[Any]:
    """Returns the full axis of the ellipse with the same second moments: 4 times the root of the variance along it."""
    mean, difference = (s["cov_xx"] + s["cov_yy"]) / 2, (s["cov_xx"] - s["cov_yy"]) / 2
    variance = mean + sign * np.hypot(difference, s["cov_xy"])
    axis: NDArray[Any] = 4 * np.sqrt(np.maximum(variance, 0))
    return axis


def _orientation(s: NDArray[Any]) -> NDArray[Any]:
    """Returns the angle from the axis of rows to the major axis, anticlockwise."""
    angle = np.arctan2(2 * s["cov_xy"], s["cov_yy"] - s["cov_xx"]) / 2
    # scikit-image's value for a round component.
    return np.where((s["cov_xx"] == s["cov_yy"]) & (s["cov_xy"] == 0), np.pi / 4, angle)


def _eccentricity(s: NDArray[Any]) -> NDArray[Any]:
    major, minor = _axis(s, 1), _axis(s, -1)
    ratio: NDArray[Any] = np.divide(minor, major, out=np.ones_like(major), where=major > 0)
    eccentricity: NDArray[Any] = np.sqrt(1 - ratio**2)
    return eccentricity


# Name: (its columns, the option that measures them, if any).
PROPERTIES: dict[str, tuple[Callable[[NDArray[Any]], Columns], str]] = {
    "label": (lambda s: (s["label"].astype(np.int64),), ""),
    "area": (lambda s: (s["area"].astype(np.float64),), ""),
    "bbox": (_bbox, ""),
    "area_bbox": (lambda s: (s["width"].astype(np.float64) * s["height"],), ""),
    "extent": (lambda s: (s["area"] / (s["width"].astype(np.float64) * s["height"]),), ""),
    "equivalent_diameter_area": (lambda s: (np.sqrt(4 * s["area"] / np.pi),), ""),
    "centroid": (lambda s: (s["centroid_y"].copy(), s["centroid_x"].copy()), ""),
    "covariance": (
        lambda s: (s["cov_yy"].copy(), s["cov_xy"].copy(), s["cov_xy"].copy(), s["cov_xx"].copy()),
        "covariance",
    ),
    "axis_major_length": (lambda s: (_axis(s, 1),), "covariance"),
    "axis_minor_length": (lambda s: (_axis(s, -1),), "covariance"),
    "orientation": (lambda s: (_orientation(s),), "covariance"),
    "eccentricity": (lambda s: (_eccentricity(s),), "covariance"),
    "perimeter": (lambda s: (s["perimeter"].copy(),), "shape"),
    "perimeter_crofton": (lambda s: (s["perimeter_crofton"].copy(),), "shape"),
    "euler_number": (lambda s: (s["euler_number"].astype(np.int64),), "shape"),
    "intensity_mean": (lambda s: (s["intensity_mean"].copy(),), "intensity"),
    "intensity_min": (lambda s: (s["intensity_min"].astype(np.float64),), "intensity"),
    "intensity_max": (lambda s: (s["intensity_max"].astype(np.float64),), "intensity"),
}


def _measured(components: Components) -> dict[str, bool]:
    """Returns which options the components were measured with."""
    names = components.stats.dtype.names or ()
    return {
        "covariance": components.has_covariance,
        "shape": "perimeter" in names,
        "intensity": "intensity_mean" in names,
    }


def regionprops_table(
    components: Any,
    properties: Iterable[str] = ("label", "bbox"),
    *,
    separator: str = "-",
    **options: Unpack[Options],
) -> dict[str, NDArray[Any]]:
    """Returns properties of components as columns, with the names and meanings of scikit-image's regionprops_table.

    components: the result of connected_components() with the options that the properties need; or an image, whose
    components the function finds, with the options.

    properties: "label", "area", "bbox" (4 columns), "area_bbox", "extent", "equivalent_diameter_area", "centroid" (2);
    with covariance=True "covariance" (0-0 of rows, 0-1, 1-0, 1-1 of columns), "axis_major_length", "axis_minor_length",
    "orientation", "eccentricity"; with shape=True "perimeter", "perimeter_crofton", "euler_number"; with intensity=True
    "intensity_mean", "intensity_min", "intensity_max".
    """
    properties = tuple(properties)
    for name in properties:
        if name not in PROPERTIES:
            raise ValueError(f"there is no property {name!r}; there are {', '.join(PROPERTIES)}")
    needs = {PROPERTIES[name][1]: name for name in properties if PROPERTIES[name][1]}
    if not isinstance(components, Components):
        options.setdefault("covariance", "covariance" in needs)
        options.setdefault("shape", "shape" in needs)
        options.setdefault("intensity", "intensity" in needs)
        components = connected_components(components, labels=False, **options)
    elif options:
        raise TypeError(f"the components are measured already; {', '.join(options)} would have no effect")
    for option, name in needs.items():
        if not _measured(components)[option]:
            raise ValueError(f"{name} needs components that were measured with {option}=True")
    table = {}
    for name in properties:
        columns = PROPERTIES[name][0](components.stats)
        for place, column in enumerate(columns):
            indices = (place // 2, place % 2) if name == "covariance" else (place,) * (len(columns) > 1)
            table[separator.join((name, *map(str, indices)))] = column
    return table
