# gst-cca: labeling on YACCLAB's images, by its average test
# SPDX-License-Identifier: LGPL-2.1-or-later
"""C. Grana, F. Bolelli et al.: YACCLAB - Yet Another Connected Components Labeling Benchmark, ICPR 2016, section III.
Each folder of the data set has a files.txt with the names of its images, whose pixels are foreground above 0. The
figure of an algorithm is the mean over the images of the median time of each. cca-bench measures, and first compares
labels."""

import argparse
import csv
import pathlib
import subprocess
import sys

import numpy

import sequences


def images_of(folder):
    listed = [name.strip() for name in (folder / "files.txt").read_text().splitlines()]
    found = [folder / name for name in listed if name]
    missing = [str(path) for path in found if not path.exists()]
    if missing or not found:
        sequences.fail(f"{folder / 'files.txt'}: {'there is no ' + missing[0] if missing else 'names no images'}")
    return found


def measure(bench, images, output, options):
    with (output.with_suffix(".txt")).open("w") as log:
        done = subprocess.run(
            [bench, "-f", "nonzero", "--check-labels", "--csv", output, *options, *images], stdout=log, stderr=log
        )
    if done.returncode:
        sequences.fail(f"cca-bench failed, see {output.with_suffix('.txt')}")
    times = {}
    with output.open(newline="") as file:
        for row in csv.DictReader(file):
            times.setdefault((row["algorithm"], row["task"]), []).append(float(row["median_ns"]) / 1e6)
    return {contender: float(numpy.mean(of)) for contender, of in times.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--bench", type=pathlib.Path, required=True)
    # All others, behind --, are of cca-bench.
    arguments, options = parser.parse_known_args()
    folders = sorted(path.parent for path in arguments.folder.glob("*/files.txt"))
    if not folders:
        sequences.fail(f"{arguments.folder} has no DATASET/files.txt: give the folder of the data sets")
    arguments.output.mkdir(parents=True, exist_ok=True)
    columns = {}
    for folder in folders:
        images = images_of(folder)
        columns[folder.name] = measure(
            arguments.bench, images, arguments.output / f"{folder.name}.csv", [text for text in options if text != "--"]
        )
        print(f"{folder.name}: {len(images)} images", flush=True)
    contenders = list(dict.fromkeys(contender for column in columns.values() for contender in column))
    rows = [
        (f"`{name}`, {task}", *(column.get((name, task), float("nan")) for column in columns.values()))
        for name, task in contenders
    ]
    text = sequences.table("YACCLAB, average: ms", list(columns), rows)
    (arguments.output / "yacclab.md").write_text(text + "\n")
    print(text)


sys.exit(main())
