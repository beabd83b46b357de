#!/usr/bin/env python3
# gst-cca: compares foreground=motion with other background subtractors on scenes with truth
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Scores ccl foreground=motion, in one or more settings, and OpenCV's background subtractors on folders of scenes.
Writes to the output folder scores.csv (a row a scene and method), report.md (tables) and motion-SET.jpg: of each kind
the frame on which the first settings are worst, with the truth and what the first two peers found.

motion.sh installs what this needs and makes the scenes.
"""

import argparse
import collections
import csv
import dataclasses
import hashlib
import pathlib
import sys
import tempfile

import cv2
import numpy

import element
import peers
import score
from score import Score

FIELDS = ["set", "scene", "method", "precision", "recall", "f", "object_f", "ms"]


@dataclasses.dataclass
class Result:
    """A method on a scene: masks, a bit a pixel, of the scored frames; their scores; milliseconds a frame."""

    bits: numpy.ndarray
    frames: list
    ms: float

    @property
    def total(self):
        return sum(self.frames, Score())


def read_result(scene, masks, ms):
    info = score.read_info(scene)
    frames = score.score_masks(scene, score.read_masks(masks, info))
    return Result(numpy.packbits(score.read_masks(masks, info)[info["warmup"] :] > 0, axis=2), frames, ms)


def run_ours(scene, settings, masks):
    close_radius, min_area = score.clean_up(score.read_info(scene))
    ms = element.run(scene, masks, f"close-radius={close_radius} min-area={min_area} {settings}")
    return read_result(scene, masks, ms)


def run_peer(scene, method, masks):
    """What a peer makes of a scene is kept beside the scene, until the peer or its clean-up changes."""
    version = hashlib.sha256(b"".join(pathlib.Path(m.__file__).read_bytes() for m in (peers, score))).hexdigest()[:12]
    kept = scene / f"{method}-{cv2.__version__}-{version}.npz"
    if not kept.exists() or kept.stat().st_mtime < (scene / "info.json").stat().st_mtime:
        result = read_result(scene, masks, peers.run(method, scene, masks))
        scores = [dataclasses.astuple(frame) for frame in result.frames]
        numpy.savez_compressed(kept, bits=result.bits, frames=scores, ms=result.ms)
    with numpy.load(kept) as file:
        return Result(file["bits"], [Score(*map(int, row)) for row in file["frames"]], float(file["ms"]))


def kind_of(scene):
    return scene.name.rsplit("-", 1)[0]


def strip_of(scene, results, names):
    """The frame with an object on which the first method is worst: the picture, the truth, and each method's mask."""
    info = score.read_info(scene)
    width, height, begin = info["width"], info["height"], info["warmup"]
    frames = results[0].frames
    worst = min(
        (i for i, s in enumerate(frames) if s.hits + s.missed >= score.min_area_at(width * height)),
        key=lambda i: frames[i].f,
        default=0,
    )
    shape = info["frames"], height * 3 // 2, width
    video = numpy.memmap(scene / "video.yuv", numpy.uint8, "r", shape=shape)
    truth = score.read_masks(scene / "truth.raw", info)[begin + worst]
    masks = [truth] + [numpy.unpackbits(r.bits[worst], axis=1)[:, :width] * 255 for r in results]
    tiles = [cv2.cvtColor(video[begin + worst], cv2.COLOR_YUV2BGR_I420)]
    tiles += [cv2.cvtColor(mask, cv2.COLOR_GRAY2BGR) for mask in masks]
    size = 288, 288 * height // width
    tiles = [cv2.resize(tile, size, interpolation=cv2.INTER_AREA) for tile in tiles]
    captions = [f"{scene.name}, frame {begin + worst}", "truth"]
    captions += [f"{name}: F {r.frames[worst].f:.2f}" for name, r in zip(names, results)]
    for tile, caption in zip(tiles, captions):
        for colour, thickness in (((0, 0, 0), 3), ((0, 255, 255), 1)):
            cv2.putText(tile, caption, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, thickness, cv2.LINE_AA)
    return numpy.hstack(tiles)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def table(header, rows):
    lines = [header, ["---"] + ["--:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def tables(title, totals, times, names):
    """The means of precision, recall, F, object F and time; then pixel F / object F of each kind."""
    kinds = list(totals)
    text = f"### {title}\n\n"
    rows = [
        [name]
        + [f"{mean(getattr(totals[kind][name], field) for kind in kinds):.3f}" for field in FIELDS[3:7]]
        + [f"{numpy.median(times[name]):.2f}"]
        for name in names
    ]
    text += table(["mean of the kinds", "precision", "recall", "F", "object F", "ms a frame"], rows) + "\n"
    rows = [[kind] + [f"{totals[kind][n].f:.3f} / {totals[kind][n].object_f:.3f}" for n in names] for kind in kinds]
    return text + table(["F / object F", *names], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="+", type=pathlib.Path, help="folders of scenes.py, a set each")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--settings", action="append", help="[NAME:]PROPERTY=VALUE... of the element")
    parser.add_argument("--peers", default=",".join(peers.METHODS), help="separated by commas")
    parser.add_argument("--kinds", nargs="+", metavar="KIND")
    options = parser.parse_args()
    ours = {}
    for text in options.settings or ["ours:"]:
        name, colon, properties = text.rpartition(":")
        ours[name if colon else properties] = properties
    others = [name for name in options.peers.split(",") if name]
    if unknown := set(others) - set(peers.METHODS):
        sys.exit(f"compare: no such peer: {', '.join(sorted(unknown))}; there are {', '.join(peers.METHODS)}")
    names = [*ours, *others]

    options.output.mkdir(parents=True, exist_ok=True)
    report = []
    with open(options.output / "scores.csv", "w") as file, tempfile.TemporaryDirectory() as scratch:
        rows = csv.writer(file)
        rows.writerow(FIELDS)
        masks = pathlib.Path(scratch) / "masks"
        for folder in options.scenes:
            totals = collections.defaultdict(lambda: collections.defaultdict(Score))
            times, strips = collections.defaultdict(list), []
            for scene in sorted(path.parent for path in folder.glob("*/info.json")):
                kind = kind_of(scene)
                if options.kinds and kind not in options.kinds:
                    continue
                results = [run_ours(scene, properties, masks) for properties in ours.values()]
                results += [run_peer(scene, name, masks) for name in others]
                for name, result in zip(names, results):
                    s = result.total
                    totals[kind][name] += s
                    times[name].append(result.ms)
                    scores = [f"{value:.4f}" for value in (s.precision, s.recall, s.f, s.object_f)]
                    rows.writerow([folder.name, scene.name, name, *scores, f"{result.ms:.3f}"])
                if scene.name.endswith("-1"):
                    shown = [0, *range(len(ours), len(names))][:3]
                    strips.append(strip_of(scene, [results[i] for i in shown], [names[i] for i in shown]))
            if not totals:
                sys.exit(f"compare: {folder}: there are no scenes in it")
            report.append(tables(folder.name, totals, times, names))
            print(report[-1], flush=True)
            picture = options.output / f"motion-{folder.name}.jpg"
            cv2.imwrite(str(picture), numpy.vstack(strips), [cv2.IMWRITE_JPEG_QUALITY, 80])
    (options.output / "report.md").write_text("\n".join(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
