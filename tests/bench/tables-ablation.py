#!/usr/bin/python3
# gst-cca: the table of ablation.sh: how much longer frames take without each idea
# SPDX-License-Identifier: LGPL-2.1-or-later

import os
import re
import sys
from statistics import fmean, median

import results

IDEAS = {
    "slabs": "a row is its own slab",
    "boxes": "no short way for patches of one run, or all foreground, nor for groups of whole patches",
    "stores": "a run's first link is a union, too",
    "bridges": "unions where a run yet above bridges the gap",
    "jumps": "roots by following parents",
    "sides": "all rims are stored and looked at",
    "meeting": "each vote for itself",
    "pairs": "a lane loads its row by itself",
    "early": "kernels start when the one before has ended",
}
COLUMNS = ("g = 1", "g = 4", "g = 16", "full", "1920x1080", "3840x2160")


def column(row):
    if row.foreground == "random":
        return f"g = {row.granularity}"
    return "full" if row.foreground == "pattern" else f"{row.width}x{row.height}"


def read(folder):
    """For each idea, for each column: the mean time of the frames in µs, the median over the rounds."""
    times = {}
    for name in sorted(os.listdir(folder)):
        match = re.fullmatch(r"(large|small)-(\w+)-\d+\.csv", name)
        if not match:
            continue
        rows = results.read(os.path.join(folder, name))
        for which in results.distinct(rows, column):
            mean = fmean(row.median_ns / 1000 for row in rows if column(row) == which)
            times.setdefault(match[2], {}).setdefault(which, []).append(mean)
    return {idea: {which: median(rounds) for which, rounds in columns.items()} for idea, columns in times.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tables-ablation.py FOLDER")
    times = read(sys.argv[1])
    if "none" not in times:
        sys.exit(f"{sys.argv[1]}: has no results of the build with all ideas; run ablation.sh measure")
    whole = times["none"]
    columns = [name for name in COLUMNS if name in whole]
    print("| without | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    print("| nothing, µs | " + " | ".join(f"{whole[name]:.1f}" for name in columns) + " |")
    for idea, text in IDEAS.items():
        if idea in times:
            print(
                f"| `{idea}`: {text} | "
                + " | ".join(f"{round(100 * (times[idea][name] / whole[name] - 1)):+d} %" for name in columns)
                + " |"
            )


if __name__ == "__main__":
    main()
