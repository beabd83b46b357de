# gst-cca: SORT, the plainest tracker of boxes, and a counter of lines for trackers other than ccazones
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A. Bewley, Z. Ge, L. Ott, F. Ramos, B. Upcroft: Simple online and realtime tracking, ICIP 2016. Boxes are
(x0, y0, x1, y1)."""

import typing

import numpy
from scipy.optimize import linear_sum_assignment

MIN_OVERLAP = 0.2  # intersection over union
MIN_HITS = 3
MAX_AGE = 30  # frames, so that objects pass behind obstacles; the paper has 1

FOOT = 0.07  # ccazones' anchor above the lower side, in heights of the box

# State: centre, area, ratio of the sides, and the changes of the first three a frame.
MOTION = numpy.eye(7) + numpy.eye(7, k=4)
MEASURE = numpy.eye(4, 7)
MEASURE_NOISE = numpy.diag([1.0, 1, 10, 10])
MOTION_NOISE = numpy.diag([1.0, 1, 1, 0.01, 0.01, 0.01, 1e-4])
FIRST_NOISE = numpy.diag([10.0, 10, 10, 10, 1e4, 1e4, 1e4])


def overlaps(a, b):
    """Intersection over union of each box of a with each of b."""
    low, high = numpy.maximum(a[:, None, :2], b[None, :, :2]), numpy.minimum(a[:, None, 2:], b[None, :, 2:])
    both = (high - low).clip(min=0).prod(axis=2)
    areas = [(boxes[:, 2:] - boxes[:, :2]).prod(axis=1) for boxes in (a, b)]
    return both / numpy.maximum(areas[0][:, None] + areas[1][None] - both, 1e-9)


class Track:
    def __init__(self, box):
        self.state, self.noise = numpy.zeros(7), FIRST_NOISE.copy()
        self.state[:4] = self.measured(box)
        self.box, self.number, self.hits, self.missed = box, 0, 1, 0

    @staticmethod
    def measured(box):
        width, height = box[2] - box[0], box[3] - box[1]
        return numpy.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, width * height, width / max(height, 1e-6)])

    def predict(self):
        if self.state[2] + self.state[6] <= 0:
            self.state[6] = 0
        self.state, self.noise = MOTION @ self.state, MOTION @ self.noise @ MOTION.T + MOTION_NOISE
        x, y, area, ratio = self.state[:4]
        width = numpy.sqrt(max(area * ratio, 1))
        height = max(area, 1) / width
        return numpy.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])

    def update(self, box):
        gain = self.noise @ MEASURE.T @ numpy.linalg.inv(MEASURE @ self.noise @ MEASURE.T + MEASURE_NOISE)
        self.state = self.state + gain @ (self.measured(box) - MEASURE @ self.state)
        self.noise = (numpy.eye(7) - gain @ MEASURE) @ self.noise
        self.box, self.hits, self.missed = box, self.hits + 1, 0


class Sort:
    def __init__(self):
        self.tracks, self.n_ids = [], 0

    def update(self, boxes):
        """Takes the boxes of the next frame. Returns [(id, box)] of the confirmed tracks that are seen in it."""
        boxes = numpy.array(boxes, float).reshape(-1, 4)
        predicted = numpy.array([track.predict() for track in self.tracks]).reshape(-1, 4)
        near = overlaps(predicted, boxes)
        pairs = [(i, j) for i, j in zip(*linear_sum_assignment(-near)) if near[i, j] >= MIN_OVERLAP]
        for track in self.tracks:
            track.missed += 1
        for i, j in pairs:
            self.tracks[i].update(boxes[j])
        taken = {j for _, j in pairs}
        self.tracks += [Track(box) for j, box in enumerate(boxes) if j not in taken]
        for track in self.tracks:
            if not track.number and track.hits >= MIN_HITS:
                self.n_ids += 1
                track.number = self.n_ids
        self.tracks = [t for t in self.tracks if t.missed <= (MAX_AGE if t.number else 0)]
        return [(track.number, track.box) for track in self.tracks if track.number and not track.missed]


class Event(typing.NamedTuple):
    time: float
    line: str
    direction: str
    track: int


class LineCounter:
    """Counts crossings as ccazones specifies them: by the foot, with a band of 1 % of the frame's height, or 10 % of
    the box's if that is more, 40 % where a track crosses back."""

    def __init__(self, lines, height):
        self.lines = {name: numpy.array(points, float) for name, points in lines.items()}
        self.band, self.places, self.balance, self.last, self.events = 0.01 * height, {}, {}, {}, []

    def update(self, time, tracks):
        for number, box in tracks:
            height = box[3] - box[1]
            place = numpy.array([(box[0] + box[2]) / 2, box[3] - FOOT * height])
            for name, (begin, end) in self.lines.items():
                self.step(time, (number, name), self.places.get(number, place), place, begin, end, height)
            self.places[number] = place

    def step(self, time, key, last, place, begin, end, height):
        def side(a, b, point):
            return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])

        was, now = side(begin, end, last), side(begin, end, place)
        if (was < 0) != (now < 0) and (side(last, place, begin) < 0) != (side(last, place, end) < 0):
            self.balance[key] = self.balance.get(key, 0) + (1 if now >= 0 else -1)
        if not self.balance.get(key, 0):
            return
        direction = "forward" if self.balance[key] > 0 else "backward"
        back = self.last.get(key, direction) != direction
        if abs(now) / max(numpy.hypot(*(end - begin)), 1e-9) > max(self.band, (0.4 if back else 0.1) * height):
            self.events.append(Event(time, key[1], direction, key[0]))
            self.balance[key], self.last[key] = 0, direction
