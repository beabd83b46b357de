#!/usr/bin/python3
# gst-cca: draws the results of cca-bench
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import io
from pathlib import Path
from statistics import fmean

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from PIL import Image  # noqa: E402

import kernels  # noqa: E402
import results  # noqa: E402


def series(rows):
    """The contenders with a colour each; peers are grey and dashed."""
    n_peers = 0
    for index, contender in enumerate(results.distinct(rows, lambda row: row.contender)):
        own = results.select(rows, contender=contender)
        if own[0].is_peer:
            style = {"color": ("black", "dimgray", "darkgray")[n_peers % 3], "linestyle": ("--", ":")[n_peers // 3 % 2]}
            n_peers += 1
        else:
            style = {
                "color": f"C{(index - n_peers) % 10}",
                "linestyle": ("-", "--", "-.")[(index - n_peers) // 10 % 3],
            }
        yield own, {"label": contender, **style}


def granularity_panels(rows):
    """A figure with a panel for each granularity of the rows, in pairs with it."""
    granularities = results.distinct(rows, lambda row: row.granularity)
    figure, panels = pyplot.subplots(
        1, len(granularities), sharey=True, squeeze=False, figsize=(1 + 3.6 * len(granularities), 4.4)
    )
    for panel, granularity in zip(panels[0], granularities):
        panel.set_title(f"granularity {granularity}")
        panel.grid(alpha=0.3)
    return figure, list(zip(panels[0], granularities))


def contender_panels(rows, title, by="density", axis="foreground, %", unit="µs", sharex=True):
    """A figure with a panel of `unit` against a column for each contender, in pairs with its rows in that order."""
    contenders = results.distinct(rows, lambda row: row.contender)
    columns = min(4, len(contenders))
    lines = -(-len(contenders) // columns)
    figure, panels = pyplot.subplots(
        lines, columns, sharex=sharex, squeeze=False, figsize=(0.6 + 3.1 * columns, 0.8 + 2.4 * lines)
    )
    pairs = []
    for panel, contender in zip(panels.flat, contenders):
        own = sorted(results.select(rows, contender=contender), key=lambda row: getattr(row, by))
        panel.set_title(f"{own[0].algorithm}, {own[0].task}", fontsize=9)
        panel.grid(alpha=0.3)
        pairs.append((panel, own))
    for panel in panels.flat[len(contenders) :]:
        panel.set_visible(False)
    for panel in panels[-1]:
        panel.set_xlabel(axis)
    for panel in panels[:, 0]:
        panel.set_ylabel(unit)
    figure.suptitle(title, y=1, va="bottom")
    return figure, pairs


def describe(rows, what):
    return (
        f"{what}, {rows[0].width}×{rows[0].height}, g = {rows[0].granularity}, "
        f"{rows[0].connectivity}-connectivity, {rows[0].device}"
    )


def plot_density(rows):
    """Time against density, a panel for each granularity."""
    rows = results.select(rows, source="random")
    figure, panels = granularity_panels(rows)
    for panel, granularity in panels:
        for own, style in series(rows):
            own = sorted(results.select(own, granularity=granularity), key=lambda row: row.density)
            densities = [row.density for row in own]
            panel.plot(densities, [row.median_ns / 1e6 for row in own], **style)
            panel.fill_between(
                densities,
                [row.p10_ns / 1e6 for row in own],
                [row.p90_ns / 1e6 for row in own],
                color=style["color"],
                alpha=0.2,
                linewidth=0,
            )
        panel.set_xlabel("foreground, %")
        panel.set_yscale("log")
    panels[0][0].set_ylabel("ms an image (median, p10 to p90)")
    figure.suptitle(f"Random images, {rows[0].width}×{rows[0].height}, {rows[0].connectivity}-connectivity")
    return figure, panels[0][0]


def plot_size(rows):
    """Throughput against size."""
    figure, panel = pyplot.subplots(figsize=(7, 4.4))
    for own, style in series(rows):
        own = sorted(own, key=lambda row: row.pixels)
        panel.plot([row.pixels / 1e6 for row in own], [row.mpixel_per_s for row in own], marker=".", **style)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("image, Mpixel")
    panel.set_ylabel("throughput, Mpixel/s")
    panel.grid(alpha=0.3)
    figure.suptitle(f"{rows[0].case}, {rows[0].connectivity}-connectivity")
    return figure, panel


def plot_sweep_size(rows):
    """Throughput over all densities against size, a panel for each granularity."""
    rows = results.select(rows, source="random")
    figure, panels = granularity_panels(rows)
    for panel, granularity in panels:
        for own, style in series(rows):
            own = results.select(own, granularity=granularity)
            sizes = sorted(results.distinct(own, lambda row: row.pixels))
            panel.plot(
                sizes, [results.throughput(results.select(own, pixels=size))[0] for size in sizes], marker=".", **style
            )
        sides = sorted({(row.pixels, row.width) for row in rows})
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xticks([pixels for pixels, side in sides], [str(side) for pixels, side in sides], rotation=45)
        panel.minorticks_off()
        panel.set_xlabel("side of the image, pixels")
    panels[0][0].set_ylabel("Gpixel/s (pixels over mean time)")
    densities = ", ".join(f"{density:.0f}" for density in sorted({row.density for row in rows}))
    figure.suptitle(f"Random images, densities {densities} %, {rows[0].connectivity}-connectivity")
    return figure, panels[0][0]


def plot_share(rows, ceiling):
    """Throughput as a share of the ceiling, against density."""
    rows = [row for row in results.select(rows, source="random") if not row.is_peer]
    figure, panels = granularity_panels(rows)
    for panel, granularity in panels:
        for own, style in series(rows):
            own = sorted(results.select(own, granularity=granularity), key=lambda row: row.density)
            panel.plot(
                [row.density for row in own],
                [100 * row.pixels / row.median_ns / ceiling for row in own],
                marker=".",
                **style,
            )
        panel.set_xlabel("foreground, %")
    panels[0][0].set_ylim(bottom=0)
    panels[0][0].set_ylabel(f"% of the ceiling, {ceiling:.0f} Gpixel/s")
    figure.suptitle(f"Random images, {rows[0].width}×{rows[0].height}, {rows[0].connectivity}-connectivity")
    return figure, panels[0][0]


def plot_real(rows):
    """Bars of the mean time over real masks, a panel for each size; peers are hatched."""
    rows = [row for row in rows if row.connectivity == min(row.connectivity for row in rows)]
    sizes = sorted(results.distinct(rows, lambda row: (row.width, row.height)))
    contenders = results.distinct(rows, lambda row: row.contender)
    figure, panels = pyplot.subplots(
        1, len(sizes), sharey=True, squeeze=False, figsize=(3 + 4 * len(sizes), 1 + 0.24 * len(contenders))
    )
    for panel, (width, height) in zip(panels[0], sizes):
        for index, contender in enumerate(contenders):
            own = results.select(rows, contender=contender, height=height)
            if own:
                bar = panel.barh(
                    index,
                    fmean(row.median_ns for row in own) / 1e3,
                    color="silver" if own[0].is_peer else "C0" if own[0].task == "analysis" else "C1",
                )
                panel.bar_label(bar, fmt="%.0f", padding=2, fontsize=7)
        panel.set_xscale("log")
        panel.margins(x=0.15, y=0.02)
        panel.set_title(f"{width}×{height}")
        panel.set_xlabel("µs a mask, mean")
        panel.grid(alpha=0.3, axis="x")
    names = {row.contender: f"{row.algorithm}, {row.task}" for row in rows}
    panels[0][0].set_yticks(range(len(contenders)), [names[contender] for contender in contenders], fontsize=8)
    panels[0][0].invert_yaxis()
    figure.suptitle(f"Real masks, {rows[0].connectivity}-connectivity; others than ours in grey")
    return figure, panels[0][0]


def twenty_colors(n):
    return [pyplot.get_cmap("tab20")(index % 20) for index in range(n)]


def plot_kernels(rows):
    """The time of each purpose's kernels against density, a panel for each contender."""
    purposes = list(dict.fromkeys(name for row in rows for name in row.kernels))
    colors = dict(zip(purposes, twenty_colors(len(purposes))))
    figure, panels = contender_panels(rows, describe(rows, "Kernels"))
    for panel, own in panels:
        names = [name for name in purposes if any(name in row.kernels for row in own)]
        panel.stackplot(
            [row.density for row in own],
            [[row.kernels.get(name, 0) / 1e3 for row in own] for name in names],
            colors=[colors[name] for name in names],
        )
    for name in purposes:
        panels[0][0].fill_between([], [], color=colors[name], label=name)
    return figure, panels[0][0]


def plot_stages(rows):
    """The time of each stage against density, a panel for each contender."""
    figure, panels = contender_panels(rows, describe(rows, "Stages"))
    for panel, own in panels:
        panel.stackplot(
            [row.density for row in own],
            [[getattr(row, f"{stage}_ns") / 1e3 for row in own] for stage in results.STAGES],
            labels=results.STAGES,
        )
    return figure, panels[0][0]


def plot_ratio(rows):
    """Bars of how many times as fast as the reference each contender is, for every case."""
    cases = results.distinct(rows, lambda row: row.case)
    own = [row for row in rows if not row.is_peer] or rows
    contenders = results.distinct(own, lambda row: row.contender)
    height = 0.8 / len(contenders)
    figure, panel = pyplot.subplots(figsize=(8, 1.2 + 0.16 * len(cases) * (len(contenders) + 1)))
    for index, contender in enumerate(contenders):
        ratios = {row.case: row.ratio for row in results.select(own, contender=contender)}
        positions = [i + (index - (len(contenders) - 1) / 2) * height for i, case in enumerate(cases) if case in ratios]
        bars = panel.barh(
            positions,
            [ratios[case] for case in cases if case in ratios],
            height,
            color=f"C{index % 10}",
            label=contender,
        )
        panel.bar_label(bars, fmt="%.1f", padding=2, fontsize=6)
    panel.set_yticks(range(len(cases)), cases, fontsize=8)
    panel.invert_yaxis()
    panel.axvline(1, color="black", linewidth=0.8)
    reference = next((row for row in rows if row.is_peer and row.ratio == 1), None)
    panel.set_xlabel(f'times as fast as {reference.contender if reference else "the reference"}')
    panel.margins(x=0.1, y=0.01)
    panel.grid(alpha=0.3, axis="x")
    panel.set_title(f"{rows[0].width}×{rows[0].height}, {rows[0].connectivity}-connectivity")
    return figure, panel


DPI = 72
MAX_BYTES = 40_000  # of a picture in the tree


def with_frequent_colors(picture, n):
    """Reduces a picture to its n most frequent colours, which keeps those of lines and bars as they are."""
    pixels = numpy.asarray(picture)
    colors, index, counts = numpy.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    palette = colors[numpy.argsort(-counts)[:n]]
    nearest = ((colors[:, None].astype(int) - palette) ** 2).sum(axis=2).argmin(axis=1).astype(numpy.uint8)
    reduced = Image.fromarray(nearest[index.reshape(pixels.shape[:2])])
    reduced.putpalette(palette.tobytes())
    return reduced


def save_compact(picture, path):
    """Writes a picture without loss, but with as few colours as it takes to stay below MAX_BYTES, at least 16."""
    for n in (64, 32, 16):
        reduced = with_frequent_colors(picture, n)
        if Path(path).suffix == ".webp":
            reduced = reduced.convert("RGB")
        reduced.save(path, lossless=True, quality=100, optimize=True)
        if Path(path).stat().st_size <= MAX_BYTES:
            break


def halves(picture):
    """Cuts a picture at the blank row of pixels that is nearest to its middle."""
    blank = numpy.flatnonzero((numpy.asarray(picture) == 255).all(axis=(1, 2)))
    cut = int(blank[numpy.abs(blank - picture.height / 2).argmin()])
    return picture.crop((0, 0, picture.width, cut)), picture.crop((0, cut, picture.width, picture.height))


def save_pictures(picture, path):
    """Writes a picture, or if it has more than MAX_BYTES its halves, the lower one as PATH with "-2" in its name."""
    lower_path = Path(path).with_stem(Path(path).stem + "-2")
    lower_path.unlink(missing_ok=True)
    save_compact(picture, path)
    if Path(path).stat().st_size > MAX_BYTES:
        upper, lower = halves(picture)
        save_compact(upper, path)
        save_compact(lower, lower_path)


def save(figure, panel, path):
    """Writes a figure with the panel's legend below it, as PNG or WebP."""
    handles, labels = panel.get_legend_handles_labels()
    figure.tight_layout()
    if handles:
        figure.legend(
            handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=2 if len(handles) < 12 else 6, fontsize=8
        )
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI, bbox_inches="tight")
    pyplot.close(figure)
    save_pictures(Image.open(drawn).convert("RGB"), path)


KINDS = {
    "density": plot_density,
    "size": plot_size,
    "sweep-size": plot_sweep_size,
    "share": plot_share,
    "real": plot_real,
    "stages": plot_stages,
    "kernels": plot_kernels,
    "ratio": plot_ratio,
}


def main():
    parser = argparse.ArgumentParser(description="Draws the results of cca-bench.")
    parser.add_argument(
        "kind",
        choices=KINDS,
        help="time against density of random images; throughput against size of one image, or over "
        "densities; share of the ceiling against density; times of real masks; time of the stages, "
        "or of the kernels, against density; ratios to the reference",
    )
    parser.add_argument("csv", nargs="+", help="written by cca-bench --csv")
    parser.add_argument("picture", help="PNG or WebP to write; a large one becomes two, the second with -2 in its name")
    parser.add_argument("--algorithm", help="draw only this one and the peers")
    parser.add_argument("--ceilings", help="share: the CSV file with the ceilings")
    parser.add_argument("--ncu", help="kernels: what ncu --csv wrote in the same run")
    arguments = parser.parse_args()
    for kind, name in (("share", "ceilings"), ("kernels", "ncu")):
        if (arguments.kind == kind) != (getattr(arguments, name) is not None):
            parser.error(f"--{name} belongs to {kind}")

    if arguments.ncu:
        rows = kernels.read(arguments.ncu, arguments.csv[0])
    else:
        rows = [row for path in arguments.csv for row in results.read(path)]
    rows = [row for row in rows if row.is_peer or arguments.algorithm in (None, row.algorithm)]
    more = []
    if arguments.ceilings:
        name = "write" if rows[-1].task == "labels" else "read"
        more = [
            results.throughput(results.select(results.read(arguments.ceilings), algorithm=name, pixels=rows[0].pixels))[
                0
            ]
        ]
    figure, panel = KINDS[arguments.kind](rows, *more)
    save(figure, panel, arguments.picture)


if __name__ == "__main__":
    main()
