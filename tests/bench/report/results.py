# gst-cca: the results of cca-bench, read from its CSV files
# SPDX-License-Identifier: LGPL-2.1-or-later

import csv
import sys
from statistics import fmean
from types import SimpleNamespace

INTEGERS = {
    "width",
    "height",
    "connectivity",
    "granularity",
    "parameter",
    "masks",
    "threads",
    "components",
    "iterations",
    "preempted",
    "memory_bytes",
    "label_iterations",
}
STAGES = ("foreground", "cleanup", "label", "components", "output")
TEXTS = {"source", "foreground", "backend", "algorithm", "task", "device", "digest", "format"}


def convert(name, text):
    if name in TEXTS:
        return text
    if text == "":
        return None
    return int(text) if name in INTEGERS else float(text)


def describe(row):
    if row.foreground == "random":
        return f"random g = {row.granularity}, {row.density:.0f} %"
    if row.foreground == "family":
        return f"{row.source} {row.parameter}"
    return row.source if row.foreground == "pattern" else f"{row.source}, {row.foreground}"


def read(path):
    """The lines of a CSV file, each with its columns as attributes."""
    with open(path, newline="") as file:
        rows = [
            SimpleNamespace(**{name: convert(name, text) for name, text in line.items()})
            for line in csv.DictReader(file)
        ]
    if not rows:
        sys.exit(f"{path}: has no results")
    for row in rows:
        row.contender = f"{row.algorithm} {row.task} {row.device}" + (f" x{row.threads}" if row.threads > 1 else "")
        if getattr(row, "format", "GRAY8") != "GRAY8":
            row.contender += f" {row.format}"
        row.case = describe(row)
        row.is_peer = row.backend == "peer"
        row.pixels = row.width * row.height
    return rows


def throughput(rows):
    """Gpixel/s over cases of one size: pixels over the mean time, and the mean of the throughputs."""
    return rows[0].pixels / fmean(row.median_ns for row in rows), fmean(row.pixels / row.median_ns for row in rows)


def distinct(rows, key):
    """The values of key over the rows, in order of appearance."""
    return list(dict.fromkeys(key(row) for row in rows))


def select(rows, **wanted):
    return [row for row in rows if all(getattr(row, name) == value for name, value in wanted.items())]
