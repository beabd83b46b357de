# gst-cca: the times of kernels that ncu has found in a run of cca-bench --signs
# SPDX-License-Identifier: LGPL-2.1-or-later

import csv
import re
import sys

import results

MARK = "bench_mark"
# What tells the kernels of one kind of segments, or of one way to vote, from others of the same purpose.
VARIANT = re.compile(r"^cca_|_(pixels|words32|words64|runs|values|otf|cd|moments|of)(?=_|$)")


def purpose(kernel):
    """Kernels with the same purpose have the same name: measure_words64_cd and measure_runs are both measure."""
    return VARIANT.sub("", kernel)


def images(path):
    """For each image between two marks its kernels, in order, and their times in ns."""
    with open(path, newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    found, image = [], None
    for line in csv.DictReader(lines):
        name = line["Kernel Name"].split("(")[0]
        if name == MARK and image is None:
            image = []
        elif name == MARK:
            found.append(image)
            image = None
        elif image is not None:
            image.append((name, float(line["Metric Value"].replace(",", ""))))
    return found


def read(ncu, path):
    """The lines of the CSV file of the same run, each with `kernels`: ns by purpose, in order of appearance."""
    rows, found = results.read(path), images(ncu)
    if [row.iterations for row in rows] != [1] * len(found):
        sys.exit(
            f"{ncu}: has {len(found)} images, but {path} has {len(rows)} lines; both must be of the same run, "
            "with one image a case"
        )
    for row, image in zip(rows, found):
        row.kernels = {}
        for name, time in image:
            row.kernels[purpose(name)] = row.kernels.get(purpose(name), 0) + time
    return rows
