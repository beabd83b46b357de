# gst-cca: tracks on the data of MOTChallenge, in its format
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A. Milan et al.: MOT16: a benchmark for multi-object tracking, arXiv:1603.00831, section 4. Writes a file for each
sequence, of lines "frame, id, left, top, width, height, 1, -1, -1, -1", for two trackers: `components`, which tracks
what cca finds, and `detections`, which tracks the boxes of det/det.txt. TrackEval scores them where there is truth:
J. Luiten et al.: HOTA: a higher order metric for evaluating multi-object tracking, IJCV 2021."""

import argparse
import configparser
import contextlib
import io
import pathlib

import numpy

import sequences

SCORES = (
    ("HOTA", "HOTA"),
    ("CLEAR", "MOTA"),
    ("Identity", "IDF1"),
    ("CLEAR", "IDSW"),
    ("CLEAR", "CLR_FP"),
    ("CLEAR", "CLR_FN"),
)


class Sequence:
    def __init__(self, folder):
        parser = configparser.ConfigParser()
        parser.read(folder / "seqinfo.ini")
        try:
            info = parser["Sequence"]
            self.rate, self.length = info.getint("frameRate"), info.getint("seqLength")
            self.width, self.height = info.getint("imWidth"), info.getint("imHeight")
            self.pictures = folder / info["imDir"] / f"%06d{info['imExt']}"
        except (KeyError, ValueError, TypeError) as error:
            sequences.fail(f"{folder / 'seqinfo.ini'}: {error}")
        self.folder, self.name = folder, folder.name

    def detections(self, least):
        """The boxes of each frame that the data's detector is sure enough of."""
        boxes = [[] for _ in range(self.length)]
        path = self.folder / "det" / "det.txt"
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            try:
                frame, _, x, y, width, height, confidence = (float(text) for text in line.split(",")[:7])
                if frame < 1:
                    raise IndexError
                if confidence >= least:
                    boxes[int(frame) - 1].append((x - 1, y - 1, width, height))
            except (ValueError, IndexError):
                sequences.fail(f"{path}, line {number}: no detection of frames 1 to {self.length}: {line}")
        return boxes


def write(path, frames):
    """The first pixel of a picture is 1, 1 there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        for number, tracks in enumerate(frames, start=1):
            for track, x, y, width, height in tracks:
                print(number, track, x + 1, y + 1, width, height, 1, -1, -1, -1, sep=",", file=file)


def evaluate(arguments, with_truth):
    import trackeval

    dataset = trackeval.datasets.MotChallenge2DBox(
        {
            "GT_FOLDER": str(arguments.folder),
            "TRACKERS_FOLDER": str(arguments.output),
            "TRACKERS_TO_EVAL": ["components", "detections"],
            "BENCHMARK": arguments.benchmark,
            "SEQ_INFO": {sequence.name: sequence.length for sequence in with_truth},
            "SKIP_SPLIT_FOL": True,
            "PRINT_CONFIG": False,
        }
    )
    evaluator = trackeval.Evaluator(
        {
            "PRINT_CONFIG": False,
            "PRINT_RESULTS": False,
            "TIME_PROGRESS": False,
            "PLOT_CURVES": False,
            "USE_PARALLEL": False,
        }
    )
    quiet = {"PRINT_CONFIG": False}
    metrics = [trackeval.metrics.HOTA(), trackeval.metrics.CLEAR(quiet), trackeval.metrics.Identity(quiet)]
    with contextlib.redirect_stdout(io.StringIO()):
        results, _ = evaluator.evaluate([dataset], metrics)
    rows = []
    for tracker, found in results["MotChallenge2DBox"].items():
        for name in [*sorted(set(found) - {"COMBINED_SEQ"}), "COMBINED_SEQ"]:
            of = found[name]["pedestrian"]
            title = f"{tracker}, {'all' if name == 'COMBINED_SEQ' else name}"
            rows.append((title, *(float(numpy.mean(of[family][score])) for family, score in SCORES)))
    return sequences.table(f"{arguments.benchmark}, TrackEval", [score for _, score in SCORES], rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--benchmark", choices=["MOT15", "MOT16", "MOT17", "MOT20"], default="MOT17")
    parser.add_argument("--confidence", type=float, default=0)
    parser.add_argument("--cca", default="")
    arguments = parser.parse_args()
    found = [Sequence(path.parent) for path in sorted(arguments.folder.glob("*/seqinfo.ini"))]
    if not found:
        sequences.fail(
            f"{arguments.folder} has no SEQUENCE/seqinfo.ini: give the folder of the sequences, such as train"
        )
    for sequence in found:
        try:
            tracks = {
                "components": sequences.track_components(sequence.pictures, sequence.rate, arguments.cca),
                "detections": sequences.track_detections(
                    sequence.detections(arguments.confidence), sequence.width, sequence.height, sequence.rate
                ),
            }
        except (RuntimeError, OSError) as error:
            sequences.fail(f"{sequence.folder}: {error}")
        for tracker, frames in tracks.items():
            write(arguments.output / tracker / "data" / f"{sequence.name}.txt", frames)
        print(f"{sequence.name}: {sequence.length} frames", flush=True)
    with_truth = [sequence for sequence in found if (sequence.folder / "gt" / "gt.txt").exists()]
    if not with_truth:
        print("None of the sequences has gt/gt.txt: tracks were written, and nothing was scored.")
        return
    text = evaluate(arguments, with_truth)
    (arguments.output / "mot.md").write_text(text + "\n")
    print(text)


main()
