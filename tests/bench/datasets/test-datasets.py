#!/usr/bin/python3
# gst-cca: the scripts of data sets give the right figures on small trees
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-datasets.py BUILD"""

import csv
import json
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parents[1])]
import cv2  # noqa: E402
import numpy  # noqa: E402
import tap  # noqa: E402
import trees  # noqa: E402

BUILD = sys.argv[1]


def run(name, folder, *options, fails=False):
    output = folder / "output"
    command = [HERE / f"{name}.sh", folder / "tree", "--build", BUILD, "--output", output, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done
    return done.stderr if fails else (output / f"{name}.md").read_text()


def cells(text, title):
    line = next(line for line in text.splitlines() if title in line)
    return [float(cell) for cell in line.strip("| ").split("|")[1:]]


def with_tree(name):
    folder = tempfile.TemporaryDirectory()
    tree = pathlib.Path(folder.name) / "tree"
    tree.mkdir()
    getattr(trees, name)(tree)
    return folder


def cdnet_counts_what_its_rules_count():
    with with_tree("cdnet") as folder:
        folder = pathlib.Path(folder)
        text = run("cdnet", folder)
        masks = folder / "output" / "results" / "baseline" / "square"
        assert len(list(masks.iterdir())) == trees.FRAMES
        tp = fp = fn = tn = 0
        for number in range(20, trees.FRAMES + 1):
            mask = cv2.imread(str(masks / f"bin{number:06}.png"), cv2.IMREAD_GRAYSCALE)
            x, y = trees.place(number)
            for row, column in numpy.ndindex(mask.shape):
                if column >= trees.WIDTH - 8:
                    continue
                beside = max(x - column, column - x - trees.SIDE + 1, y - row, row - y - trees.SIDE + 1)
                if beside == 1:
                    continue
                found = mask[row, column] > 0
                tp += found and beside < 1
                fn += not found and beside < 1
                fp += found and beside > 1
                tn += not found and beside > 1
        expected = [tp / (tp + fn), tn / (tn + fp), fp / (fp + tn), fn / (tp + fn)]
        expected += [100 * (fn + fp) / (tp + fp + fn + tn), tp / (tp + fp), 2 * tp / (2 * tp + fp + fn)]
        for title in "/square |", "**baseline**", "**overall**":
            assert numpy.allclose(cells(text, title), expected, rtol=1e-3), (text, expected)
        assert expected[-1] > 0.9, expected


def cdnet_compares_methods():
    with with_tree("cdnet") as folder:
        folder = pathlib.Path(folder)
        sequences = folder / "tree" / "baseline"
        # The frames before the square comes.
        shutil.copytree(sequences / "square", sequences / "empty")
        (sequences / "empty" / "temporalROI.txt").write_text("10 15\n")
        for path in (sequences / "square again" / "input").iterdir():
            cv2.imwrite(str(path.with_suffix(".png")), cv2.imread(str(path)))
            path.unlink()
        text = run("cdnet", folder, "--compare", "MOG2+clean", "--compare", "min-area=5000")
        _, f, wrong = text.split("\n\n")
        for title in "/square |", "/square again |", "**overall**":
            ours, peer, nothing = cells(f, title)
            assert ours > 0.9 and peer > 0.7 and nothing == 0, text
        assert cells(wrong, "/empty |") == [0, 0, 0], text
        ours, peer, nothing = cells(wrong, "/square again |")
        assert ours < 1 and peer < 2 and 2.5 < nothing < 3.5, text
        masks = folder / "output" / "compared" / "MOG2+clean" / "baseline" / "square"
        assert len(list(masks.iterdir())) == trees.FRAMES
        assert "no-such" in run("cdnet", folder, "--compare", "no-such=1", fails=True)


def cdnet_says_what_is_wrong():
    with with_tree("cdnet") as folder:
        folder = pathlib.Path(folder)
        sequence = folder / "tree" / "baseline" / "square"
        (sequence / "groundtruth" / "gt000030.png").unlink()
        assert "gt000030.png" in run("cdnet", folder, fails=True)
        (sequence / "temporalROI.txt").write_text("twenty\n")
        assert "temporalROI.txt must have two numbers" in run("cdnet", folder, fails=True)
        assert "no-such" in run("cdnet", folder, "--cca", "no-such=1", fails=True)
        for path in sequence.parent.glob("*/temporalROI.txt"):
            path.unlink()
        assert "has no CATEGORY/SEQUENCE" in run("cdnet", folder, fails=True)


def mot_tracks_components_and_detections():
    with with_tree("mot") as folder:
        folder = pathlib.Path(folder)
        text = run("mot", folder)
        lines = (folder / "output" / "detections" / "data" / "MOT17-99-XYZ.txt").read_text().splitlines()
        boxes = {int(line.split(",")[0]): [float(cell) for cell in line.split(",")[2:6]] for line in lines}
        assert len(boxes) >= trees.FRAMES - 20, boxes
        for frame, box in boxes.items():
            x, y = trees.place(frame)
            assert numpy.allclose(box, [x + 1, y + 1, trees.SIDE, trees.SIDE], atol=1), (frame, box)
        for tracker in "components", "detections":
            hota, mota, idf1, switches, false, missed = cells(text, f"{tracker}, all")
            assert hota > 0.7 and mota > 0.8 and idf1 > 0.9 and switches == 0 and false == 0 and missed < 6, text


def mot_says_what_is_wrong():
    with with_tree("mot") as folder:
        folder = pathlib.Path(folder)
        sequence = folder / "tree" / "MOT17-99-XYZ"
        (sequence / "det" / "det.txt").write_text("1,-1,3,3,20,20,1\n900,-1,3,3,20,20,1\n")
        assert "det.txt, line 2: no detection of frames 1 to 60" in run("mot", folder, fails=True)
        (sequence / "seqinfo.ini").write_text("[Sequence]\nframeRate=25\n")
        assert "seqinfo.ini" in run("mot", folder, fails=True)
        (sequence / "seqinfo.ini").unlink()
        assert "has no SEQUENCE/seqinfo.ini" in run("mot", folder, fails=True)


def brnocompspeed_scores_systems_and_our_tracks():
    with with_tree("brnocompspeed") as folder:
        folder = pathlib.Path(folder)
        text = run("brnocompspeed", folder, "--calibration", "exact")
        speeds, along, every, ratios, found = text.split("\n\n")
        for kind in along, every:
            assert max(cells(kind, "exact, all")[1:]) < 1e-6, text
            assert numpy.allclose(cells(kind, "long, all")[5:], 10), text
        assert numpy.allclose(cells(along, "long, all")[:5], [2, 0.75, 0.75, 0.885, 0.9]), text
        assert cells(every, "long, all")[0] == 3 and max(cells(ratios, "long, all")[1:]) < 1e-6, text
        # The distances of lane marks agree with the calibration, so what is left is how well cars were followed.
        assert cells(speeds, "exact, session1_left")[0] == 2 and max(cells(speeds, "exact, all")[1:]) < 0.01, text
        assert numpy.allclose(cells(speeds, "long, all"), [3, 8.1, 8.1, 9.72, 9.9, 10, 10, 10, 10], rtol=2e-3), text
        assert cells(found, "exact") == [0.5, 1] and cells(found, "long") == [0.75, 0], text
        assert cells(found, "gst-cca") == [0.75, 0], text
        ours = cells(speeds, "gst-cca, all")
        assert ours[0] == 3 and ours[8] < 5, text
        data = json.loads((folder / "output" / "results" / "session1_left" / "system_gst-cca.json").read_text())
        assert len(data["cars"]) == 3, data
        # As the split that tests no session before the second.
        assert "has no dataset" in run("brnocompspeed", folder, "--calibration", "exact", "--split", "B", fails=True)


class Code:
    def __reduce__(self):
        return pathlib.Path.touch, (pathlib.Path("/nowhere"),)


def brnocompspeed_says_what_is_wrong():
    with with_tree("brnocompspeed") as folder:
        folder = pathlib.Path(folder)
        assert "system_dubska_optimal_calib.json" in run("brnocompspeed", folder, fails=True)
        result = folder / "tree" / "results" / "session1_left" / "system_exact.json"
        calibration = json.loads(result.read_text())["camera_calibration"]
        result.write_text(json.dumps({"camera_calibration": calibration | {"vp2": calibration["vp1"]}, "cars": []}))
        assert "not perpendicular" in run("brnocompspeed", folder, "--calibration", "exact", fails=True)
        truth = folder / "tree" / "dataset" / "session1_left" / "gt_data.pkl"
        truth.write_bytes(truth.read_bytes()[:1000])
        assert "gt_data.pkl is no truth" in run("brnocompspeed", folder, fails=True)
        truth.write_bytes(pickle.dumps(Code(), protocol=2))
        assert "which no truth needs" in run("brnocompspeed", folder, fails=True)


def yacclab_takes_the_mean_over_images():
    with with_tree("yacclab") as folder:
        folder = pathlib.Path(folder)
        text = run("yacclab", folder, "--", "-a", "runs", "-t", "labels", "-p", "none", "-n", "3")
        thick, thin = cells(text, "`runs`, labels")
        times = {}
        for name in "thick", "thin":
            with (folder / "output" / f"{name}.csv").open(newline="") as file:
                times[name] = [float(row["median_ns"]) / 1e6 for row in csv.DictReader(file)]
            assert len(times[name]) == 3, times
        assert numpy.allclose([thick, thin], [numpy.mean(times["thick"]), numpy.mean(times["thin"])], rtol=1e-3), text
        (folder / "tree" / "thin" / "2.png").unlink()
        assert "there is no" in run("yacclab", folder, fails=True)


sys.exit(
    tap.run(
        cdnet_counts_what_its_rules_count,
        cdnet_compares_methods,
        cdnet_says_what_is_wrong,
        mot_tracks_components_and_detections,
        mot_says_what_is_wrong,
        brnocompspeed_scores_systems_and_our_tracks,
        brnocompspeed_says_what_is_wrong,
        yacclab_takes_the_mean_over_images,
    )
)
