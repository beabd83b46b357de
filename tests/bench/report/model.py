# gst-cca: the model of time against size of the evaluation paper, fitted to families of images
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Asad, Marroquim & Souza, IEEE TIP 2019, section V-E: f(x) = a + b·x^c for x pixels, of the mean time over a set of
images and of its standard deviation."""

from statistics import fmean, pstdev

import numpy
from scipy.optimize import curve_fit


def model(x, a, b, c):
    return a + b * x**c


def fit(pixels, times):
    """a, b and c by least squares of relative errors, so that small images count as large ones do. a and b are in the
    unit of the times, and not negative. RuntimeError where there is no fit."""
    pixels, times = numpy.asarray(pixels, float), numpy.asarray(times, float)
    if len(times) < 3 or times.min() <= 0:
        raise RuntimeError("too few sizes, or times that do not differ")
    # Millions of pixels, so that the three numbers are of one order.
    guess = (times.min() / 2, times.max() / (pixels.max() / 1e6), 1)
    (a, b, c), _ = curve_fit(
        model, pixels / 1e6, times, p0=guess, sigma=times, bounds=((0, 0, 0), (numpy.inf, numpy.inf, 3)), max_nfev=9999
    )
    return a, b / 1e6**c, c


def moments(rows):
    """By number of pixels, in order: the mean and the standard deviation of the median times, µs."""
    times = {}
    for row in rows:
        times.setdefault(row.pixels, []).append(row.median_ns / 1e3)
    return {pixels: (fmean(own), pstdev(own)) for pixels, own in sorted(times.items())}
