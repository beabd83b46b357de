#!/usr/bin/env python3
# gst-cca: times tables of properties of components beside cuCIM, CuPy and scikit-image
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Labels pictures of grey objects on black, measures groups of properties of all components, and prints one table.

Wants NumPy and, to compare with, what is there of CuPy, cuCIM (cucim-cu13) and scikit-image; PYTHONPATH names
cca/python, GSTCCA_LIBRARY the built libcca. On a GPU machine without a network, peers.sh says how wheels get there.

A time is the median from the call to columns in host memory, by the host's clock, in ms. Contenders take turns. Each
labels and measures with 8-connectivity; the pictures lie where the contender works. The columns of all are compared
with scikit-image's or, without it, with gst-cca's on the CPU: what differs is named below the table, and its times are
marked with ≠. Of round components the orientation is not compared: it is anything."""

import argparse
import os
import platform
import sys
import time
from statistics import median

import numpy

GROUPS = {
    "area, bbox, centroid": ("area", "bbox", "centroid"),
    "moments": ("axis_major_length", "axis_minor_length", "orientation", "eccentricity"),
    "intensity": ("intensity_mean", "intensity_min", "intensity_max"),
    "shape": ("perimeter", "perimeter_crofton", "euler_number"),
}
GROUPS["all"] = tuple(name for names in GROUPS.values() for name in names)
# What numbers may differ by: nothing, rounding, and roots of roundings.
EXACT = ("area", "bbox", "intensity_min", "intensity_max", "euler_number")
ROOTS = ("axis_minor_length", "axis_major_length", "orientation", "eccentricity")


def tolerance(column):
    name = column.split("-")[0]
    return 0 if name in EXACT else 1e-3 if name in ROOTS else 1e-5


# --- Pictures ------------------------------------------------------------------------------------------------------


class Picture:
    """Grey objects on black, in host memory and, with CuPy, on the GPU."""

    def __init__(self, name, mask):
        random = numpy.random.default_rng(1)
        height, width = mask.shape
        self.name = f"{name} {width}×{height}"
        self.mask = mask
        self.grey = numpy.where(mask, random.integers(1, 256, mask.shape), 0).astype(numpy.uint8)

    def upload(self, cupy):
        self.device_mask, self.device_grey = cupy.asarray(self.mask), cupy.asarray(self.grey)
        self.device_rows, self.device_columns = (cupy.asarray(i) for i in numpy.indices(self.mask.shape))


def discs(width, height):
    """Discs of radius 3 to 40, some of which touch, some with holes: a third of the picture."""
    random, mask = numpy.random.default_rng(7), numpy.zeros((height, width), bool)
    while mask.mean() < 1 / 3:
        radius = int(random.integers(3, 41))
        x, y = random.integers(0, width), random.integers(0, height)
        rows = slice(max(y - radius, 0), y + radius + 1)
        columns = slice(max(x - radius, 0), x + radius + 1)
        down, across = numpy.ogrid[rows, columns][0][: height - rows.start], numpy.ogrid[rows, columns][1]
        across = across[:, : width - columns.start]
        distance = (down - y) ** 2 + (across - x) ** 2
        inner = radius // 2 if radius % 3 == 0 else 0
        mask[rows, columns] |= (distance <= radius**2) & (distance >= inner**2)
    return mask


def blocks(width, height):
    """Noise of squares of 8 pixels, of which 30 % are foreground."""
    small = numpy.random.default_rng(8).random((-(-height // 8), -(-width // 8))) < 0.3
    return small.repeat(8, axis=0).repeat(8, axis=1)[:height, :width]


def read_pictures(arguments):
    for size in arguments.sizes.split(",") if arguments.sizes else ():
        width, height = map(int, size.split("x"))
        yield Picture("discs", discs(width, height))
        yield Picture("blocks", blocks(width, height))
    if arguments.masks:
        from peers import read_masks
    for path in arguments.masks:
        yield Picture(os.path.basename(path), read_masks(path)[0] != 0)


# --- Contenders ----------------------------------------------------------------------------------------------------


def raster_order(labels):
    """Returns the rows of a table of labels 1, 2, … in raster order of the components' first pixels."""
    numbers, first = numpy.unique(labels, return_index=True)
    return numpy.argsort(first[numbers > 0])


class Contender:
    """A library's way from a picture to columns; columns() returns those of the last run, in raster order."""

    on_gpu = False

    def serves(self, properties):
        return True

    def columns(self):
        return self.table


class Gstcca(Contender):
    def __init__(self):
        import gstcca

        self.function, self.name = gstcca.regionprops_table, f"gst-cca {gstcca.__version__}, one core"

    def picture(self, picture):
        return picture.grey

    def run(self, picture, properties):
        self.table = self.function(self.picture(picture), properties)


