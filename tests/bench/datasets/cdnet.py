# gst-cca: the foreground on changedetection.net's data set, by its own measures
# SPDX-License-Identifier: LGPL-2.1-or-later
"""N. Goyette et al.: Changedetection.net: a new change detection benchmark dataset, CVPR Workshops 2012, section 4.
The truth of a pixel is 0 (static), 50 (shadow), 85 (outside of what counts), 170 (unknown) or 255 (moving). Only the
frames of temporalROI.txt count. A category's figures are the means over its sequences, the overall ones those over the
categories."""

import argparse
import pathlib

import cv2
import numpy

import sequences

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
            part(2 * tp, 2 * tp + fp + fn),
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--cca", default="")
    arguments = parser.parse_args()
    found = sorted(path.parent for path in arguments.folder.glob("*/*/temporalROI.txt"))
    if not found:
        sequences.fail(
            f"{arguments.folder} has no CATEGORY/SEQUENCE/temporalROI.txt: give the folder of the categories"
        )
    rows, categories = [], {}
    for folder in found:
        category = folder.parent.name
        masks = arguments.output / "results" / category / folder.name
        try:
            sequences.write_masks(folder / "input" / "in%06d.jpg", masks / "bin%06d.png", arguments.cca)
        except RuntimeError as error:
            sequences.fail(f"{folder}: {error}")
        figures = score(folder, masks)
        rows.append((f"{category}/{folder.name}", *figures))
        categories.setdefault(category, []).append(figures)
        print(f"{category}/{folder.name}: F {figures[-1]:.4f}", flush=True)
    means = {category: numpy.mean(figures, axis=0) for category, figures in categories.items()}
    rows += [(f"**{category}**", *mean) for category, mean in means.items()]
    rows.append(("**overall**", *numpy.mean(list(means.values()), axis=0)))
    text = sequences.table("changedetection.net", MEASURES, rows)
    (arguments.output / "cdnet.md").write_text(text + "\n")
    print(text)


main()
