#!/usr/bin/python3
# gst-cca: Markdown tables of the results of cca-bench
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import csv
import os
import sys
from statistics import fmean, geometric_mean

import results


def print_table(header, rows):
    """Numbers, and texts that look like them, to the right."""
    print("| " + " | ".join(header) + " |")
    print("|" + "|".join("---" if index == 0 else "--:" for index in range(len(header))) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def ratio_of_sums(rows, reference):
    """How many times as fast as the reference on all the cases together."""
    times = {row.case_key: row.median_ns for row in reference}
    return sum(times[row.case_key] for row in rows) / sum(row.median_ns for row in rows)


def reference_of(rows):
    name = next(row.algorithm for row in rows if row.ratio == 1)
    return select_reference(rows, name)


def select_reference(rows, name):
    first = next(row for row in rows if row.algorithm == name)
    return results.select(rows, contender=first.contender)


def read(path):
    rows = results.read(path)
    for row in rows:
        row.case_key = (
            row.source,
            row.foreground,
            row.width,
            row.height,
            row.connectivity,
            row.density,
            row.granularity,
        )
    return rows


def print_cases(path):
    """A line for each case, a column for each contender: ms, and the ratio to the reference."""
    rows = read(path)
    contenders = results.distinct(rows, lambda row: row.contender)
    lines = []
    for key in results.distinct(rows, lambda row: row.case_key):
        own = {row.contender: row for row in results.select(rows, case_key=key)}
        first = next(iter(own.values()))
        cells = [f"{own[c].median_ns / 1e6:.3f} ({own[c].ratio:.1f}×)" if c in own else "" for c in contenders]
        lines.append(
            [first.case, f"{first.width}×{first.height}", f"{first.density:.1f}", str(first.components)] + cells
        )
    print_table(["image", "size", "foreground, %", "components"] + contenders, lines)


def print_density(path):
    """Averages over density: a line for each contender and granularity."""
    rows = read(path)
    reference = reference_of(rows)
    lines = []
    for granularity in results.distinct(rows, lambda row: row.granularity):
        for contender in results.distinct(rows, lambda row: row.contender):
            own = results.select(rows, granularity=granularity, contender=contender)
            worst = min(own, key=lambda row: row.ratio)
            memory = max((row.memory_per_pixel or 0) for row in own)
            lines.append(
                [
                    f"g = {granularity}, {contender}",
                    f"{fmean(row.median_ns for row in own) / 1e6:.3f}",
                    f"{ratio_of_sums(own, reference):.1f}",
                    f"{geometric_mean(row.ratio for row in own):.1f}",
                    f"{worst.ratio:.1f} at {worst.density:.0f} %",
                    f"{memory:.2f}" if memory else "",
                ]
            )
    print_table(
        [
            "random images",
            "mean ms",
            "ratio of means",
            "geometric mean of ratios",
            "lowest ratio",
            "bytes per pixel, maximum",
        ],
        lines,
    )


def print_sizes(path):
    """Throughput in Mpixel/s: a line for each size, a column for each contender."""
    rows = read(path)
    contenders = results.distinct(rows, lambda row: row.contender)
    lines = []
    for key in results.distinct(rows, lambda row: row.case_key):
        own = {row.contender: row for row in results.select(rows, case_key=key)}
        first = next(iter(own.values()))
        lines.append(
            [f"{first.width}×{first.height}"] + [f"{own[c].mpixel_per_s:.0f}" if c in own else "" for c in contenders]
        )
    print_table(["Mpixel/s"] + contenders, lines)


def element_overhead(path):
    with open(path, newline="") as file:
        return next(
            float(line["median_ns"]) / 1e6 for line in csv.DictReader(file) if line["what"] == "added by the element"
        )


def print_targets(folder, algorithm):
    """The targets and what was measured, for an algorithm's first device with one thread."""

    def own(name, task):
        rows = [row for row in read(os.path.join(folder, name))]
        mine = results.select(rows, algorithm=algorithm, task=task, threads=1)
        if not mine:
            sys.exit(f"{name}: has no {task} by {algorithm}")
        return results.select(mine, contender=mine[0].contender), reference_of(rows)

    lines = []

    def target(what, asked, measured, text, reached):
        lines.append([what, asked, text.format(measured), "yes" if reached else "**no**"])

    analysis, reference = own("real.csv", "analysis")
    overall, lowest = ratio_of_sums(analysis, reference), min(analysis, key=lambda row: row.ratio)
    target("analysis, real masks, overall", "≥ 20×", overall, "{:.1f}×", overall >= 20)
    target(f"analysis, real masks, lowest ratio ({lowest.case})", "≥ 20×", lowest.ratio, "{:.1f}×", lowest.ratio >= 20)
    labels, reference = own("real.csv", "labels")
    overall, lowest = ratio_of_sums(labels, reference), min(labels, key=lambda row: row.ratio)
    target("labels with features, real masks, overall", "≥ 8×", overall, "{:.1f}×", overall >= 8)
    target(
        f"labels with features, real masks, lowest ratio ({lowest.case})",
        "≥ 8×",
        lowest.ratio,
        "{:.1f}×",
        lowest.ratio >= 8,
    )

    random, reference = own("random.csv", "analysis")
    finest = results.select(random, granularity=1)
    overall = ratio_of_sums(finest, results.select(reference, granularity=1))
    target("analysis, random images, g = 1, mean over density", "≥ 6×", overall, "{:.1f}×", overall >= 6)

    every = [
        row
        for name in ("real.csv", "random.csv", "patterns.csv", "sizes.csv")
        for task in ("analysis", "labels")
        for row in own(name, task)[0]
    ]
    lowest = min(every, key=lambda row: row.ratio)
    target(
        f"never slower: lowest ratio of all cases ({lowest.task}, {lowest.case}, " f"{lowest.width}×{lowest.height})",
        "≥ 1×",
        lowest.ratio,
        "{:.2f}×",
        lowest.ratio >= 1,
    )
    most = max(row.memory_per_pixel for row in own("default.csv", "analysis")[0])
    target(
        "working space for analysis, 4096 components stored, bytes per pixel, maximum", "≤ 2", most, "{:.2f}", most <= 2
    )
    path = os.path.join(folder, "overhead.csv")
    if os.path.exists(path):
        added = element_overhead(path)
        target("added by element cca to a pipeline, ms per frame", "< 0.1", added, "{:.3f}", added < 0.1)
    print_table(["target", "required", "measured", "reached"], lines)
    disturbed = sum(row.preempted for row in every) / sum(row.iterations for row in every)
    print(f"Other work preempted {100 * disturbed:.1f} % of the timed calls.\n")


KINDS = {"cases": print_cases, "density": print_density, "sizes": print_sizes}


def main():
    parser = argparse.ArgumentParser(description="Makes Markdown tables of the results of cca-bench.")
    parser.add_argument("kind", choices=[*KINDS, "targets"])
    parser.add_argument("path", help="a CSV file, or for targets the folder of all")
    parser.add_argument("--algorithm", default="runs", help="whose targets (default: %(default)s)")
    arguments = parser.parse_args()

    if arguments.kind == "targets":
        print_targets(arguments.path, arguments.algorithm)
    else:
        KINDS[arguments.kind](arguments.path)


if __name__ == "__main__":
    main()
