#!/usr/bin/python3
# gst-cca: draws what evaluation.sh has measured, and writes its report
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import re
import sys
from pathlib import Path
from statistics import fmean, pstdev

import numpy
from matplotlib import pyplot
from scipy.ndimage import gaussian_filter1d

import kernels
import model
import plot
import results
import updates

FEATURES = 64  # bytes of a component's features, CcaFeatures
FEWER = 30  # % of foreground below which a real mask is like those of the evaluation paper
COMPARED = re.compile("ha4|flsl-cd|patches|tree-merge|.*-tree")  # algorithms, with and without compaction


class Missing(Exception):
    """What a section needs was not measured."""


class Report:
    def __init__(self, folder, prefix):
        self.folder = Path(folder)
        self.prefix = prefix  # of the pictures' names

    def read(self, pattern):
        """The lines of the CSV files of a name, each with the algorithm as contender."""
        paths = [path for path in sorted(self.folder.glob(f"{pattern}.csv")) if len(path.read_text().splitlines()) > 1]
        if not paths:
            raise Missing(pattern)
        rows = [row for path in paths for row in results.read(path)]
        for row in rows:
            row.contender = row.algorithm
        return rows

    def draw(self, name, text, figure, panel):
        path = self.folder / f"{self.prefix}-{name}.webp"
        plot.save(figure, panel, path)
        print(f"![{text}](images/{path.name})\n")


def print_table(header, lines):
    print(f"| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for line in lines:
        print(f"| {' | '.join(line)} |")
    print()


def algorithms(rows):
    return results.distinct(rows, lambda row: row.algorithm)


def tasks(rows):
    return results.distinct(rows, lambda row: row.task)


def connectivities(rows):
    return sorted({row.connectivity for row in rows})


def size(rows):
    return f"{rows[0].width}×{rows[0].height}"


def density(report):
    for task in ("analysis", "labels"):
        rows = report.read(task)
        granularities = sorted({row.granularity for row in rows})
        lines = []
        for connectivity in connectivities(rows):
            own = results.select(rows, connectivity=connectivity)
            name = f"{task}-{connectivity}"
            report.draw(name, f"Time against density, {task}, {connectivity}-connectivity", *plot.plot_density(own))
            for algorithm in algorithms(own):
                means = [
                    results.throughput(results.select(own, algorithm=algorithm, granularity=granularity))
                    for granularity in granularities
                ]
                lines.append([algorithm, str(connectivity)] + [f"{means[0]:.3g} ({means[1]:.3g})" for means in means])
        print_table([f"{task}, {size(rows)}, Gpixel/s", "connectivity"] + [f"g = {g}" for g in granularities], lines)


def stages(report):
    rows = report.read("stages")
    for task in tasks(rows):
        own = results.select(rows, task=task)
        report.draw(f"stages-{task}", f"Time of the stages against density, {task}", *plot.plot_stages(own))


def profile(report, name):
    """The lines of a set with their kernels."""
    report.read(name)
    try:
        rows = kernels.read(report.folder / f"{name}.ncu", report.folder / f"{name}.csv")
    except OSError as error:
        raise Missing(str(error)) from error
    for row in rows:
        row.contender = row.algorithm
    return rows


def kernels_against_density(report):
    rows = profile(report, "kernels")
    for task in tasks(rows):
        own = results.select(rows, task=task)
        report.draw(f"kernels-{task}", f"Time of the kernels against density, {task}", *plot.plot_kernels(own))


def sizes(report):
    report.draw("sizes", "Throughput against size, analysis", *plot.plot_sweep_size(report.read("sizes")))


def counted_updates(report, side):
    densities = range(5, 101, 5)
    counts = [updates.count(updates.random_mask(side, percent, 1)) for percent in densities]
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4.4))
    for panel, of, title in ((panels[0], numpy.sum, "atomic updates"), (panels[1], updates.conflicts, "conflicts")):
        for algorithm in counts[0]:
            panel.plot(densities, [of(by_label[algorithm]) for by_label in counts], label=algorithm)
        panel.set_title(title)
        panel.set_yscale("log")
        panel.set_xlabel("foreground, %")
        panel.grid(alpha=0.3)
    figure.suptitle(f"Random images, {side}×{side}, g = 1, 4-connectivity; counted on the host")
    report.draw("updates", "Number of atomic updates and estimated conflicts", figure, panels[0])


