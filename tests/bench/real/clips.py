# gst-cca: the real clips of the benchmark: where they lie, their lines, and what truly crosses them
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads a scenes.json, a list of objects:

name        of the scene
file        of the clip, in one of the folders that the user gives, or in a folder `held` in it
source      the public name: "owner/repository: path", or a package
note        what is hard in it
set         "develop"; "held": nothing is tuned on these; or "fresh": not yet measured when they were chosen
lines       {name: [[x, y], [x, y]]}
crossings   {name: {"forward": [s, ...], "backward": [s, ...]}}: stream times at which the bottom centre of an object
            passes the line, seen by eye; directions as those of ccazones
tolerance   seconds by which a right event may be early or late
sha256      of the clip; optional
boxes       file of true boxes beside the clip, in the format of MOTChallenge, and
frames      the first and the last frame that they cover, counted from 1; both optional
"""

import dataclasses
import hashlib
import json
import pathlib

DIRECTIONS = ("forward", "backward")


@dataclasses.dataclass
class Clip:
    name: str
    file: str
    lines: dict
    crossings: dict
    tolerance: float
    source: str = ""
    note: str = ""
    set: str = "develop"
    sha256: str = ""
    boxes: str = ""
    frames: tuple = ()
    path: pathlib.Path = None
    true_boxes_path: pathlib.Path = None
    variant: str = "as it is"
    elements: str = ""  # of GStreamer, with which variants.py changes the pictures

    def true_times(self, line, direction):
        return self.crossings.get(line, {}).get(direction, [])

    def rules(self):
        """The lines as the property `rules` of ccazones."""
        return json.dumps({"lines": [{"name": name, "points": points} for name, points in self.lines.items()]})

    def true_boxes(self):
        """{frame: [(id, x, y, width, height)]}, or None without a file of boxes. Frames count from 1."""
        if not self.true_boxes_path:
            return None
        boxes = {frame: [] for frame in range(self.frames[0], self.frames[1] + 1)}
        for row in self.true_boxes_path.read_text().split():
            frame, number, *box = row.split(",")[:6]
            if int(frame) in boxes:
                boxes[int(frame)].append((int(number), *map(float, box)))
        return boxes


def find(name, folders):
    places = [place for folder in folders for place in (folder / name, folder / "held" / name)]
    return next((place for place in places if name and place.is_file()), None)


def read(scenes, folders):
    """Returns the clips that lie in the folders, and a line about each one that does not or is another file."""
    found, problems = [], []
    for scene in json.loads(pathlib.Path(scenes).read_text()):
        clip = Clip(**scene)
        clip.path, clip.true_boxes_path = find(clip.file, folders), find(clip.boxes, folders)
        if not clip.path:
            problems.append(f"{clip.name}: there is no {clip.file}; get it from {clip.source}")
        elif clip.sha256 and hashlib.sha256(clip.path.read_bytes()).hexdigest() != clip.sha256:
            problems.append(f"{clip.name}: {clip.path} is not the file that the truth was noted for ({clip.source})")
        else:
            found.append(clip)
    return found, problems
