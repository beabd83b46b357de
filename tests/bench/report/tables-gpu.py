#!/usr/bin/python3
# gst-cca: Markdown tables of the results of cca-bench and gst-overhead on a GPU
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import csv
import glob
import os
from statistics import fmean, median

import results
from tables import print_table

# Lemaitre, Hennequin & Lacassagne, ICASSP 2021, table 1: Gpixel/s on an A100 at g = 1, 4, 16, and of a full image.
PAPER = {
    "naive": (0.966, 0.994, 0.985, 0.337),
    "ha4": (4.22, 13.2, 25.8, 16.6),
    "ha4-otf": (14.6, 28.7, 59.3, 66.2),
    "ha4-cd": (13.8, 23.9, 27.4, 16.6),
    "flsl": (4.85, 19.1, 61.9, 244),
    "flsl-otf": (20.8, 65.1, 160, 238),
    "flsl-cd": (24.5, 83.2, 170, 244),
}
# Those, and Hennequin et al., DASIP 2018, section IV-E.
PUBLISHED = {*PAPER, "ha4-64"}
CEILINGS = ("read", "write")


def significant(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def read(folder, name):
    """The results of a set; none where it was not measured."""
    path = os.path.join(folder, name)
    return results.read(path) if os.path.exists(path) else []


def gpixels(rows, **wanted):
    """Gpixel/s by pixels over mean time, or None without results."""
    rows = results.select(rows, **wanted)
    return results.throughput(rows)[0] if rows else None


def ceiling(folder, name, pixels):
    return gpixels(read(folder, "ceilings.csv"), algorithm=name, pixels=pixels)


def print_ceilings(folder):
    sizes = results.distinct(read(folder, "ceilings.csv"), lambda row: (row.width, row.height))
    lines = []
    for width, height in sizes:
        reading, writing = (ceiling(folder, name, width * height) for name in CEILINGS)
        lines.append(
            [
                f"{width}×{height}",
                significant(reading),
                significant(writing),
                significant(1 / (1 / reading + 1 / writing)),
            ]
        )
    print_table(["Gpixel/s", "read: analysis at most", "write 32 bits", "both: labels at most"], lines)


# What random images and figures of a set are told apart by, and what a table calls them.
def columns(rows):
    granularities = sorted({row.granularity for row in rows} - {0})
    return [(f"g = {granularity}", {"granularity": granularity}) for granularity in granularities] + [
        (figure, {"source": figure}) for figure in ("full", "empty")
    ]


def print_throughput(folder, name, paper):
    """Gpixel/s over all densities for each granularity, and of the full and the empty image."""
    rows = [row for row in read(folder, name) if row.algorithm not in CEILINGS]
    header, lines = [f"{rows[0].width}×{rows[0].height}, Gpixel/s"], []
    theirs = [1, 4, 16, "full"] if paper else []
    for title, wanted in columns(rows):
        header += [title] + ([f"paper, {title}"] if wanted.get("granularity", title) in theirs else [])
    for contender in results.distinct(rows, lambda row: row.contender):
        own = results.select(rows, contender=contender)
        line = [own[0].algorithm]
        for title, wanted in columns(rows):
            both = results.throughput(results.select(own, **wanted)) if results.select(own, **wanted) else None
            if both is None:
                line.append("")
            elif "source" in wanted:
                line.append(significant(both[0]))
            else:
                line.append(f"{significant(both[0])} ({significant(both[1])})")
            if wanted.get("granularity", title) in theirs:
                figures = dict(zip(theirs, PAPER.get(own[0].algorithm, ())))
                line.append(significant(figures[wanted.get("granularity", title)]) if figures else "")
        lines.append(line)
    print_table(header, lines)


def print_shares(folder):
    """How much of what the memory could do: of reading the image for analysis, of writing the labels for labels."""
    lines, header = [], []
    for name, of in (("analysis.csv", "read"), ("labels.csv", "write")):
        rows = [row for row in read(folder, name) if not row.is_peer]
        if not rows:
            continue
        most = ceiling(folder, of, rows[0].pixels)
        header = [f"{rows[0].width}×{rows[0].height}, share of the ceiling, %"] + [title for title, _ in columns(rows)]
        for contender in results.distinct(rows, lambda row: row.contender):
            own = results.select(rows, contender=contender)
            shares = [gpixels(own, **wanted) for _, wanted in columns(rows)]
            lines.append(
                [f"{own[0].algorithm}, {own[0].task}, of {of}"]
                + ["" if share is None else f"{100 * share / most:.1f}" for share in shares]
            )
    print_table(header, lines)


def print_connectivity(folder):
    """The time with 8-connectivity to that with 4-connectivity, over the same images."""
    rows = read(folder, "connectivity.csv")
    sweeps = [(title, wanted) for title, wanted in columns(rows) if "granularity" in wanted]
    print_table(
        ["8-connectivity, Gpixel/s (to 4-connectivity)"] + [title for title, _ in sweeps],
        [
            [name]
            + [
                f"{significant(eight)} ({eight / four:.2f}×)" if four and eight else ""
                for four, eight in (
                    (
                        gpixels(rows, algorithm=name, connectivity=4, **wanted),
                        gpixels(rows, algorithm=name, connectivity=8, **wanted),
                    )
                    for _, wanted in sweeps
                )
            ]
            for name in results.distinct(rows, lambda row: row.algorithm)
        ],
    )


def print_real(folder):
    """Real masks: for each size the mean over them of the GPU's time, also with all enqueued ahead, and of the call."""
    ahead = read(folder, "ahead.csv")
    rows = read(folder, "real.csv") + read(folder, "peers.csv")
    heights = sorted(results.distinct(rows, lambda row: row.height))
    for connectivity in sorted(results.distinct(rows, lambda row: row.connectivity)):
        header = [f"{connectivity}-connectivity, µs"]
        for height in heights:
            header += [f"{height} lines, GPU", "slowest", "call to result", "GPU, enqueued ahead"]
        lines = []
        at_hand = results.select(rows, connectivity=connectivity)
        for contender in results.distinct(at_hand, lambda row: row.contender):
            line = [contender.replace("cuda, ", "")]
            for height in heights:
                own = results.select(at_hand, contender=contender, height=height)
                if not own:
                    line += ["", "", "", ""]
                    continue
                alone = results.select(ahead, connectivity=connectivity, contender=contender, height=height)
                line += [
                    f"{fmean(row.median_ns for row in own) / 1e3:.1f}",
                    f"{max(row.median_ns for row in own) / 1e3:.1f}",
                    f"{fmean(row.call_ns for row in own) / 1e3:.1f}",
                    f"{fmean(row.median_ns for row in alone) / 1e3:.1f}" if alone else "",
                ]
            lines.append(line)
        print_table(header, lines)


def read_csv(folder, name):
    with open(os.path.join(folder, name), newline="") as file:
        return list(csv.DictReader(file))


def element_costs(folder):
    """What gst-overhead says: for each of its lines the medians of all processes, in µs."""
    costs = {}
    for name in glob.glob("overhead-*.csv", root_dir=folder):
        for line in read_csv(folder, name):
            costs.setdefault(line["what"], []).append(float(line["median_ns"]) / 1e3)
    return costs


def print_overhead(folder):
    costs = element_costs(folder)
    n = max(map(len, costs.values()))
    print_table(
        [f"µs per frame, medians of {n} processes", "median", "lowest", "highest"],
        [
            [what, f"{median(costs[what]):.1f}", f"{min(costs[what]):.1f}", f"{max(costs[what]):.1f}"]
            for what in ("push through the element", "push through identity", "the element as a whole")
        ],
    )


def stream_rates(folder, name):
    return {int(line["streams"]): float(line["median_fps"]) for line in read_csv(folder, name)}


def print_streams(folder):
    shared = stream_rates(folder, "streams.csv")
    own = stream_rates(folder, "contexts.csv") if os.path.exists(os.path.join(folder, "contexts.csv")) else {}
    print_table(
        ["pipelines", "frames/s of all, one context", "ratio to one", "frames/s of all, own contexts", "ratio to one"],
        [
            [str(n), f"{rate:.0f}", f"{rate / shared[1]:.1f}×"]
            + ([f"{own[n]:.0f}", f"{own[n] / own[1]:.1f}×"] if n in own else ["", ""])
            for n, rate in shared.items()
        ],
    )


def best(rows, **wanted):
    """The largest Gpixel/s of our algorithms, and whose; None without results."""
    rows = [row for row in results.select(rows, **wanted) if not row.is_peer]
    return max(
        ((gpixels(rows, algorithm=name), name) for name in results.distinct(rows, lambda row: row.algorithm)),
        default=None,
    )


def print_targets(folder):
    """The targets and what was measured, by pixels over mean time; leaves out what was not measured."""
    lines = []

    def target(what, sign, asked, measured, unit):
        reached = measured >= asked if sign == "≥" else measured <= asked
        lines.append(
            [what, f"{sign} {asked:g} {unit}", f"{significant(measured)} {unit}", "yes" if reached else "**no**"]
        )

    def target_of_best(what, asked, found):
        if found is not None:
            target(f"{what}: {found[1]}", "≥", asked, found[0], "Gpixel/s")

    analysis, labels = read(folder, "analysis.csv"), read(folder, "labels.csv")
    flsl_cd = results.select(analysis, algorithm="flsl-cd")
    for wanted, what, asked in (
        ({"granularity": 1}, "g = 1", 37),
        ({"granularity": 4}, "g = 4", 125),
        ({"granularity": 16}, "g = 16", 255),
        ({"source": "full"}, "full image", 365),
    ):
        if gpixels(flsl_cd, **wanted):
            target(f"published: analysis by flsl-cd, {what}", "≥", asked, gpixels(flsl_cd, **wanted), "Gpixel/s")
    for granularity, asked in ((1, 80), (4, 100), (16, 120)):
        published = [row for row in labels if row.algorithm in PUBLISHED]
        found = best(published, granularity=granularity)
        target_of_best(f"published: labels alone, g = {granularity}, fastest", asked, found)
    for granularity, asked in ((1, 110), (4, 400), (16, 800)):
        found = best(analysis, granularity=granularity)
        target_of_best(f"analysis, g = {granularity}, fastest", asked, found)
        if found and gpixels(flsl_cd, granularity=granularity):
            ratio = found[0] / gpixels(flsl_cd, granularity=granularity)
            target(f"ratio to flsl-cd, g = {granularity}: {found[1]}", "≥", 2, ratio, "×")
    for figure in ("full", "empty"):
        target_of_best(f"analysis, {figure} image, fastest", 1300, best(analysis, source=figure))
    finest = results.select(analysis, granularity=1)
    if finest:
        name = best(finest)[1]
        worst = max(results.select(finest, algorithm=name), key=lambda row: row.median_ns)
        target(
            f"analysis, g = 1, slowest density, {worst.density:.0f} %: {name}",
            "≥",
            80,
            worst.pixels / worst.median_ns,
            "Gpixel/s",
        )
    for granularity, asked in ((1, 100), (4, 300), (16, 450)):
        target_of_best(f"labels alone, g = {granularity}, fastest", asked, best(labels, granularity=granularity))
    real = results.select(read(folder, "real.csv"), task="analysis", connectivity=8)
    ahead = results.select(read(folder, "ahead.csv"), task="analysis", connectivity=8)
    for height, size, asked in ((1080, "1080p", 20), (2160, "4K", 30)):
        for rows, how in ((real, "launches included"), (ahead, "enqueued ahead")):
            found = best(rows, height=height)
            if found is not None:
                times = [row.median_ns / 1e3 for row in results.select(rows, height=height, algorithm=found[1])]
                target(
                    f"analysis of a real {size} mask, mean over masks, {how}: {found[1]}",
                    "≤",
                    asked,
                    fmean(times),
                    "µs",
                )
                launches = [row.median_ns / 1e3 for row in results.select(rows, height=height, algorithm="launch")]
                if launches and rows is ahead:
                    target(
                        f"the same from kernel start to result, without the {fmean(launches):.1f} µs of `launch`",
                        "≤",
                        asked,
                        fmean(times) - fmean(launches),
                        "µs",
                    )
    if real:
        name = best(real)[1]
        target(
            f"working memory, analysis of real masks, bytes per pixel, maximum: {name}",
            "≤",
            1,
            max(row.memory_per_pixel for row in results.select(real, algorithm=name)),
            "B",
        )
    connectivity = read(folder, "connectivity.csv")
    for granularity in sorted(results.distinct(connectivity, lambda row: row.granularity)):
        four, name = best(connectivity, granularity=granularity, connectivity=4)
        eight = gpixels(connectivity, granularity=granularity, connectivity=8, algorithm=name)
        target(f"ratio of 8- to 4-connectivity, g = {granularity}: {name}", "≥", 0.85, eight / four, "×")
    costs = element_costs(folder).get("the element as a whole")
    if costs:
        target("1080p NV12 in CUDA memory, cudacca over identity, wall time per frame", "≤", 35, median(costs), "µs")
    if os.path.exists(os.path.join(folder, "streams.csv")):
        rates = stream_rates(folder, "streams.csv")
        target("eight pipelines, ratio to one", "≥", 5, rates[8] / rates[1], "×")
        target("sixteen 1080p pipelines together", "≥", 60000, rates[16], "frames/s")
    print_table(["target", "required", "measured", "reached"], lines)


def main():
    kinds = {
        "targets": print_targets,
        "ceilings": print_ceilings,
        "analysis": lambda folder: print_throughput(folder, "analysis.csv", True),
        "labels": lambda folder: print_throughput(folder, "labels.csv", False),
        "both": lambda folder: print_throughput(folder, "both.csv", False),
        "shares": print_shares,
        "connectivity": print_connectivity,
        "real": print_real,
        "overhead": print_overhead,
        "streams": print_streams,
    }
    parser = argparse.ArgumentParser(description="Makes Markdown tables of what report-gpu.sh has measured.")
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("folder", help="where report-gpu.sh has left its CSV files")
    arguments = parser.parse_args()

    kinds[arguments.kind](arguments.folder)


if __name__ == "__main__":
    main()
