#!/usr/bin/python3
# gst-cca: cleans the masks of a segmentation network, such as SAM: fills small holes, removes small islands
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: clean_masks.py MASK.png CLEAN.png [MIN_AREA]

Needs gstcca, and OpenCV for the files. The functions take arrays of NumPy, CuPy or PyTorch, one mask, height×width, or
a batch, n×height×width, on its device."""

import sys

import gstcca


def remove_islands(masks, min_area):
    """Returns masks, 0 or 255, without components smaller than this area."""
    return gstcca.connected_components(masks, labels="mask", stats=False, min_area=min_area).labels


def fill_holes(masks, max_area):
    """Returns masks, 0 or 255, with background components up to this area filled."""
    background = gstcca.connected_components(
        masks, connectivity=4, labels="mask", stats=False, invert=True, min_area=max_area + 1
    ).labels
    return 255 - background


def fill_holes_in_scores(scores, max_area, score=0.1):
    """Returns a network's scores, which are above 0 in masks, with a small positive score in holes up to this area."""
    masks = scores > 0
    holes = (fill_holes(masks, max_area) > 0) & ~masks
    filled = scores + 0
    filled[holes] = score
    return filled


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    import cv2

    mask = cv2.imread(arguments[0], cv2.IMREAD_GRAYSCALE)
    if mask is None:
        print(f"clean_masks: {arguments[0]}: no picture that OpenCV reads", file=sys.stderr)
        return 1
    min_area = int(arguments[2]) if len(arguments) == 3 else 100
    clean = fill_holes(remove_islands(mask, min_area), min_area)
    if not cv2.imwrite(arguments[1], clean):
        print(f"clean_masks: {arguments[1]}: cannot be written", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
