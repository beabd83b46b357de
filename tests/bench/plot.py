#!/usr/bin/python3
# gst-cca: draws the results of cca-bench
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse

import matplotlib

matplotlib.use('Agg')
from matplotlib import pyplot  # noqa: E402

import results  # noqa: E402


def series(rows):
    """The contenders with a colour each; peers are dashed."""
    for index, contender in enumerate(results.distinct(rows, lambda row: row.contender)):
        own = results.select(rows, contender=contender)
        yield own, {'color': f'C{index % 10}', 'label': contender, 'linestyle': '--' if own[0].is_peer else '-'}


def plot_density(rows):
    """Time against density, a panel for each granularity."""
    rows = results.select(rows, source='random')
    granularities = results.distinct(rows, lambda row: row.granularity)
    figure, panels = pyplot.subplots(1, len(granularities), sharey=True, squeeze=False,
                                     figsize=(1 + 3.6 * len(granularities), 4.4))
    for panel, granularity in zip(panels[0], granularities):
        for own, style in series(rows):
            own = sorted(results.select(own, granularity=granularity), key=lambda row: row.density)
            densities = [row.density for row in own]
            panel.plot(densities, [row.median_ns / 1e6 for row in own], **style)
            panel.fill_between(densities, [row.p10_ns / 1e6 for row in own], [row.p90_ns / 1e6 for row in own],
                               color=style['color'], alpha=0.2, linewidth=0)
        panel.set_title(f'granularity {granularity}')
        panel.set_xlabel('foreground, %')
        panel.set_yscale('log')
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel('ms an image (median, p10 to p90)')
    figure.suptitle(f'Random images, {rows[0].width}×{rows[0].height}, {rows[0].connectivity}-connectivity')
    return figure, panels[0][0]


def plot_size(rows):
    """Throughput against size."""
    figure, panel = pyplot.subplots(figsize=(7, 4.4))
    for own, style in series(rows):
        own = sorted(own, key=lambda row: row.pixels)
        panel.plot([row.pixels / 1e6 for row in own], [row.mpixel_per_s for row in own], marker='.', **style)
    panel.set_xscale('log')
    panel.set_yscale('log')
    panel.set_xlabel('image, Mpixel')
    panel.set_ylabel('throughput, Mpixel/s')
    panel.grid(alpha=0.3)
    figure.suptitle(f'{rows[0].case}, {rows[0].connectivity}-connectivity')
    return figure, panel


def plot_sweep_size(rows):
    """Throughput over all densities against size, a panel for each granularity."""
    rows = results.select(rows, source='random')
    granularities = results.distinct(rows, lambda row: row.granularity)
    figure, panels = pyplot.subplots(1, len(granularities), sharey=True, squeeze=False,
                                     figsize=(1 + 3.6 * len(granularities), 4.4))
    for panel, granularity in zip(panels[0], granularities):
        for own, style in series(rows):
            own = results.select(own, granularity=granularity)
            sizes = sorted(results.distinct(own, lambda row: row.pixels))
            panel.plot(sizes, [results.throughput(results.select(own, pixels=size))[0] for size in sizes], marker='.',
                       **style)
        sides = sorted({(row.pixels, row.width) for row in rows})
        panel.set_xscale('log')
        panel.set_yscale('log')
        panel.set_xticks([pixels for pixels, side in sides], [str(side) for pixels, side in sides], rotation=45)
        panel.minorticks_off()
        panel.set_title(f'granularity {granularity}')
        panel.set_xlabel('side of the image, pixels')
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel('Gpixel/s (pixels over mean time)')
    figure.suptitle(f'Random images over all densities, {rows[0].connectivity}-connectivity')
    return figure, panels[0][0]


def plot_stages(rows):
    """The time of each stage against density, a panel for each contender."""
    contenders = results.distinct(rows, lambda row: row.contender)
    columns = min(4, len(contenders))
    lines = -(-len(contenders) // columns)
    figure, panels = pyplot.subplots(lines, columns, sharex=True, squeeze=False,
                                     figsize=(0.6 + 3.1 * columns, 0.8 + 2.4 * lines))
    for panel, contender in zip(panels.flat, contenders):
        own = sorted(results.select(rows, contender=contender), key=lambda row: row.density)
        panel.stackplot([row.density for row in own],
                        [[getattr(row, f'{stage}_ns') / 1e3 for row in own] for stage in results.STAGES],
                        labels=results.STAGES)
        panel.set_title(f'{own[0].algorithm}, {own[0].task}', fontsize=9)
        panel.grid(alpha=0.3)
    for panel in panels.flat[len(contenders):]:
        panel.set_visible(False)
    for panel in panels[-1]:
        panel.set_xlabel('foreground, %')
    for panel in panels[:, 0]:
        panel.set_ylabel('µs')
    figure.suptitle(f'Stages, {rows[0].width}×{rows[0].height}, g = {rows[0].granularity}, '
                    f'{rows[0].connectivity}-connectivity, {rows[0].device}')
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
        bars = panel.barh(positions, [ratios[case] for case in cases if case in ratios], height, color=f'C{index % 10}',
                          label=contender)
        panel.bar_label(bars, fmt='%.1f', padding=2, fontsize=6)
    panel.set_yticks(range(len(cases)), cases, fontsize=8)
    panel.invert_yaxis()
    panel.axvline(1, color='black', linewidth=0.8)
    reference = next((row for row in rows if row.is_peer and row.ratio == 1), None)
    panel.set_xlabel(f'times as fast as {reference.contender if reference else "the reference"}')
    panel.margins(x=0.1, y=0.01)
    panel.grid(alpha=0.3, axis='x')
    panel.set_title(f'{rows[0].width}×{rows[0].height}, {rows[0].connectivity}-connectivity')
    return figure, panel


KINDS = {'density': plot_density, 'size': plot_size, 'sweep-size': plot_sweep_size, 'stages': plot_stages,
         'ratio': plot_ratio}


def main():
    parser = argparse.ArgumentParser(description='Draws the results of cca-bench.')
    parser.add_argument('kind', choices=KINDS,
                        help='time against density of random images; throughput against size of one image, or over all '
                             'densities; time of the stages against density; ratios to the reference')
    parser.add_argument('csv', help='written by cca-bench --csv')
    parser.add_argument('png', help='the picture to write')
    parser.add_argument('--algorithm', help='draw only this one and the peers')
    arguments = parser.parse_args()

    rows = [row for row in results.read(arguments.csv)
            if row.is_peer or arguments.algorithm in (None, row.algorithm)]
    figure, panel = KINDS[arguments.kind](rows)
    handles, labels = panel.get_legend_handles_labels()
    figure.tight_layout()
    figure.legend(handles, labels, loc='upper center', bbox_to_anchor=(0.5, 0), ncol=2, fontsize=8)
    figure.savefig(arguments.png, dpi=90, bbox_inches='tight')


if __name__ == '__main__':
    main()
