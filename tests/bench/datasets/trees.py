#!/usr/bin/env python3
# gst-cca: small trees in the formats of data sets, with truth
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A bright square crosses a grey ground with some texture."""

import pathlib

import cv2
import numpy

WIDTH, HEIGHT, SIDE, FRAMES, RATE = 160, 120, 24, 60, 25


def place(number):
    """The square's left and top side in frame number, from 1; none in the first frames."""
    return (4 + 2 * (number - 15), 50) if number > 15 else None


def picture(number):
    random = numpy.random.default_rng(1)
    image = random.integers(90, 110, (HEIGHT, WIDTH), numpy.uint8)
    if where := place(number):
        x, y = where
        image[y : y + SIDE, x : x + SIDE] = 220
    return image


def truth(number):
    image = numpy.zeros((HEIGHT, WIDTH), numpy.uint8)
    image[:, -8:] = 85
    if where := place(number):
        x, y = where
        image[y - 1 : y + SIDE + 1, x - 1 : x + SIDE + 1] = 170
        image[y : y + SIDE, x : x + SIDE] = 255
    return image


def write(path, image):
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), image)


def cdnet(folder: pathlib.Path):
    for name in ("square", "square again"):
        sequence = folder / "baseline" / name
        for number in range(1, FRAMES + 1):
            write(sequence / "input" / f"in{number:06}.jpg", picture(number))
            write(sequence / "groundtruth" / f"gt{number:06}.png", truth(number))
        (sequence / "temporalROI.txt").write_text(f"20 {FRAMES}\n")


def mot(folder: pathlib.Path):
    sequence = folder / "MOT17-99-XYZ"
    boxes = []
    for number in range(1, FRAMES + 1):
        write(sequence / "img1" / f"{number:06}.jpg", picture(number))
        if where := place(number):
            boxes.append((number, where[0] + 1, where[1] + 1))
    for name, line in ("det", "{0},-1,{1},{2},{3},{3},.9,-1,-1,-1"), ("gt", "{0},1,{1},{2},{3},{3},1,1,1"):
        (sequence / name).mkdir()
        text = "".join(line.format(*box, SIDE) + "\n" for box in boxes)
        (sequence / name / f"{name}.txt").write_text(text)
    (sequence / "seqinfo.ini").write_text(
        f"[Sequence]\nname={sequence.name}\nimDir=img1\nframeRate={RATE}\nseqLength={FRAMES}\n"
        f"imWidth={WIDTH}\nimHeight={HEIGHT}\nimExt=.jpg\n"
    )


def yacclab(folder: pathlib.Path):
    random = numpy.random.default_rng(2)
    for name, density in (("thin", 0.2), ("thick", 0.7)):
        for number in range(3):
            size = (40 + 9 * number, 64)
            write(
                folder / name / f"{number}.png", numpy.where(random.random(size) < density, 255, 0).astype(numpy.uint8)
            )
        (folder / name / "files.txt").write_text("".join(f"{number}.png\n" for number in range(3)))
