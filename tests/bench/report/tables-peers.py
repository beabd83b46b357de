#!/usr/bin/python3
# gst-cca: the table of speed against peers, of what peers.sh has measured
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import csv
import glob
import math
import os
import re
import sys
from dataclasses import dataclass
from statistics import fmean, median

import results

LABELS, BOTH, COMPONENTS = (
    "labels",
    "labels, and area, box and centroid of each component",
    "area, box and centroid of each component, without labels",
)


@dataclass(frozen=True)
class Contender:
    """A line of the table: whose results, in the files NAME-*.csv, it shows."""

    part: str  # of the table: cpu or gpu
    task: str
    file: str
    algorithm: str
    library: str
    function: str
    bench_task: str = "labels"
    ours: bool = False

    @property
    def is_built(self):
        """Whether users have it only if tests/bench/yacclab/build.sh makes it of a checkout."""
        return self.library == "YACCLAB" or self.algorithm in ("opencv-cuda", "torchcc")


def ours(part, algorithm):
    return [
        Contender(part, LABELS, f"{part}-labels", algorithm, "gst-cca", algorithm, ours=True),
        Contender(part, BOTH, f"{part}-both", algorithm, "gst-cca", algorithm, ours=True),
        Contender(part, COMPONENTS, f"{part}-both", algorithm, "gst-cca", algorithm, "analysis", ours=True),
    ]


def peer(part, task, algorithm, library, function, file=None):
    return Contender(part, task, file or f"{part}-peers", algorithm, library, function)


# Its algorithms for GPUs, the newest first.
YACCLAB = (
    *("BKE", "BUF", "TUF", "BBDT", "DRAG", "SAUF", "HA8", "HA4", "KE", "KE4", "DLP", "BE", "LBUF"),
    *("M8DLS", "DLS", "RASMUSSON", "STAVA", "RADAR", "OLE", "UF"),
)

CONTENDERS = (
    *ours("cpu", "runs"),
    peer("cpu", LABELS, "gstcca-labels", "gst-cca", "gstcca.connected_components"),
    peer("cpu", LABELS, "kornia-labels", "kornia-rs", "connected_components"),
    peer("cpu", LABELS, "opencv-labels", "OpenCV", "connectedComponents", "cpu-labels"),
    peer("cpu", LABELS, "opencv-python-labels", "OpenCV", "connectedComponents"),
    peer("cpu", LABELS, "cc3d-labels", "cc3d", "connected_components"),
    peer("cpu", LABELS, "scipy-labels", "SciPy", "ndimage.label"),
    peer("cpu", LABELS, "scikit-image-labels", "scikit-image", "measure.label"),
    peer("cpu", BOTH, "gstcca-stats", "gst-cca", "gstcca.connected_components"),
    peer("cpu", BOTH, "opencv-stats", "OpenCV", "connectedComponentsWithStats", "cpu-both"),
    peer("cpu", BOTH, "opencv-python-stats", "OpenCV", "connectedComponentsWithStats"),
    peer("cpu", BOTH, "cc3d-stats", "cc3d", "connected_components, statistics"),
    peer("cpu", BOTH, "scipy-stats", "SciPy", "label, find_objects, center_of_mass"),
    peer("cpu", BOTH, "scikit-image-stats", "scikit-image", "label, regionprops_table"),
    *ours("gpu", "patches-direct"),
    peer("gpu", LABELS, "npp", "NPP", "LabelMarkersUF, CompressMarkerLabelsUF", "gpu-labels"),
    *(peer("gpu", LABELS, f"yacclab-{name.lower()}", "YACCLAB", name, "gpu-labels") for name in YACCLAB),
    peer("gpu", LABELS, "opencv-cuda", "OpenCV", "cuda::connectedComponents", "gpu-labels"),
    peer("gpu", LABELS, "torchcc", "torchcc", "ccl2d", "gpu-labels"),
    peer("gpu", LABELS, "kornia-cuda", "kornia-rs", "connected_components"),
    peer("gpu", LABELS, "cvcuda", "CV-CUDA", "label"),
    peer("gpu", LABELS, "cupy", "CuPy", "ndimage.label"),
    peer("gpu", LABELS, "cucim", "cuCIM", "measure.label"),
    peer("gpu", BOTH, "cvcuda-stats", "CV-CUDA", "label, sequential, with stats"),
    peer("gpu", BOTH, "cucim-stats", "cuCIM", "label, regionprops_table"),
)
TASKS = (LABELS, BOTH, COMPONENTS)
# Unit, ns, and what the times are of.
PARTS = {"cpu": ("ms", 1e6, "CPU, one thread"), "gpu": ("µs", 1e3, "GPU")}


