# gst-cca: how many atomic updates of features an image costs, and how many of them conflict, counted on the host
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lemaitre, Hennequin & Lacassagne, ICASSP 2021, section 4.1 and figure 5, with 4-connectivity.

An update adds the features of some pixels to a label. With U updates of each label, the paper estimates the number of
conflicting updates as sum(U²) / sum(U).
"""

import numpy
from scipy import ndimage

WARP = 32
BLOCK = 64  # pixels of a row that HA4-64 gives to a warp


def random_mask(side, density, granularity, seed=1):
    """Blocks of pixels from MT19937, as in cca-bench, though not the same ones."""
    blocks = -(-side // granularity)
    values = numpy.random.RandomState(seed).randint(0, 100, (blocks, blocks))
    mask = (values < density).repeat(granularity, 0).repeat(granularity, 1)
    return mask[:side, :side]


def starts_of_runs(mask, block=None):
    """Raster indices of the first pixels of all runs; runs end at multiples of block."""
    starts = mask.copy()
    starts[:, 1:] &= ~mask[:, :-1]
    if block:
        starts[:, ::block] = mask[:, ::block]
    return numpy.flatnonzero(starts)


def per_label(labels, groups=None):
    """U of each label where each of these has one update; with groups, those of a label in a group have one."""
    if groups is not None:
        labels = numpy.unique(groups * (labels.max(initial=0) + 1) + labels) % (labels.max(initial=0) + 1)
    return numpy.bincount(labels)


def ranks_in_rows(starts, width):
    """The number of runs before each in its row."""
    rows = starts // width
    return numpy.arange(len(starts)) - numpy.searchsorted(rows, rows)


def on_the_fly(mask):
    """U of each provisional label where runs meet in raster order: a run's features go to its own label at first, and
    with every union those of the larger label to the smaller. On a GPU the order differs, and lost races add to it."""
    width = mask.shape[1]
    starts = starts_of_runs(mask)
    ends = starts_of_runs(mask[:, ::-1])  # mirrored
    ends = numpy.sort(ends // width * width + width - 1 - ends % width).tolist()
    starts = starts.tolist()
    parents = list(range(len(starts)))
    updates = [1] * len(starts)

    def root(label):
        while parents[label] != label:
            parents[label] = parents[parents[label]]
            label = parents[label]
        return label

    above = 0
    for below, (start, end) in enumerate(zip(starts, ends)):
        while ends[above] < start - width:
            above += 1
        other = above
        while starts[other] <= end - width:
            first, second = sorted((root(other), root(below)))
            if first != second:
                parents[second] = first
                updates[first] += 1
            other += 1
    return numpy.array(updates)


def count(mask):
    """U of each label by algorithm, for masks that are not empty."""
    width = mask.shape[1]
    labels = ndimage.label(mask)[0].ravel().astype(numpy.int64)
    pixels = numpy.flatnonzero(mask)
    pieces, runs = starts_of_runs(mask, BLOCK), starts_of_runs(mask)
    columns = -(-width // BLOCK)
    by_block = pieces // width * columns + pieces % width // BLOCK
    by_warp = runs // width * width + ranks_in_rows(runs, width) // WARP
    return {
        "naive": per_label(labels[pixels]),
        "ha4-64": per_label(labels[pieces]),
        "ha4-cd": per_label(labels[pieces], by_block),
        "flsl": per_label(labels[runs]),
        "flsl-otf": on_the_fly(mask),
        "flsl-cd": per_label(labels[runs], by_warp),
    }


def conflicts(updates):
    updates = updates.astype(float)
    return (updates**2).sum() / updates.sum()