class GstccaGpu(Gstcca):
    on_gpu = True

    def __init__(self):
        super().__init__()
        self.name = self.name.replace("one core", "GPU")

    def picture(self, picture):
        return picture.device_grey


class Skimage(Contender):
    def __init__(self):
        import skimage
        from skimage import measure

        self.measure, self.name = measure, f"scikit-image {skimage.__version__}"

    def run(self, picture, properties):
        self.labels = self.measure.label(picture.mask, connectivity=2)
        self.table = self.measure.regionprops_table(self.labels, picture.grey, properties=properties)

    def columns(self):
        order = raster_order(self.labels)
        return {name: column[order] for name, column in self.table.items()}


class Cucim(Contender):
    on_gpu = True

    def __init__(self):
        import cucim
        import cupy
        from cucim.skimage import measure

        self.measure, self.cupy, self.name = measure, cupy, f"cuCIM {cucim.__version__}"

    def run(self, picture, properties):
        self.labels = self.measure.label(picture.device_mask, connectivity=2)
        grey = picture.device_grey if any(name.startswith("intensity") for name in properties) else None
        self.table = self.measure.regionprops_table(self.labels, grey, properties, copy_output_to_host=True)

    def columns(self):
        order = raster_order(self.cupy.asnumpy(self.labels))
        return {name: numpy.asarray(column)[order] for name, column in self.table.items()}


class Cupy(Contender):
    """Labels by cupyx.scipy.ndimage, measured by bincount() and by its minimum() and maximum()."""

    on_gpu = True

    def __init__(self):
        import cupy
        from cupyx.scipy import ndimage

        self.cupy, self.ndimage, self.name = cupy, ndimage, f"CuPy {cupy.__version__}"
        self.structure = numpy.ones((3, 3), bool)

    def serves(self, properties):
        return set(properties) <= set(GROUPS["area, bbox, centroid"] + GROUPS["intensity"])

    def run(self, picture, properties):
        self.labels, n = self.ndimage.label(picture.device_grey, self.structure)
        flat, index = self.labels.ravel(), self.cupy.arange(1, n + 1)
        rows, columns, grey = picture.device_rows, picture.device_columns, picture.device_grey

        def sums(values):
            return self.cupy.bincount(flat, values.ravel(), minlength=n + 1)[1:]

        area, table = self.cupy.bincount(flat, minlength=n + 1)[1:], {}
        if "area" in properties:
            table["area"] = area
        if "centroid" in properties:
            table["centroid-0"], table["centroid-1"] = sums(rows) / area, sums(columns) / area
        if "bbox" in properties:
            for place, values in enumerate((rows, columns)):
                table[f"bbox-{place}"] = self.ndimage.minimum(values, self.labels, index)
                table[f"bbox-{place + 2}"] = self.ndimage.maximum(values, self.labels, index) + 1
        if "intensity_mean" in properties:
            table["intensity_mean"] = sums(grey) / area
            table["intensity_min"] = self.ndimage.minimum(grey, self.labels, index)
            table["intensity_max"] = self.ndimage.maximum(grey, self.labels, index)
        self.table = {name: self.cupy.asnumpy(column) for name, column in table.items()}

    def columns(self):
        order = raster_order(self.cupy.asnumpy(self.labels))
        return {name: column[order] for name, column in self.table.items()}


