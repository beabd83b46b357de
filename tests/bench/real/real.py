#!/usr/bin/env python3
# gst-cca: counts, boxes and identities on real video, beside other trackers and background subtractors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the elements and their peers on real clips with known crossings. Prints a line a clip and method, and writes
real.md (tables) and real.csv to the output folder.

real.sh installs what this needs.
"""

import argparse
import collections
import csv
import pathlib
import sys

import clips
import measures
import methods
import pipeline
import variants
from measures import Crossings, Identities

FIELDS = ["set", "clip", "method", "right", "false", "missed", "jumps", "large", "boxes", "idf1", "mota", "switches"]
FIELDS += ["ms"]


class Total:
    """Sums over clips."""

    def __init__(self):
        self.crossings, self.jumps, self.large, self.boxes, self.times = Crossings(), 0, 0, 0, []
        self.identities = None

    def add(self, other):
        self.crossings += other.crossings
        self.jumps += other.jumps
        self.large += other.large
        self.boxes += other.boxes
        self.times += other.times
        if other.identities:
            self.identities = (self.identities or Identities()) + other.identities

    @staticmethod
    def of(clip, run):
        total = Total()
        total.crossings, total.jumps = measures.count(clip, run.events), len(measures.jumps(run.frames))
        total.large, total.boxes = measures.boxes_too_large(run.frames)
        total.times = [run.ms] if run.ms is not None else []
        if (true_boxes := clip.true_boxes()) is not None:
            total.identities = measures.compare_identities(true_boxes, run.frames)
        return total

    @property
    def share(self):
        return 100 * self.large / max(1, self.boxes)

    @property
    def ms(self):
        return sum(self.times) / len(self.times) if self.times else None

    def identity_cells(self):
        if not self.identities:
            return ["", "", ""]
        return [f"{self.identities.idf1:.2f}", f"{self.identities.mota:.2f}", str(self.identities.switches)]

    def row(self):
        """The values of FIELDS after the method."""
        c = self.crossings
        return [c.right, c.false, c.missed, self.jumps, self.large, self.boxes, *self.identity_cells()] + [
            f"{self.ms:.2f}" if self.times else ""
        ]

    def text(self):
        c = self.crossings
        text = f"{c.right:3} right {c.false:3} false {c.missed:3} missed, {self.jumps:3} jumps"
        text += f", {self.share:3.0f} % too large"
        if self.identities:
            text += ", IDF1 {} MOTA {} switches {}".format(*self.identity_cells())
        return text + (f", {self.ms:.2f} ms" if self.times else "")


def list_errors(clip, run):
    """Prints every false and missed crossing, and every jump."""
    _, false, missed = measures.match(clip, run.events)
    for event in sorted(false):
        print(f"    false: {event.line} {event.direction} at {event.time:.2f} s by track {event.track}")
    for time, line, direction in sorted(missed):
        print(f"    missed: {line} {direction} at {time:.2f} s")
    for index, number in measures.jumps(run.frames):
        print(f"    jump: track {number} in frame {index}, {run.frames[index].time:.2f} s")


def table(header, rows, align="--:"):
    lines = [header, ["---"] + [align] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def tables(title, found, results, key):
    """Of a set: the sums over its clips, then the crossings by a key of clips."""
    names = list(dict.fromkeys(name for clip in found for name in results[clip.name]))
    rows = []
    for name in names:
        total = Total()
        for clip in found:
            total.add(results[clip.name][name])
        c = total.crossings
        cells = [str(c.right), str(c.false), str(c.missed), str(c.errors), str(total.jumps), f"{total.share:.0f} %"]
        rows.append([name, *cells, *total.identity_cells(), f"{total.ms:.2f}" if total.times else ""])
    header = ["method", "right", "false", "missed", "errors", "jumps", "boxes > 1.5×", "IDF1", "MOTA", "switches"]
    text = f"### {title}\n\n" + table(header + ["ms a frame"], rows) + "\n"
    rows = []
    for value in dict.fromkeys(getattr(clip, key) for clip in found):
        group = [clip for clip in found if getattr(clip, key) == value]
        n = sum(len(times) for clip in group for line in clip.crossings.values() for times in line.values())
        counts = [sum((results[clip.name][name].crossings for clip in group), Crossings()) for name in names]
        rows.append([value, str(n), *(f"{c.right} / {c.false} / {c.missed}" for c in counts)])
    return text + table(["right / false / missed", "crossings", *names], rows)


def sources(found):
    rows = [[c.name, f"`{c.file}`", c.source, c.note] for c in found]
    return table(["clip", "file name here", "where it comes from", "what is in it"], rows, "---")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = pathlib.Path(__file__).parent
    parser.add_argument("clips", nargs="+", type=pathlib.Path, help="folders with the clips that the scenes name")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--scenes", type=pathlib.Path, default=here / "scenes.json", help="what clips.py describes")
    parser.add_argument("--sets", default="develop,held", help="of develop, held, fresh")
    parser.add_argument("--only", help="names of clips, separated by commas")
    parser.add_argument("--cca", default="", help="properties of cca")
    parser.add_argument("--track", default="", help="properties of ccatrack")
    parser.add_argument("--list", action="store_true", help="print every false and missed crossing, and every jump")
    parser.add_argument(
        "--variants", action="store_true", help="each clip mirrored, scaled, in other light and farther away, too"
    )
    parser.add_argument("--no-peers", action="store_true", help="ours only")
    options = parser.parse_args()

    chosen, problems = clips.read(options.scenes, options.clips)
    chosen = [c for c in chosen if c.set in options.sets.split(",")]
    if options.only:
        chosen = [c for c in chosen if c.name in options.only.split(",")]
    for problem in problems:
        print(f"left out: {problem}", file=sys.stderr)
    if not chosen:
        sys.exit("real: there are no clips to run on")
    if options.variants:
        chosen = [variant for clip in chosen for variant in variants.of(clip, *pipeline.size(clip))]
    if not methods.trackers and not options.no_peers:
        print("left out: ByteTrack, which PyPI's package trackers has", file=sys.stderr)

    options.output.mkdir(parents=True, exist_ok=True)
    results = collections.defaultdict(dict)
    with open(options.output / "real.csv", "w") as file:
        rows = csv.writer(file)
        rows.writerow(FIELDS)
        for clip in chosen:
            for name, run in methods.all_of(clip, options.cca, options.track, not options.no_peers).items():
                result = results[clip.name][name] = Total.of(clip, run)
                rows.writerow([clip.set, clip.name, name, *result.row()])
                print(f"{clip.name:23} {name:28}{result.text()}", flush=True)
                if options.list:
                    list_errors(clip, run)
    report, key = ([], "variant") if options.variants else ([sources(chosen)], "name")
    for kind in dict.fromkeys(clip.set for clip in chosen):
        report.append(tables(kind, [clip for clip in chosen if clip.set == kind], results, key))
    if problems:
        names = ", ".join(problem.split(":")[0] for problem in problems)
        report.append(f"Left out, because the clip was not there: {names}.\n")
    (options.output / "real.md").write_text("\n".join(report))
    print("\n" + "\n".join(report if options.variants else report[1:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
