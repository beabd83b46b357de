#!/usr/bin/env python3
# gst-cca: draws the tracks of real clips on eight frames of each, to look at
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes NAME.png for each clip: frames in reading order, with their number and stream time, components (thin),
lines (yellow), and tracks with their ids: confirmed green, merged orange, coasting grey.

real.sh --look runs this.
"""

import argparse
import pathlib
import sys

import cv2
import numpy

import clips
import methods
import pipeline

COLOURS = {"confirmed": (0, 200, 0), "merged": (0, 140, 255), "coasting": (160, 160, 160)}
COMPONENT, LINE = (255, 200, 80), (0, 255, 255)
COLUMNS, WIDTH = 2, 760


def write_text(picture, text, place, colour):
    for shade, thickness in (((0, 0, 0), 3), (colour, 1)):
        cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, shade, thickness, cv2.LINE_AA)


def draw(picture, line, clip, caption):
    """The picture, scaled to the width of a tile, with what the line of ccajson says."""
    scale = WIDTH / picture.shape[1]
    size = WIDTH, round(picture.shape[0] * scale)
    tile = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)

    def corner(x, y):
        return round(x * scale), round(y * scale)

    for begin, end in clip.lines.values():
        cv2.line(tile, corner(*begin), corner(*end), LINE, 1)
    for component in line.get("components", []):
        x0, y0, x1, y1 = methods.box_of(component)
        cv2.rectangle(tile, corner(x0, y0), corner(x1, y1), COMPONENT, 1)
    for track in line.get("tracks", []):
        x0, y0, x1, y1 = methods.box_of(track)
        colour = COLOURS[track["state"]]
        cv2.rectangle(tile, corner(x0, y0), corner(x1, y1), colour, 2)
        x, y = corner(x0, y0)
        write_text(tile, str(track["track-id"]), (min(max(x, 0), WIDTH - 30), max(y - 3, 12)), colour)
    write_text(tile, caption, (4, size[1] - 6), (255, 255, 255))
    return tile


def frames_at(lines, seconds, n):
    """The numbers of the frames nearest to the seconds or, without any, of n evenly spaced ones."""
    if not seconds:
        return [round((i + 0.5) / n * (len(lines) - 1)) for i in range(n)]
    times = numpy.array([line["stream-time"] for line in lines]) / 1e9
    return sorted({int(numpy.abs(times - second).argmin()) for second in seconds})


def sheet(clip, lines, numbers):
    tiles = []
    for number, (seconds, picture) in enumerate(pipeline.decode(clip)):
        if number in numbers:
            tiles.append(draw(picture, lines[number], clip, f"{clip.name}, frame {number}, {seconds:.2f} s"))
        if number >= numbers[-1]:
            break
    tiles += [numpy.zeros_like(tiles[0])] * (-len(tiles) % COLUMNS)
    return numpy.vstack([numpy.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", nargs="+", type=pathlib.Path, help="folders with the clips that the scenes name")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--scenes", type=pathlib.Path, default=pathlib.Path(__file__).parent / "scenes.json")
    parser.add_argument("--only", help="names of clips, separated by commas; default: all of the set develop")
    parser.add_argument("--at", help="stream times in seconds, separated by commas, instead of evenly spaced frames")
    parser.add_argument("--number", type=int, default=8, help="of evenly spaced frames")
    parser.add_argument("--cca", default="", help="properties of cca")
    parser.add_argument("--track", default="", help="properties of ccatrack")
    options = parser.parse_args()

    chosen, problems = clips.read(options.scenes, options.clips)
    names = options.only.split(",") if options.only else [clip.name for clip in chosen if clip.set == "develop"]
    options.output.mkdir(parents=True, exist_ok=True)
    for problem in problems:
        print(f"left out: {problem}", file=sys.stderr)
    for clip in chosen:
        if clip.name in names:
            lines = pipeline.analyse(clip, options.cca, options.track)
            seconds = [float(second) for second in options.at.split(",")] if options.at else []
            file = options.output / f"{clip.name}.png"
            cv2.imwrite(str(file), sheet(clip, lines, frames_at(lines, seconds, options.number)))
            print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