def describe(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def make_contenders():
    """Returns the contenders that do a small picture, the first of them ours, and CuPy where it is there."""
    trial, contenders, cupy = Picture("trial", discs(64, 48)), [], None
    try:
        import cupy

        trial.upload(cupy)
    except Exception as missing:  # CuPy without a driver has errors of its own
        cupy = None
        print(f"no GPU: {describe(missing)}")
    for kind in (GstccaGpu, Gstcca, Cucim, Cupy, Skimage):
        if kind.on_gpu and cupy is None:
            continue
        try:
            contender = kind()
            contender.run(trial, ("area",))
        except Exception as missing:  # a library may raise anything
            print(f"{kind.__name__} is left out: {describe(missing)}")
        else:
            contenders.append(contender)
    return contenders, cupy


# --- Fields --------------------------------------------------------------------------------------------------------


def distances(column, found, expected):
    """Returns how far two columns are apart, as a part of what is expected or, where that is less than 1, of 1."""
    apart = numpy.abs(numpy.asarray(found, float) - expected)
    if column == "orientation":
        return numpy.minimum(apart, numpy.pi - apart)
    return apart / numpy.maximum(numpy.abs(expected), 1)


def differences(found, expected):
    """Yields what differs: (column, how many rows, the largest distance, as a part)."""
    if found.keys() != expected.keys():
        yield f"columns {', '.join(sorted(found.keys() ^ expected.keys()))}", 0, 0
    for name in sorted(expected.keys() & found.keys()):
        if len(found[name]) != len(expected[name]):
            yield name, abs(len(found[name]) - len(expected[name])), numpy.inf
            continue
        apart = distances(name, found[name], numpy.asarray(expected[name], float))
        if name == "orientation":
            major, minor = (numpy.asarray(expected[f"axis_{axis}_length"], float) for axis in ("major", "minor"))
            apart[major - minor <= 1e-3 * major] = 0
        wrong = ~(apart <= tolerance(name))
        if wrong.any():
            yield name, int(wrong.sum()), float(apart[wrong].max())


# --- Times ---------------------------------------------------------------------------------------------------------


def time_of(contender, picture, properties, cupy):
    if cupy is not None:
        cupy.cuda.Device().synchronize()
    began = time.perf_counter_ns()
    contender.run(picture, properties)
    return (time.perf_counter_ns() - began) / 1e6


def measure(contenders, picture, properties, arguments, cupy):
    """Returns the median time of each contender in ms, which take turns; an impatient one ends early."""
    times = {contender: [] for contender in contenders}
    for _ in range(arguments.iterations):
        for contender in contenders:
            if sum(times[contender]) < 1e3 * arguments.patience:
                times[contender].append(time_of(contender, picture, properties, cupy))
    return [median(times[contender]) for contender in contenders]


def machine(cupy):
    names = [platform.processor() or platform.machine()]
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            names = [line.split(":")[1].strip() for line in file if line.startswith("model name")][:1] or names
    if cupy is not None and hasattr(cupy.cuda, "runtime"):
        names.append(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode())
    return ", ".join(names)


def parse_arguments():
    parser = argparse.ArgumentParser(description="Times tables of properties of components beside other libraries.")
    parser.add_argument("masks", nargs="*", help="Y4M files by cca-bench --save-masks: their first masks, too")
    parser.add_argument("-s", "--sizes", default="1920x1080,3840x2160", help="of drawn pictures; empty for none")
    parser.add_argument("-n", "--iterations", type=int, default=11, help="turns")
    parser.add_argument("--patience", type=float, default=2, help="s in a row of the table after which one ends")
    arguments = parser.parse_args()
    if arguments.iterations < 1:
        parser.error(f"--iterations: {arguments.iterations} is not 1 or more")
    return arguments


def row(picture, group, contenders, reference, arguments, cupy):
    """Measures a row of the table. Returns its cells, and what differs as lines."""
    properties = GROUPS[group]
    serving = [contender for contender in contenders if contender.serves(properties)]
    reference.run(picture, properties)
    expected, notes, marks = reference.columns(), [], {}
    n = len(next(iter(expected.values())))
    for contender in [other for other in serving if other is not reference]:
        who = f"{contender.name}, {picture.name}, {group}"
        try:
            contender.run(picture, properties)  # also warms up
            found = contender.columns()
        except Exception as failure:  # a library may raise anything
            serving.remove(contender)
            notes.append(f"{who}: {describe(failure)}")
            continue
        for name, n_rows, most in differences(found, expected):
            marks[contender] = "≠"
            notes.append(f"{who}: {name} differs in {n_rows} of {n} components, by up to {100 * most:.2g} %")
    times = dict(zip(serving, measure(serving, picture, properties, arguments, cupy)))
    fastest = next(iter(times.values()))
    cells = [picture.name, str(n), group]
    for contender in contenders:
        if contender not in times:
            cells.append("")
            continue
        ratio = "" if contender is serving[0] else f" ({times[contender] / fastest:.3g}×)"
        cells.append(f"{times[contender]:.3g}{ratio}{marks.get(contender, '')}")
    return cells, notes


def main():
    arguments = parse_arguments()
    contenders, cupy = make_contenders()
    if not contenders or not isinstance(contenders[0], Gstcca):
        sys.exit("gstcca does not work: do PYTHONPATH and GSTCCA_LIBRARY name it?")
    reference = next((c for kind in (Skimage, Gstcca) for c in contenders if type(c) is kind), contenders[0])
    heads = ["picture", "components", "properties", *(contender.name for contender in contenders)]
    lines, notes = [], []
    for picture in read_pictures(arguments):
        if cupy is not None:
            picture.upload(cupy)
        for group in GROUPS:
            cells, differing = row(picture, group, contenders, reference, arguments, cupy)
            lines.append(cells)
            notes += differing
            print(": ".join((cells[0], cells[2])), file=sys.stderr, flush=True)
    print(f"\nms, {machine(cupy)}:\n")
    print(f"| {' | '.join(heads)} |\n|---|--:|---|{'--:|' * len(contenders)}")
    for cells in lines:
        print(f"| {' | '.join(cells)} |")
    print(f"\nCompared with {reference.name}: " + ("" if notes else "all fields are equal."))
    for note in notes:
        print(f"- {note}")


if __name__ == "__main__":
    main()
