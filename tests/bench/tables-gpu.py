#!/usr/bin/python3
# gst-cca: Markdown tables of the results of cca-bench and gst-overhead on a GPU
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import csv
import os
from statistics import fmean

import results
from tables import print_table

# Lemaitre, Hennequin & Lacassagne, ICASSP 2021, table 1: Gpixel/s on an A100 at g = 1, 4, 16, and of a full image.
PAPER = {
    'naive': (0.966, 0.994, 0.985, 0.337),
    'ha4': (4.22, 13.2, 25.8, 16.6),
    'ha4-otf': (14.6, 28.7, 59.3, 66.2),
    'ha4-cd': (13.8, 23.9, 27.4, 16.6),
    'flsl': (4.85, 19.1, 61.9, 244),
    'flsl-otf': (20.8, 65.1, 160, 238),
    'flsl-cd': (24.5, 83.2, 170, 244),
}


CEILINGS = ('read', 'write')


def significant(value):
    return f'{value:.3g}' if value < 1000 else f'{value:.0f}'


def sweep(rows, granularity):
    return results.select(rows, granularity=granularity)


def ceiling(folder, name, pixels):
    return results.throughput(results.select(results.read(os.path.join(folder, 'ceilings.csv')), algorithm=name,
                                             pixels=pixels))[0]


def print_ceilings(folder):
    sizes = results.distinct(results.read(os.path.join(folder, 'ceilings.csv')), lambda row: (row.width, row.height))
    lines = []
    for width, height in sizes:
        read, write = (ceiling(folder, name, width * height) for name in ('read', 'write'))
        lines.append([f'{width}×{height}', significant(read), significant(write), significant(1 / (1 / read + 1 / write))])
    print_table(['Gpixel/s', 'read: analysis at most', 'write 32 bits', 'both: labels at most'], lines)


def print_throughput(folder, name, paper):
    """Gpixel/s over all densities for each granularity, and of the full and the empty image."""
    rows = [row for row in results.read(os.path.join(folder, name)) if row.algorithm not in CEILINGS]
    granularities = [granularity for granularity in results.distinct(rows, lambda row: row.granularity) if granularity]
    header = [f'{rows[0].width}×{rows[0].height}, Gpixel/s']
    for granularity in granularities:
        header += [f'g = {granularity}'] + ([f'paper, g = {granularity}'] if paper else [])
    header += ['full'] + (['paper, full'] if paper else []) + ['empty']
    lines = []
    for contender in results.distinct(rows, lambda row: row.contender):
        own = results.select(rows, contender=contender)
        theirs = dict(zip((1, 4, 16, 0), PAPER.get(own[0].algorithm, ())))

        def cells(text, granularity):
            return [text] + ([significant(theirs[granularity]) if theirs else ''] if paper else [])

        line = [own[0].algorithm]
        for granularity in granularities:
            of_time, of_throughputs = results.throughput(sweep(own, granularity))
            line += cells(f'{significant(of_time)} ({significant(of_throughputs)})', granularity)
        full, empty = (results.throughput(results.select(own, source=figure))[0] for figure in ('full', 'empty'))
        lines.append(line + cells(significant(full), 0) + [significant(empty)])
    print_table(header, lines)


def print_real(folder):
    """Real masks: for each size the mean over them of the GPU's time and of the call, and the slowest."""
    rows = results.read(os.path.join(folder, 'real.csv'))
    path = os.path.join(folder, 'peers.csv')
    if os.path.exists(path):
        rows += results.read(path)
    heights = sorted(results.distinct(rows, lambda row: row.height))
    for connectivity in sorted(results.distinct(rows, lambda row: row.connectivity)):
        header = [f'{connectivity}-connectivity, µs']
        for height in heights:
            header += [f'{height} lines, GPU', 'the slowest', 'call to result']
        lines = []
        at_hand = results.select(rows, connectivity=connectivity)
        for contender in results.distinct(at_hand, lambda row: row.contender):
            line = [contender.replace('cuda, ', '')]
            for height in heights:
                own = results.select(at_hand, contender=contender, height=height)
                line += [f'{fmean(row.median_ns for row in own) / 1e3:.1f}',
                         f'{max(row.median_ns for row in own) / 1e3:.1f}',
                         f'{fmean(row.call_ns for row in own) / 1e3:.1f}']
            lines.append(line)
        print_table(header, lines)


def read_csv(folder, name):
    with open(os.path.join(folder, name), newline='') as file:
        return list(csv.DictReader(file))


def element_cost(folder):
    return next(float(line['median_ns']) / 1e3 for line in read_csv(folder, 'overhead.csv')
                if line['what'] == 'the element as a whole')


def stream_rates(folder, name):
    return {int(line['streams']): float(line['median_fps']) for line in read_csv(folder, name)}


def print_streams(folder):
    shared, own = stream_rates(folder, 'streams.csv'), stream_rates(folder, 'contexts.csv')
    print_table(['pipelines', 'frames/s of all, one context', 'to one', 'frames/s of all, own contexts', 'to one'],
                [[str(n), f'{rate:.0f}', f'{rate / shared[1]:.1f}×']
                 + ([f'{own[n]:.0f}', f'{own[n] / own[1]:.1f}×'] if n in own else ['', ''])
                 for n, rate in shared.items()])


def print_targets(folder):
    """What was to be reached, and what was, by pixels over mean time."""
    lines = []

    def target(what, sign, asked, measured, unit):
        reached = measured >= asked if sign == '≥' else measured <= asked
        lines.append([what, f'{sign} {asked:g} {unit}', f'{significant(measured)} {unit}', 'yes' if reached else '**no**'])

    analysis = results.select(results.read(os.path.join(folder, 'analysis.csv')), algorithm='flsl-cd')
    for granularity, asked in ((1, 37), (4, 125), (16, 255)):
        target(f'analysis by flsl-cd, g = {granularity}', '≥', asked, results.throughput(sweep(analysis, granularity))[0],
               'Gpixel/s')
    target('analysis by flsl-cd, full image', '≥', 365, results.throughput(results.select(analysis, source='full'))[0],
           'Gpixel/s')
    labels = [row for row in results.read(os.path.join(folder, 'labels.csv')) if not row.is_peer]
    for granularity, asked in ((1, 80), (4, 100), (16, 120)):
        best, name = max((results.throughput(results.select(labels, granularity=granularity, algorithm=name))[0], name)
                         for name in results.distinct(labels, lambda row: row.algorithm))
        target(f'labels, g = {granularity}, the best: {name}', '≥', asked, best, 'Gpixel/s')
    rates = stream_rates(folder, 'streams.csv')
    target('1080p NV12 in CUDA memory, cudacca over identity, wall time a frame', '≤', 60, element_cost(folder), 'µs')
    target('eight pipelines to one', '≥', 5, rates[8] / rates[1], '×')
    print_table(['target', 'asked for', 'measured', 'reached'], lines)


def main():
    kinds = {
        'targets': print_targets,
        'ceilings': print_ceilings,
        'analysis': lambda folder: print_throughput(folder, 'analysis.csv', True),
        'labels': lambda folder: print_throughput(folder, 'labels.csv', False),
        'real': print_real,
        'streams': print_streams,
    }
    parser = argparse.ArgumentParser(description='Makes Markdown tables of what report-gpu.sh has measured.')
    parser.add_argument('kind', choices=kinds)
    parser.add_argument('folder', help='where report-gpu.sh has left its CSV files')
    arguments = parser.parse_args()

    kinds[arguments.kind](arguments.folder)


if __name__ == '__main__':
    main()
