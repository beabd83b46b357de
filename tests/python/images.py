# gst-cca: images for tests of the Python module, and what is expected of them by other means
# SPDX-License-Identifier: LGPL-2.1-or-later

import numpy as np
from scipy import ndimage

SHAPES = ((1, 1), (1, 9), (8, 1), (2, 2), (33, 65), (70, 131), (128, 256))
# Shares of foreground, in percent.
DENSITIES = (0, 10, 40, 60, 90, 100)


def noise(shape, density, seed=0):
    return (np.random.default_rng([seed, density, *shape]).integers(0, 100, shape) < density).astype(np.uint8) * 255


def all_noise():
    return [noise(shape, density) for shape in SHAPES for density in DENSITIES]


def scenes():
    """Discs and rectangles, some of which touch, as a mask has them."""
    random = np.random.default_rng(7)
    y, x = np.mgrid[:180, :240]
    for n in (3, 12, 40):
        mask = np.zeros(y.shape, bool)
        for _ in range(n):
            cy, cx, r = random.integers(0, 180), random.integers(0, 240), random.integers(1, 25)
            mask |= (y - cy) ** 2 + (x - cx) ** 2 <= r * r if r % 2 else (abs(y - cy) <= r) & (abs(x - cx) <= r // 2)
        yield mask.astype(np.uint8)


def structure(connectivity):
    return np.ones((3, 3)) if connectivity == 8 else None


def scipy_labels(image, connectivity):
    """SciPy's labels, numbered by first pixels in raster order, and how many there are."""
    labels, n = ndimage.label(image, structure(connectivity))
    _, first = np.unique(labels[labels > 0], return_index=True)
    numbers = np.zeros(n + 1, np.int32)
    numbers[1 + np.argsort(first)] = np.arange(1, n + 1)
    return numbers[labels], n


def shapes(labels, n, connectivity):
    """Measures shapes, each component in an image of its own: rows of perimeter and Euler number."""
    weights = np.zeros(50)
    weights[[5, 7, 15, 17, 25, 27]], weights[[21, 33]], weights[[13, 23]] = 1, np.sqrt(2), (1 + np.sqrt(2)) / 2
    cross, square, rows = ndimage.generate_binary_structure(2, 1), np.ones((3, 3)), []
    for number in range(1, n + 1):
        own = np.pad(labels == number, 1)
        border = own & ~ndimage.binary_erosion(own, cross)
        around = ndimage.convolve(border.astype(int), [[10, 2, 10], [2, 1, 2], [10, 2, 10]], mode="constant")
        n_holes = ndimage.label(~own, square if connectivity == 4 else cross)[1] - 1
        rows.append((weights[around[border]].sum(), 1 - n_holes))
    return rows


def measured(labels, n):
    """Measures labels pixel by pixel; rows of x, y, width, height, area, centroid x and y, covariance xx, xy, yy."""
    rows = []
    for number in range(1, n + 1):
        y, x = np.nonzero(labels == number)
        covariance = np.cov(x, y, ddof=0) if x.size > 1 else np.zeros((2, 2))
        box = x.min(), y.min(), np.ptp(x) + 1, np.ptp(y) + 1
        rows.append((*box, x.size, x.mean(), y.mean(), covariance[0, 0], covariance[0, 1], covariance[1, 1]))
    return rows
