# gst-cca: small trees in the formats of data sets, with truth
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A bright square crosses a grey ground with some texture. For speeds, a camera sees bright rectangles of a car's size
that come towards it on a grey road."""

import json
import pathlib
import pickle

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


class Camera:
    """A camera above a road that leads away from it: x to the right, y along the road, in metres."""

    SIZE, FOCAL, HEIGHT = numpy.array([1920, 1080]), 1500, 8
    CENTER = SIZE / 2
    DOWN, ASIDE = numpy.radians([20, 12])
    ALONG = numpy.array([-numpy.sin(ASIDE), -numpy.cos(ASIDE) * numpy.sin(DOWN), numpy.cos(ASIDE) * numpy.cos(DOWN)])
    ACROSS = numpy.array([numpy.cos(ASIDE), -numpy.sin(ASIDE) * numpy.sin(DOWN), numpy.sin(ASIDE) * numpy.cos(DOWN)])
    BELOW = numpy.array([0, numpy.cos(DOWN), numpy.sin(DOWN)]) * HEIGHT

    def see(self, x, y):
        """The pixel of a place."""
        ray = self.BELOW + x * self.ACROSS + y * self.ALONG
        return self.CENTER + self.FOCAL * ray[:2] / ray[2]

    def line(self, first, last):
        """Through the pixels of two places, as a, b, c of ax + by + c = 0."""
        return numpy.cross([*self.see(*first), 1], [*self.see(*last), 1])

    def calibration(self):
        points = {
            name: self.CENTER + self.FOCAL * way[:2] / way[2]
            for name, way in (("vp1", self.ALONG), ("vp2", self.ACROSS))
        }
        # The program's plane is at 10 from the origin, the camera at the principal point in that space.
        normal = self.BELOW / self.HEIGHT
        scale = self.HEIGHT / (normal[:2] @ self.CENTER + 10)
        return {name: point.tolist() for name, point in points.items()} | {"pp": self.CENTER.tolist(), "scale": scale}


# A car's lane, speed in km/h, and the frame in which its front crosses the last line.
CARS = ((0, 81, 70), (1, 99, 85), (0, 63, 140))
SPEED_FRAMES, SPEED_RATE, LANES = 150, 50, (-3.5, 0, 3.5)
FIRST, LAST = 34, 16  # lines across the road, in metres from the camera


def front(car, frame):
    """x and y of the middle of a car's front."""
    lane, speed, last = car
    return LANES[lane] + 1.75, LAST - (frame - last) / SPEED_RATE * speed / 3.6


def brnocompspeed(folder: pathlib.Path):
    """With three cars, a fourth that only the truth has, and two systems: `exact`, which saw a fifth that is not there
    instead of the last, and `long`, whose scale is a tenth too large."""
    camera = Camera()
    data, results = folder / "dataset" / "session1_left", folder / "results" / "session1_left"
    data.mkdir(parents=True)
    results.mkdir(parents=True)
    random = numpy.random.default_rng(3)
    ground = cv2.resize(random.integers(80, 120, (54, 96, 3), numpy.uint8), camera.SIZE)
    writer = cv2.VideoWriter(
        str(data / "video.avi"), cv2.VideoWriter_fourcc(*"MJPG"), SPEED_RATE, tuple(map(int, camera.SIZE))
    )
    for frame in range(SPEED_FRAMES):
        image = ground.copy()
        for car in CARS:
            x, y = front(car, frame)
            corners = [
                camera.see(x + aside, y + along) for aside, along in ((-0.9, 0), (0.9, 0), (0.9, 4.5), (-0.9, 4.5))
            ]
            if 10 < y < 60:
                cv2.fillPoly(image, [numpy.round(corners).astype(int)], (230, 230, 230))
        writer.write(image)
    writer.release()
    road = [camera.see(x, y) for x, y in ((-3.5, 8), (3.5, 8), (3.5, 60), (-3.5, 60))]
    write(
        data / "video_mask.png",
        cv2.fillPoly(numpy.zeros(camera.SIZE[::-1], numpy.uint8), [numpy.round(road).astype(int)], 255),
    )
    lines = [camera.line((-3.5, y), (3.5, y)) for y in (LAST, 25, FIRST)]
    distances = [((-3.5, 20), (-3.5, 26)), ((3.5, 15), (3.5, 24)), ((-3.5, 22), (3.5, 22))]
    crossings = [[last - (FIRST - LAST) / speed * 3.6 * SPEED_RATE, last] for _, speed, last in (*CARS, (1, 72, 30))]
    truth = {
        "fps": float(SPEED_RATE),
        "invalidLanes": set(),
        "laneDivLines": [camera.line((x, 10), (x, 30)) for x in LANES],
        "measurementLines": lines,
        "distanceMeasurement": [
            {
                "p1": numpy.array([*camera.see(*first), 1]),
                "p2": numpy.array([*camera.see(*last), 1]),
                "distance": float(numpy.hypot(*numpy.subtract(first, last))),
                "toVP1": first[0] == last[0],
            }
            for first, last in distances
        ],
        "cars": [
            {
                "carId": number,
                "laneIndex": {lane},
                "speed": float(speed),
                "valid": True,
                "intersections": [{"videoTime": frame / SPEED_RATE} for frame in frames],
            }
            for number, ((lane, speed, _), frames) in enumerate(zip((*CARS, (1, 72, 30)), crossings))
        ],
    }
    with (data / "gt_data.pkl").open("wb") as file:
        pickle.dump(truth, file, protocol=2)
    for name, factor, cars in ("exact", 1, (*CARS[:2], (1, 90, 115))), ("long", 1.1, CARS):
        calibration = camera.calibration()
        calibration["scale"] *= factor
        seen = []
        for number, car in enumerate(cars):
            frames = [frame for frame in range(SPEED_FRAMES + 20) if 12 < front(car, frame)[1] < 40]
            points = [camera.see(*front(car, frame)) for frame in frames]
            x, y = numpy.transpose(points).tolist()
            seen.append({"id": number, "frames": frames, "posX": x, "posY": y})
        (results / f"system_{name}.json").write_text(json.dumps({"camera_calibration": calibration, "cars": seen}))