def read_lines(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def read_rounds(folder, name):
    """Returns the results of every round of a file."""
    paths = sorted(glob.glob(os.path.join(folder, f"{name}-[0-9]*.csv")))
    return [row for path in paths if read_lines(path) for row in results.read(path)]


def column(source):
    """Returns the column of the table that a file of masks belongs to."""
    size = re.search(r"(\d+)x(\d+)\.y4m$", source)
    return f"{'noise' if source.startswith('random') else 'real'}, {size[1]}×{size[2]}"


class Measured:
    """Everything in a folder of peers.sh."""

    def __init__(self, folder):
        files = {contender.file for contender in CONTENDERS}
        self.rows = {name: read_rounds(folder, name) for name in files}
        self.left_out = []
        for path in sorted(glob.glob(os.path.join(folder, "left-out-*.csv"))):
            part = os.path.basename(path).split("-")[2]
            self.left_out += [{**line, "part": part} for line in read_lines(path)]
        self.machines = {}
        for part in PARTS:
            path = os.path.join(folder, f"{part}-machine")
            if os.path.exists(path):
                with open(path) as file:
                    self.machines[part] = file.read().strip()

    def of(self, contender, connectivity):
        return results.select(
            self.rows[contender.file],
            algorithm=contender.algorithm,
            task=contender.bench_task,
            connectivity=connectivity,
        )

    def columns(self, part):
        rows = [row for contender in CONTENDERS if contender.part == part for row in self.rows[contender.file]]
        return sorted(
            results.distinct(rows, lambda row: column(row.source)),
            key=lambda name: (name.startswith("noise"), len(name), name),
        )

    def has(self, part):
        return any(self.of(contender, 8) for contender in CONTENDERS if contender.part == part and contender.ours)

    def time(self, contender, connectivity, name):
        """Returns ns from call to result: the mean over the masks of medians over the rounds; None without results."""
        calls = {}
        for row in self.of(contender, connectivity):
            if column(row.source) == name:
                calls.setdefault(row.source, []).append(row.call_ns)
        return fmean(median(rounds) for rounds in calls.values()) if calls else None

    def wrong(self, contender, connectivity, name):
        """Says what is wrong with a contender's results in a column; None if nothing is known to be."""
        for line in self.left_out:
            of_it = (line["part"], line["algorithm"], line["connectivity"])
            if of_it == (contender.part, contender.algorithm, str(connectivity)) and line["source"]:
                if column(line["source"]) == name:
                    return line["why"]
        digests = {
            row.source: row.digest
            for other in CONTENDERS
            if other.ours and other.file == contender.file
            for row in self.of(other, connectivity)
            if getattr(row, "digest", None)
        }
        for row in self.of(contender, connectivity):
            if column(row.source) == name and getattr(row, "digest", None) and row.digest != digests.get(row.source):
                return "its labels are not ours"
        return None

    def missing(self, contender):
        """Says why a contender has no results at all."""
        for line in self.left_out:
            if line["part"] == contender.part and line["algorithm"] in (contender.algorithm, "every peer"):
                if line["source"] == "" and "8" in line["connectivity"]:
                    return line["why"]
        return "not measured"


def version(rows):
    """Returns the version of the library that a peer's results name: "OpenCV 4.6.0" has it, a GPU's name has none."""
    match = re.fullmatch(r"[A-Za-z-]+\d?[A-Za-z]* (\d[\w.+-]*)", rows[0].device) if rows else None
    return f" {match[1]}" if match else ""


def significant(value, digits=3):
    """Returns a number with so many digits that count, and all of those before the point."""
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(value)))}f}"


