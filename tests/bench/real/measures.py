# gst-cca: how right counts, boxes and identities are
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A run is what a method found in a clip. Boxes are (x0, y0, x1, y1)."""

import dataclasses

import numpy
from scipy.optimize import linear_sum_assignment

from clips import DIRECTIONS
from sort import overlaps

FAR = 1e6  # the cost of a pair that may not be


@dataclasses.dataclass
class Frame:
    time: float
    tracks: list  # (id, box) of the published tracks
    components: numpy.ndarray  # boxes that they were made from


@dataclasses.dataclass
class Run:
    frames: list
    events: list  # sort.Event
    ms: float = None  # a frame


@dataclasses.dataclass
class Crossings:
    right: int = 0
    false: int = 0
    missed: int = 0

    def __add__(self, other):
        return Crossings(self.right + other.right, self.false + other.false, self.missed + other.missed)

    @property
    def errors(self):
        return self.false + self.missed


def match(clip, events):
    """An event is right if one true crossing of its line and direction is near in time; each counts once. Returns the
    right events, the false ones, and [(time, line, direction)] of the missed crossings."""
    right, false, missed = [], [], []
    for line in clip.lines:
        for direction in DIRECTIONS:
            true = clip.true_times(line, direction)
            found = [event for event in events if (event.line, event.direction) == (line, direction)]
            cost = numpy.abs(numpy.subtract.outer(true, [event.time for event in found]))
            cost[cost > clip.tolerance] = FAR
            pairs = [(i, j) for i, j in zip(*linear_sum_assignment(cost)) if cost[i, j] < FAR]
            seen, used = {i for i, _ in pairs}, {j for _, j in pairs}
            right += [found[j] for j in sorted(used)]
            false += [event for j, event in enumerate(found) if j not in used]
            missed += [(time, line, direction) for i, time in enumerate(true) if i not in seen]
    return right, false, missed


def count(clip, events):
    return Crossings(*map(len, match(clip, events)))


def jumps(frames):
    """Returns (frame, id) where a box's centre moves more than 0.7 of its longer side from one frame to the next."""
    found, last = [], {}
    for index, frame in enumerate(frames):
        now = {}
        for number, (x0, y0, x1, y1) in frame.tracks:
            now[number] = numpy.array([(x0 + x1) / 2, (y0 + y1) / 2])
            if number in last:
                if numpy.abs(now[number] - last[number]).max() > 0.7 * max(x1 - x0, y1 - y0):
                    found.append((index, number))
        last = now
    return found


def boxes_too_large(frames):
    """Returns how many boxes have more than 1.5 times the area of the box around the components whose centres are
    inside, or no component there; and how many boxes there are."""
    large = total = 0
    for frame in frames:
        middle = (frame.components[:, :2] + frame.components[:, 2:]) / 2
        for _, box in frame.tracks:
            box = numpy.asarray(box, float)
            under = frame.components[((middle >= box[:2]) & (middle <= box[2:])).all(axis=1)]
            total += 1
            if not len(under):
                large += 1
                continue
            sides = under[:, 2:].max(axis=0) - under[:, :2].min(axis=0)
            large += bool((box[2:] - box[:2]).prod() > 1.5 * sides.prod())
    return large, total


@dataclasses.dataclass
class Identities:
    """Sums of a comparison with true boxes, at an intersection over union of 0.5."""

    true: int = 0
    found: int = 0
    matched: int = 0
    same: int = 0  # boxes that agree, each identity with at most one
    switches: int = 0

    def __add__(self, other):
        return Identities(*(a + b for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other))))

    @property
    def idf1(self):
        """E. Ristani et al.: Performance measures and a data set for multi-target, multi-camera tracking, ECCV 2016."""
        return 2 * self.same / max(1, self.true + self.found)

    @property
    def mota(self):
        """K. Bernardin, R. Stiefelhagen: Evaluating multiple object tracking performance, EURASIP JIVP 2008."""
        return 1 - (self.true + self.found - 2 * self.matched + self.switches) / max(1, self.true)


def compare_identities(true_boxes, frames):
    result, partner, both = Identities(), {}, {}
    for number, true in true_boxes.items():
        found = frames[number - 1].tracks if number <= len(frames) else []
        result.true += len(true)
        result.found += len(found)
        if not true or not found:
            continue
        a = numpy.array([(x, y, x + width, y + height) for _, x, y, width, height in true])
        near = overlaps(a, numpy.array([box for _, box in found], float))
        allowed = near >= 0.5
        cost = numpy.where(allowed, 1 - near, FAR)
        for i, j in zip(*numpy.nonzero(allowed)):
            pair = true[i][0], found[j][0]
            both[pair] = both.get(pair, 0) + 1
            if partner.get(pair[0]) == pair[1]:
                cost[i, j] -= 10  # a pair of the last frames stays one
        for i, j in zip(*linear_sum_assignment(cost)):
            if allowed[i, j]:
                person, track = true[i][0], found[j][0]
                result.matched += 1
                result.switches += partner.get(person, track) != track
                partner[person] = track
    people, tracks = ({key[side]: None for key in both} for side in (0, 1))
    common = numpy.array([[both.get((person, track), 0) for track in tracks] for person in people])
    if both:
        result.same = int(common[linear_sum_assignment(-common)].sum())
    return result