class Copies:
    """The time of a copy to the host by its bytes, ns: between measured sizes, and on from the largest two, linear."""

    def __init__(self, rows):
        rows = sorted(results.select(rows, algorithm="copy"), key=lambda row: row.pixels)
        self.bytes = [row.pixels for row in rows]
        self.times = [row.median_ns for row in rows]

    def __call__(self, n_bytes):
        if n_bytes > self.bytes[-1]:
            slope = (self.times[-1] - self.times[-2]) / (self.bytes[-1] - self.bytes[-2])
            return self.times[-1] + slope * (n_bytes - self.bytes[-1])
        return float(numpy.interp(n_bytes, self.bytes, self.times))


def with_copies(report):
    """The lines of all sizes, with the total and the copy of each kind, µs."""
    copy = Copies(report.read("copies"))
    one = {(row.algorithm, row.case, row.pixels): row for row in report.read("components-1-*")}
    rows = []
    for row in report.read("components-16777216-*"):
        if COMPARED.fullmatch(row.algorithm) and (row.algorithm, row.case, row.pixels) in one:
            everything = copy(-(-row.pixels // 2) * FEATURES)
            row.compact = row.median_ns / 1e3, copy(row.components * FEATURES) / 1e3
            row.sparse = (one[row.algorithm, row.case, row.pixels].median_ns + everything) / 1e3, everything / 1e3
            rows.append(row)
    return rows


def components(report):
    rows = with_copies(report)
    sides = sorted({row.width for row in rows})
    granularities = sorted({row.granularity for row in rows})
    chosen = sorted({row.width for row in rows if row.granularity == granularities[-1]})

    figure, panels = pyplot.subplots(
        len(chosen), len(granularities), squeeze=False, figsize=(1 + 3.6 * len(granularities), 0.8 + 3.2 * len(chosen))
    )
    for line, side in zip(panels, chosen):
        for panel, granularity in zip(line, granularities):
            for index, algorithm in enumerate(algorithms(rows)):
                own = results.select(rows, algorithm=algorithm, width=side, granularity=granularity)
                for kind, alpha in (("compact", 1), ("sparse", 0.4)):
                    for part, style in ((0, "-"), (1, "--")):
                        panel.plot(
                            [row.density for row in own],
                            [getattr(row, kind)[part] for row in own],
                            style,
                            color=f"C{index}",
                            alpha=alpha,
                            label=f"{algorithm}, {kind}" if part == 0 else None,
                        )
            panel.set_title(f"{side}×{side}, g = {granularity}", fontsize=9)
            panel.set_yscale("log")
            panel.grid(alpha=0.3)
        line[0].set_ylabel("µs")
    for panel in panels[-1]:
        panel.set_xlabel("foreground, %")
    figure.suptitle("Analysis and copy to the host, and the copy alone (dashed)")
    report.draw("copies-density", "Total and copy time against density", figure, panels[0][0])

    figure, panel = pyplot.subplots(figsize=(7, 4.4))
    lines = []
    for index, algorithm in enumerate(algorithms(rows)):
        means = []
        for side in sides:
            own = results.select(rows, algorithm=algorithm, width=side, granularity=1)
            means.append([fmean(getattr(row, kind)[0] for row in own) for kind in ("compact", "sparse")])
        for number, (kind, style) in enumerate((("compact", "-"), ("sparse", "--"))):
            label = f"{algorithm}, {kind}"
            panel.plot(sides, [mean[number] for mean in means], style, color=f"C{index}", marker=".", label=label)
        lines.append([algorithm] + [f"{compact:.0f} / {sparse:.0f}" for compact, sparse in means])
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.set_xlabel("side of the image, pixels")
    panel.set_ylabel("µs, copy to the host included")
    panel.grid(alpha=0.3)
    report.draw("copies-size", "Total time against size with and without compaction", figure, panel)
    print_table(["compacted / not, µs, g = 1"] + [f"{side}²" for side in sides], lines)


def shares_of_stages(report):
    rows = report.read("stages-sizes")
    figure, pairs = plot.contender_panels(
        rows, "Shares of the stages, analysis, 50 %, g = 1", "width", "side of the image, pixels", "% of the time"
    )
    for panel, own in pairs:
        shares = [100 * numpy.array(part) / total_of(own) for part in stages_of(own)]
        stack(panel, shares, results.STAGES, [row.width for row in own])
    report.draw("stages-size", "Shares of the stages against size", figure, pairs[0][0])


def stages_of(rows):
    return [[getattr(row, f"{stage}_ns") for row in rows] for stage in results.STAGES]


def total_of(rows):
    return numpy.maximum(numpy.sum(stages_of(rows), axis=0), 1)


def stack(panel, parts, names, ticks):
    """Parts one above the other, at equal distances."""
    panel.stackplot(range(len(ticks)), parts, labels=names)
    panel.set_xticks(range(len(ticks)), [str(tick) for tick in ticks], fontsize=7)


def families_of(rows):
    """The families by name, however many subdivisions there was room for."""
    return results.distinct(rows, lambda row: row.source)


def families(report):
    rows = report.read("families-*")
    for source in families_of(rows):
        for task in tasks(rows):
            own = results.select(rows, source=source, task=task, connectivity=max(connectivities(rows)))
            figure, pairs = plot.contender_panels(own, f"{source}, {task}, {size(own)}", "parameter", "parameter", "ms")
            for panel, members in pairs:
                times = [numpy.array(part) / 1e6 for part in stages_of(members)]
                stack(panel, times, results.STAGES, [row.parameter for row in members])
            name = source.split("(")[0]
            report.draw(f"family-{name}-{task}", f"Time of the stages, {source}, {task}", figure, pairs[0][0])
    iterations(rows)
    for task in tasks(rows):
        for connectivity in connectivities(rows):
            own = results.select(rows, task=task, connectivity=connectivity)
            lines = []
            for algorithm in algorithms(own):
                line = [algorithm]
                for source in families_of(own):
                    times = [row.median_ns / 1e6 for row in results.select(own, algorithm=algorithm, source=source)]
                    line.append(f"{fmean(times):.3g} ± {100 * pstdev(times) / fmean(times):.0f} %")
                lines.append(line)
            print_table([f"{task}, {connectivity}-connectivity, ms"] + families_of(own), lines)


def iterations(rows):
    """The passes of iterative algorithms, which the level of a pattern predicts."""
    rows = [row for row in rows if row.source == "leveling" and row.label_iterations]
    levels = sorted({row.parameter for row in rows})
    lines = []
    for algorithm in algorithms(rows):
        for connectivity in connectivities(rows):
            own = results.select(rows, algorithm=algorithm, connectivity=connectivity)
            counts = [
                max((row.label_iterations for row in results.select(own, parameter=level)), default="")
                for level in levels
            ]
            lines.append([algorithm, str(connectivity)] + [str(count) for count in counts])
    if lines:
        print_table(["iterations at level", "connectivity"] + [str(level) for level in levels], lines)


EXAMPLES = {
    "large": ("subdivision(2)", 0),
    "many": ("random-instancing(2,5)", 100),
    "few": ("random-instancing(2,5)", 10),
}


def example_of(row):
    """Which example of GPU Computing Gems, figure 35.11, a row stands for."""
    family = row.source.split(",")[0]
    return next(
        (
            name
            for name, (source, number) in EXAMPLES.items()
            if (source.split(",")[0], number) == (family, row.parameter)
        ),
        None,
    )


def examples(report):
    rows = [row for row in profile(report, "examples") if example_of(row)]
    purposes = list(dict.fromkeys(name for row in rows for name in row.kernels))
    figure, pairs = plot.contender_panels(
        rows, f"Shares of the kernels, labels, {rows[0].connectivity}-connectivity", "width", "example", "% of the time"
    )
    for panel, own in pairs:
        own = sorted(own, key=lambda row: (list(EXAMPLES).index(example_of(row)), row.width))
        totals = [sum(row.kernels.values()) for row in own]
        parts = [
            numpy.array([100 * row.kernels.get(name, 0) / total for row, total in zip(own, totals)])
            for name in purposes
        ]
        bottom = numpy.zeros(len(own))
        for name, part, color in zip(purposes, parts, plot.twenty_colors(len(purposes))):
            panel.bar(range(len(own)), part, bottom=bottom, label=name, color=color)
            bottom += part
        panel.set_xticks(range(len(own)), [f"{example_of(row)} {row.width}²" for row in own], rotation=90, fontsize=6)
    report.draw("examples", "Shares of the kernels, three examples", figure, pairs[0][0])
    header = [(name, side) for name in EXAMPLES for side in sorted({row.width for row in rows})]
    lines = []
    for algorithm in algorithms(rows):
        line = [algorithm]
        for name, side in header:
            own = [row for row in results.select(rows, algorithm=algorithm, width=side) if example_of(row) == name]
            line.append(f"{own[0].pixels / sum(own[0].kernels.values()):.3g}" if own else "")
        lines.append(line)
    print_table(["kernels alone, Gpixel/s"] + [f"{name} {side}²" for name, side in header], lines)


def synthetic(report, task):
    """The families with 8-connectivity in all sizes, with the members that all sizes have."""
    smaller = report.read(f"model-{task}-*")
    largest = [row for row in report.read(f"families-{task}-*") if row.connectivity == smaller[0].connectivity]
    return smaller + largest


def curve(panel, label, style, fitted, measured, real):
    x = numpy.geomspace(min(measured), max(measured), 50)
    panel.plot(x, model.model(x, *fitted), label=label, **style)
    panel.plot(list(real), list(real.values()), "x", color=style["color"])


def models(report):
    for task in ("analysis", "labels"):
        rows, masks = synthetic(report, task), report.read(f"real-{task}-*")
        sparse = [row for row in masks if row.density < FEWER] or masks
        figure, panels = pyplot.subplots(1, 2, figsize=(10, 4.4))
        parameters, distributions = [], []
        for index, (own, style) in enumerate(plot.series(rows)):
            algorithm = own[0].algorithm
            measured = model.moments(own)
            real = model.moments(results.select(sparse, algorithm=algorithm))
            every = model.moments(results.select(masks, algorithm=algorithm))
            line = [algorithm]
            for number, panel in enumerate(panels):
                try:
                    fitted = model.fit(list(measured), [moment[number] for moment in measured.values()])
                except RuntimeError as error:
                    print(f"{task}, {algorithm}: {error}", file=sys.stderr)
                    line += ["not fitted"] * 4
                    continue
                style = {key: value for key, value in style.items() if key != "label"}
                values = {pixels: moment[number] for pixels, moment in real.items()}
                curve(panel, algorithm, style, fitted, measured, values)
                # In the paper's unit, standard deviations of the real masks' times.
                errors = [
                    (model.model(pixels, *fitted) - moment[number]) / moment[1] if moment[1] else 0
                    for pixels, moment in real.items()
                ]
                line += [f"{value:.3g}" for value in fitted] + [f"{max(errors, key=abs):+.2f}"]
                if number == 0:
                    relative = [model.model(pixels, *fitted) / moment[0] - 1 for pixels, moment in every.items()]
                    line.append(f"{100 * max(relative, key=abs):+.0f} %")
            parameters.append(line)
            largest = max(set(measured) & set(real))
            (mean_s, deviation_s), (mean_d, deviation_d) = measured[largest], real[largest]
            distributions.append(
                [algorithm]
                + [f"{value:.3g}" for value in (mean_d, deviation_d, mean_s, deviation_s)]
                + [
                    f"{difference / deviation_d:+.2f}" if deviation_d else "—"
                    for difference in (mean_s - mean_d, deviation_s - deviation_d)
                ]
            )
        for panel, title in zip(panels, ("mean", "standard deviation")):
            panel.set_title(f"{title}, µs")
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xlabel("pixels")
            panel.grid(alpha=0.3)
        figure.suptitle(f"{task}: model fitted to the families, and real masks (crosses)")
        report.draw(f"model-{task}", f"Model of time against size, {task}", figure, panels[0])
        n_masks = len({row.case + str(row.density) for row in sparse})
        print_table(
            [f"{task}, µs", "a", "b", "c", f"worst error, σ of {n_masks} masks", "worst error, all masks"]
            + [f"of σ: {name}" for name in ("a", "b", "c", "worst error, σ")],
            parameters,
        )
        print_table(
            [f"{task}, {max(row.width for row in masks)}², µs", "µ real", "σ real", "µ families", "σ families"]
            + ["µ: error / σ", "σ: error / σ"],
            distributions,
        )
        draw_distributions(report, task, rows, sparse)


def draw_distributions(report, task, rows, masks):
    """The evaluation paper's figure 9: histograms of 100 bins, smoothed by a Gaussian kernel ten bins wide."""
    largest = max({row.pixels for row in rows} & {row.pixels for row in masks})
    title = f"Times of the families and of real masks, {task}, {int(largest ** 0.5)}²"
    figure, pairs = plot.contender_panels(
        results.select(rows, pixels=largest), title, "median_ns", "ms", "density", False
    )
    for panel, own in pairs:
        real = results.select(masks, pixels=largest, algorithm=own[0].algorithm)
        times = [[row.median_ns / 1e6 for row in some] for some in (own, real)]
        low, high = min(map(min, times)), max(map(max, times))
        margin = (high - low) / 5 + 1e-6
        for some, label in zip(times, ("families", "real masks")):
            heights, edges = numpy.histogram(some, 100, (low - margin, high + margin), density=True)
            panel.plot((edges[1:] + edges[:-1]) / 2, gaussian_filter1d(heights, 10 / 4), label=label)
            panel.axvline(fmean(some), linestyle=":", color="black")
    report.draw(f"distribution-{task}", title, figure, pairs[0][0])


def share(report):
    """The share of the memory's ceiling: reading the image for analysis, writing labels for labels."""
    ceilings = report.read("ceilings")
    rows = {task: report.read(task) for task in ("analysis", "labels")}
    granularities = sorted({row.granularity for row in rows["analysis"]})
    figure, panels = pyplot.subplots(2, len(granularities), sharex=True, sharey=True, figsize=(12, 8), squeeze=False)
    for line, (task, name) in zip(panels, (("analysis", "read"), ("labels", "write"))):
        own = results.select(rows[task], connectivity=max(connectivities(rows[task])))
        ceiling = results.throughput(results.select(ceilings, algorithm=name, pixels=own[0].pixels))[0]
        for panel, granularity in zip(line, granularities):
            for contender, style in plot.series(own):
                points = sorted(results.select(contender, granularity=granularity), key=lambda row: row.density)
                panel.plot(
                    [row.density for row in points],
                    [100 * row.pixels / row.median_ns / ceiling for row in points],
                    **style,
                )
            panel.set_title(f"{task}, g = {granularity}")
            panel.grid(alpha=0.3)
        line[0].set_ylabel(f"% of {name}, {ceiling:.0f} Gpixel/s")
    for panel in panels[-1]:
        panel.set_xlabel("foreground, %")
    panels[0][0].set_ylim(0, 100)
    figure.suptitle(f"Share of the memory's ceiling, {size(own)}, {own[0].connectivity}-connectivity")
    report.draw("share", "Share of the memory's ceiling against density", figure, panels[0][0])


PARAMETERS = {"leveling": "level", "subdivision": "subdivisions", "random-instancing": "patterns, %"}


def family_of(row):
    return row.source.split("(")[0]


def draw_scans(report, name, text, rows):
    """Time against the parameter: a panel for each family, a colour for each variant, dashed for a second level."""
    names = results.distinct(rows, family_of)
    figure, panels = pyplot.subplots(1, len(names), squeeze=False, figsize=(1 + 4 * len(names), 4.4))
    for panel, family in zip(panels[0], names):
        members = [row for row in rows if family_of(row) == family]
        for source, style in zip(families_of(members), ("-", "--")):
            level = re.search(r"\((\d+)", source)
            for index, algorithm in enumerate(sorted(algorithms(rows))):
                own = results.select(members, source=source, algorithm=algorithm)
                panel.plot(
                    [row.parameter for row in own],
                    [row.median_ns / 1e6 for row in own],
                    style,
                    marker=".",
                    color=f"C{index}",
                    label=f"{algorithm}, level {level[1]}" if level else algorithm,
                )
        panel.set_title(" and ".join(families_of(members)))
        panel.set_xlabel(PARAMETERS[family])
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("ms (median)")
    figure.suptitle(f"{text}, {size(rows)}, {rows[0].connectivity}-connectivity")
    report.draw(name, text, figure, panels[0][-1])


def tabulate_scans(text, rows, reference):
    """The means over the members, and in parentheses the range of ratios to the reference."""
    lines = []
    for algorithm in algorithms(rows):
        line = [algorithm]
        for source in families_of(rows):
            own = results.select(rows, source=source, algorithm=algorithm)
            base = results.select(rows, source=source, algorithm=reference)
            ratios = [row.median_ns / other.median_ns for row, other in zip(own, base, strict=True)]
            mean = fmean(row.median_ns for row in own) / 1e6
            line.append(f"{mean:.3g}" + ("" if own == base else f" ({min(ratios):.2f} to {max(ratios):.2f})"))
        lines.append(line)
    print_table([f"{text}, ms (× {reference})"] + families_of(rows), lines)


def scans_of(report, picture, text, names):
    """The rows of some variants, the last of which the paper recommends."""
    rows = [row for row in report.read("scans") if row.algorithm in names]
    draw_scans(report, picture, text, rows)
    tabulate_scans(text, rows, names[-1])


def first_scans(report):
    scans_of(report, "first", "First Scan", ("first-p4", "first-f8", "first-f4"))


def flags(report):
    scans_of(report, "flags", "All Scans", ("global-flag", "shared-flag"))


def main():
    parser = argparse.ArgumentParser(description="Draws what evaluation.sh has measured, and prints the report.")
    parser.add_argument("folder", help="where evaluation.sh has left its CSV files; the pictures go there, too")
    parser.add_argument("--counted", type=int, default=2048, help="side of the images whose updates are counted")
    parser.add_argument("--scans", action="store_true", help="the report of the scans of label equivalence instead")
    arguments = parser.parse_args()

    report = Report(arguments.folder, "scans" if arguments.scans else "evaluation")
    all_sections = (
        ("Time against density", density),
        ("Stages", stages),
        ("Kernels", kernels_against_density),
        ("Sizes", sizes),
        ("Atomic updates and conflicts", lambda report: counted_updates(report, arguments.counted)),
        ("Copies to the host", components),
        ("Shares of the stages", shares_of_stages),
        ("Families", families),
        ("Large, many and few objects", examples),
        ("Model", models),
        ("Share of the ceiling", share),
    )
    scan_sections = (("First Scan", first_scans), ("Flags", flags))
    for title, section in scan_sections if arguments.scans else all_sections:
        print(f"### {title}\n")
        try:
            section(report)
        except Missing as missing:
            print(f"evaluation.py: {title}: {missing} was not measured", file=sys.stderr)
            print("Not measured.\n")


if __name__ == "__main__":
    main()