def make_lines(measured, part):
    """Yields a line: the contender, its connectivity, and for each column ns, ratio and why there are none."""
    for task in TASKS:
        group = [contender for contender in CONTENDERS if (contender.part, contender.task) == (part, task)]
        reference = next(contender for contender in group if contender.ours)
        for contender in group:
            # That users have no checkout of these goes without saying, once for each algorithm.
            if contender.is_built and not measured.of(contender, 8) + measured.of(contender, 4):
                continue
            connectivity = 8 if measured.of(contender, 8) or not measured.of(contender, 4) else 4
            cells = []
            for name in measured.columns(part):
                why = measured.wrong(contender, connectivity, name)
                time = measured.time(contender, connectivity, name)
                of_ours = measured.time(reference, connectivity, name)
                cells.append((time, time / of_ours if time and of_ours else None, why))
            yield contender, connectivity, cells


def markdown(measured, part):
    unit, ns, what = PARTS[part]
    columns = measured.columns(part)
    machine = measured.machines.get(part)
    lines = [[f"{what}{f' ({machine})' if machine else ''}: {unit}"] + columns]
    task = None
    for contender, connectivity, cells in make_lines(measured, part):
        rows = measured.of(contender, connectivity)
        if contender.task != task:
            task = contender.task
            lines.append([f"*{task}*"] + [""] * len(columns))
        title = f"{contender.library}{version(rows)}, `{contender.function}`"
        if contender.ours:
            title = f"**{contender.library}**, `{contender.function}`"
        elif connectivity == 4:
            title += ", 4-connectivity"
        texts = []
        for time, ratio, why in cells:
            if time is None:
                texts.append(why or "")
            elif why is not None:
                texts.append(f"{why}; {significant(time / ns)}")
            elif contender.ours:
                texts.append(f"**{significant(time / ns)}**")
            else:
                texts.append(
                    f"{significant(time / ns)} ({significant(ratio, 2)}×)" if ratio else significant(time / ns)
                )
        if not rows and not any(texts):
            texts[0] = measured.missing(contender)
        lines.append([title] + texts)
    lines.insert(1, ["---"] + ["--:"] * len(columns))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def write_csv(measured, parts, path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            "part,task,library,version,function,connectivity,masks,call_us,ratio,why_not".split(","),
        )
        for part in parts:
            for contender, connectivity, cells in make_lines(measured, part):
                rows = measured.of(contender, connectivity)
                for name, (time, ratio, why) in zip(measured.columns(part), cells):
                    why = why or ("" if rows else measured.missing(contender))
                    writer.writerow(
                        [part, contender.task, contender.library, version(rows).strip(), contender.function]
                        + [connectivity, name]
                        + (["", "", why] if why or time is None else [f"{time / 1e3:.1f}", f"{ratio:.2f}", ""])
                    )


def warn(measured):
    """Says how much other work disturbed the calls that are short enough to pass without any."""
    rows = [row for rows in measured.rows.values() for row in rows if row.call_ns < 10e6]
    share = 100 * sum(row.preempted for row in rows) / max(1, sum(row.iterations for row in rows))
    if share > 5:
        print(f"Other work took the processor away in {share:.0f} % of the timed calls: too often.", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="Makes a Markdown table of what peers.sh has measured.")
    parser.add_argument("folder", help="where peers.sh has left its CSV files")
    parser.add_argument("--csv", help="write the figures there, too")
    arguments = parser.parse_args()

    measured = Measured(arguments.folder)
    parts = [part for part in PARTS if measured.has(part)]
    if not parts:
        parser.exit(1, f"{arguments.folder}: has no results of peers.sh\n")
    print("\n".join(markdown(measured, part) for part in parts), end="")
    warn(measured)
    if arguments.csv:
        write_csv(measured, parts, arguments.csv)


if __name__ == "__main__":
    main()
