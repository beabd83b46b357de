# gst-cca: the foreground on changedetection.net's data set, by its own measures
# SPDX-License-Identifier: LGPL-2.1-or-later
"""N. Goyette et al.: Changedetection.net: a new change detection benchmark dataset, CVPR Workshops 2012, section 4.
The truth of a pixel is 0 (static), 50 (shadow), 85 (outside of what counts), 170 (unknown) or 255 (moving). Only the
frames of temporalROI.txt count. A category's figures are the means over its sequences, the overall ones those over the
categories. Where nothing moves, F is not defined, and no mean has it."""

import argparse
import pathlib
import sys

import cv2
import numpy

import sequences

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "motion"))
import peers  # noqa: E402

CLOSE_RADIUS = 3  # of the peers' clean-up
STATIC, SHADOW, MOVING = 0, 50, 255
MEASURES = ("recall", "specificity", "FPR", "FNR", "PWC", "precision", "F")


def count(mask, truth):
    """TP, FP, FN, TN of a frame."""
    found, moving, still = mask > 0, truth == MOVING, (truth == STATIC) | (truth == SHADOW)
    return numpy.array([(found & moving).sum(), (found & still).sum(), (~found & moving).sum(), (~found & still).sum()])


def measures(counts):
    tp, fp, fn, tn = (float(number) for number in counts)

    def part(of, whole):
        return of / whole if whole else float("nan")

    return numpy.array(
        [
            part(tp, tp + fn),
            part(tn, tn + fp),
            part(fp, fp + tn),
            part(fn, tp + fn),
            100 * part(fn + fp, tp + fp + fn + tn),
            part(tp, tp + fp),
            part(2 * tp, 2 * tp + fp + fn) if tp + fn else float("nan"),
        ]
    )


def read(path):
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        sequences.fail(f"cannot read {path}")
    return picture


def score(folder, masks):
    try:
        first, last = (int(number) for number in (folder / "temporalROI.txt").read_text().split())
    except ValueError:
        sequences.fail(f"{folder / 'temporalROI.txt'} must have two numbers, the first and the last frame that count")
    total = numpy.zeros(4, int)
    for number in range(first, last + 1):
        truth = read(folder / "groundtruth" / f"gt{number:06}.png")
        mask = read(masks / f"bin{number:06}.png")
        if mask.shape != truth.shape:
            sequences.fail(f"{folder.name}: masks are {mask.shape[::-1]}, the truth is {truth.shape[::-1]}")
        total += count(mask, truth)
    return measures(total)


def write_peer(pattern, masks, method):
    """Writes the masks of a subtractor of OpenCV, with its defaults."""
    name, _, clean = method.partition("+")
    subtractor = peers.METHODS[name]()
    masks.mkdir(parents=True, exist_ok=True)
    for path in sorted(pattern.parent.glob(f"in*{pattern.suffix}")):
        mask = subtractor.apply(cv2.imread(str(path)))
        mask = peers.clean(mask, CLOSE_RADIUS, 0) if clean else (mask == peers.FOREGROUND).astype(numpy.uint8) * 255
        cv2.imwrite(str(masks / f"b{path.stem}.png"), mask)


def measure(folder, method, masks):
    """The measures of a sequence, of a peer or of the element with these properties."""
    pattern = folder / "input" / ("in%06d.png" if any(folder.glob("input/in*.png")) else "in%06d.jpg")
    if method.removesuffix("+clean") in peers.METHODS:
        write_peer(pattern, masks, method)
    else:
        try:
            sequences.write_masks(pattern, masks / "bin%06d.png", method)
        except RuntimeError as error:
            sequences.fail(f"{folder}: {error}")
    return score(folder, masks)


def with_means(found, figures):
    """Rows for sequences, categories and all of them."""
    categories, rows = {}, []
    for folder, numbers in zip(found, figures):
        rows.append((f"{folder.parent.name}/{folder.name}", *numbers))
        categories.setdefault(folder.parent.name, []).append(numbers)
    means = {category: numpy.nanmean(numbers, axis=0) for category, numbers in categories.items()}
    rows += [(f"**{category}**", *mean) for category, mean in means.items()]
    return [*rows, ("**overall**", *numpy.nanmean(list(means.values()), axis=0))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--cca", default="")
    parser.add_argument("--compare", action="append", default=[])
    arguments = parser.parse_args()
    found = sorted(path.parent for path in arguments.folder.glob("*/*/temporalROI.txt"))
    if not found:
        sequences.fail(
            f"{arguments.folder} has no CATEGORY/SEQUENCE/temporalROI.txt: give the folder of the categories"
        )
    figures = []  # of sequences and methods
    for folder in found:
        figures.append([])
        for place, method in [("results", arguments.cca)] + [(f"compared/{name}", name) for name in arguments.compare]:
            masks = arguments.output / place / folder.parent.name / folder.name
            figures[-1].append(measure(folder, method, masks))
            print(f"{folder.parent.name}/{folder.name}: F {figures[-1][-1][-1]:.4f} {method}".rstrip(), flush=True)
    figures = numpy.array(figures)
    tables = [sequences.table("changedetection.net", MEASURES, with_means(found, figures[:, 0]))]
    for name in ("F", "PWC") if arguments.compare else ():
        rows = with_means(found, figures[:, :, MEASURES.index(name)])
        tables.append(sequences.table(name, (arguments.cca or "gst-cca", *arguments.compare), rows))
    text = "\n\n".join(tables)
    (arguments.output / "cdnet.md").write_text(text + "\n")
    print(text)


main()
