# gst-cca: speeds on BrnoCompSpeed, by its own rules
# SPDX-License-Identifier: LGPL-2.1-or-later
"""J. Sochor et al.: Comprehensive data set for automatic single camera visual speed measurement, IEEE Transactions on
Intelligent Transportation Systems 20(5), 2019 (arXiv:1702.06441), and what the data set's own program does (github.com,
JakubSochor/BrnoCompSpeed) where the paper leaves it open. A system reports a calibration, two vanishing points, the
principal point and a scale, and for each car points on the road with their frames. The road is a plane at a fixed
distance; the scale makes it metres. A car's speed is the median of those over five frames each."""

import argparse
import json
import pathlib
import pickle

import cv2
import numpy

import sequences

OURS = "gst-cca"
BORDER = 10  # pixels at the picture's border whose points do not count
NEAREST = 6  # points of a track that tell when it crosses a line; as many must lie between the outermost lines
STEP = 5  # frames from which a car's speed at one of them comes
MAX_TIME = 0.2  # seconds between a car and its truth
PLANE = 10  # of the road from the origin, before the scale
TRAINING = {"A": 1, "B": 3, "C": 4}  # sessions that a split does not test
STATISTICS = (
    ("mean", numpy.mean),
    ("median", numpy.median),
    ("95 %", lambda errors: numpy.percentile(errors, 95)),
    ("worst", numpy.max),
)


class TruthReader(pickle.Unpickler):
    """Reads numbers, texts, containers and NumPy's arrays: any other pickle could run what it likes."""

    def find_class(self, module, name):
        arrays = name in ("_reconstruct", "scalar", "ndarray", "dtype") and module.split(".")[0] == "numpy"
        if not arrays and (module, name) not in (("__builtin__", "set"), ("builtins", "set"), ("_codecs", "encode")):
            raise pickle.UnpicklingError(f"it has {module}.{name}, which no truth needs")
        return super().find_class(module, name)


def read_truth(path):
    try:
        with path.open("rb") as file:
            truth = TruthReader(file, encoding="latin1").load()
        for name in "measurementLines", "laneDivLines":
            truth[name] = numpy.array([numpy.ravel(line) for line in truth[name]], float).reshape(-1, 3)
            if len(truth[name]) < 2:
                raise ValueError(f"{name} are fewer than two")
        truth["last"] = [car["intersections"][-1]["videoTime"] for car in truth["cars"]]
        if not truth["last"]:
            raise ValueError("it has no cars")
        for car in truth["cars"]:
            car["speed"], car["laneIndex"], car["valid"]  # KeyError says what is missing
        for distance in truth["distanceMeasurement"]:
            distance["ends"] = numpy.array([distance["p1"], distance["p2"]], float)[:, :2]
            distance["distance"], distance["toVP1"]
        truth["fps"], truth["invalidLanes"]
        return truth
    except (OSError, EOFError, pickle.UnpicklingError, KeyError, TypeError, ValueError, IndexError) as error:
        sequences.fail(f"{path} is no truth of BrnoCompSpeed: {type(error).__name__}: {error}")


def read_system(path):
    """A system's calibration, and its cars as arrays (x, y, frame)."""
    try:
        data = json.loads(path.read_text())
        road = Road(data["camera_calibration"])
        # A car that was seen once may have a number instead of a list.
        cars = [
            numpy.array([car["posX"], car["posY"], car["frames"]], float).T
            for car in data["cars"]
            if isinstance(car["posX"], list) and car["posX"]
        ]
        return road, cars
    except (OSError, KeyError, TypeError, ValueError) as error:
        sequences.fail(f"{path} is no result of BrnoCompSpeed: {type(error).__name__}: {error}")


class Road:
    def __init__(self, calibration):
        self.center, self.scale = numpy.array(calibration["pp"], float)[:2], float(calibration["scale"])
        first, second = (numpy.array(calibration[name], float)[:2] - self.center for name in ("vp1", "vp2"))
        if first @ second >= 0:
            raise ValueError("no camera has vp1, vp2 and pp of its calibration: the directions are not perpendicular")
        self.focal = numpy.sqrt(-first @ second)
        normal = numpy.cross([*first, self.focal], [*second, self.focal])
        self.normal = normal * numpy.sign(normal[2]) / numpy.linalg.norm(normal)

    def places(self, points):
        """Of pixels, on the road, in metres from the camera."""
        rays = numpy.column_stack([points - self.center, numpy.full(len(points), self.focal)])
        distance = self.normal[:2] @ self.center + PLANE
        return -self.scale * distance * rays / (rays @ self.normal)[:, None]

    def distance(self, ends):
        first, second = self.places(ends)
        return numpy.linalg.norm(first - second)


def homogeneous(points):
    return numpy.column_stack([points, numpy.ones(len(points))])


def is_between(points, first, second):
    points = homogeneous(points)
    return (points @ first) * (points @ second) * (first[:2] @ second[:2]) <= 0


def lanes_of(points, borders):
    """The index of each point's lane; -1 where it is in none."""
    lanes = numpy.full(len(points), -1)
    for index in reversed(range(len(borders) - 1)):
        lanes[is_between(points, borders[index], borders[index + 1])] = index
    return lanes


def fit(x, y):
    """Slope and intercept of the line through points."""
    x_mean, y_mean = numpy.mean(x), numpy.mean(y)
    slope = (x - x_mean) @ (y - y_mean) / ((x - x_mean) @ (x - x_mean))
    return slope, y_mean - slope * x_mean


def crossing(car, line):
    """Where, and in which frame, a track crosses a line, by a line through the points nearest to it. Not finite where
    there is none."""
    order = numpy.argsort(numpy.abs(homogeneous(car[:, :2]) @ line), kind="stable")
    x, y, frames = car[order[:NEAREST]].T
    with numpy.errstate(all="ignore"):
        slope, intercept = fit(x, y)
        at = numpy.cross([slope, -1, intercept], line)
        at = at[:2] / at[2]
        # Along the track, from where it would leave the picture's upper side.
        begin = numpy.array([-intercept / slope, 0])
        across = (x + slope * (y - intercept)) / (1 + slope**2)
        way = numpy.hypot(across - begin[0], slope * across + intercept)
        rate, start = fit(way, frames)
        return at, rate * numpy.linalg.norm(at - begin) + start


def select(cars, truth, size):
    """The cars that count: on the lanes that have truth, between the lines, before the truth ends."""
    lines, lanes = truth["measurementLines"], truth["laneDivLines"]
    for car in cars:
        if car[0, 2] / truth["fps"] >= max(truth["last"]):
            continue
        points = car[:, :2]
        car = car[((points > BORDER) & (points < numpy.array(size) - BORDER)).all(axis=1)]
        if len(car) <= STEP:
            continue
        lane = lanes_of(car[:, :2], lanes)
        if (lane < 0).any() or numpy.isin(lane, list(truth["invalidLanes"])).any():
            continue
        if is_between(car[:, :2], lines[0], lines[-1]).sum() >= NEAREST:
            yield car


def measure(car, road, truth):
    """Time at the last line, lane there and speed in km/h; None if the track does not tell."""
    (first, from_frame), (last, to_frame) = (crossing(car, truth["measurementLines"][index]) for index in (-1, 0))
    if not numpy.isfinite([*first, *last, from_frame, to_frame]).all():
        return None
    lane = lanes_of(numpy.array([first, last]), truth["laneDivLines"])
    if (lane < 0).any():
        return None
    places = road.places(car[:, :2])
    ways = numpy.linalg.norm(places[STEP:] - places[:-STEP], axis=1)
    times = numpy.abs(car[STEP:, 2] - car[:-STEP, 2]) / truth["fps"]
    return to_frame / truth["fps"], lane[1], float(numpy.median(ways / times)) * 3.6


class Score:
    """Of a system on one video: lists of (absolute, relative in %) errors, recall, false positives."""

    def __init__(self, road, cars, truth, size):
        measured = [measure(car, road, truth) for car in select(cars, truth, size)]
        found = [car for car in measured if car]
        matched, valid, speeds = set(), 0, []
        for car, last in zip(truth["cars"], truth["last"]):
            near = [(abs(found[index][0] - last), index) for index in range(len(found))]
            near = [pair for pair in near if found[pair[1]][1] in car["laneIndex"]]
            hit = min(near, default=(MAX_TIME, None))
            if hit[0] < MAX_TIME:
                matched.add(hit[1])
                if car["valid"]:
                    speeds.append(self.error(found[hit[1]][2], car["speed"]))
            valid += bool(car["valid"])
        self.speeds = speeds
        self.recall = len(speeds) / valid if valid else float("nan")
        alone = [car for index, car in enumerate(found) if index not in matched]
        self.false = sum(min(truth["last"]) <= car[0] < max(truth["last"]) for car in alone)
        self.false += len(measured) - len(found)
        known = [
            (each["distance"], road.distance(each["ends"]), each["toVP1"]) for each in truth["distanceMeasurement"]
        ]
        self.along = [self.error(distance, real) for real, distance, along in known if along]
        self.scaled = [self.error(distance, real) for real, distance, _ in known]
        self.ratios = [
            self.error(known[i][1] / known[j][1], known[i][0] / known[j][0])
            for i in range(len(known))
            for j in range(i + 1, len(known))
        ]

    @staticmethod
    def error(measured, real):
        return abs(measured - real), abs(measured - real) / real * 100


def tables(scores):
    """scores: {system: {video: Score}}"""
    text = []
    for title, unit, name in (
        ("Speeds", "km/h", "speeds"),
        ("Distances towards the first vanishing point", "m", "along"),
        ("All distances", "m", "scaled"),
        ("Ratios of distances", "", "ratios"),
    ):
        columns = ["n"]
        columns += [f"{statistic} [{of}]" if of else statistic for of in (unit, "%") for statistic, _ in STATISTICS]
        rows = []
        for system, videos in scores.items():
            errors = {video: getattr(score, name) for video, score in videos.items()}
            errors["all"] = [error for errors_of in errors.values() for error in errors_of]
            for video, values in errors.items():
                figures = [float(function(kind)) for kind in zip(*values) for _, function in STATISTICS]
                rows.append((f"{system}, {video}", len(values), *(figures or [float("nan")] * 2 * len(STATISTICS))))
        text.append(sequences.table(title, columns, rows))
    rows = [
        (system, numpy.mean([score.recall for score in of.values()]), sum(score.false for score in of.values()))
        for system, of in scores.items()
    ]
    return "\n\n".join([*text, sequences.table("Found", ["mean recall", "false positives"], rows)])


def read_mask(path):
    mask = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if mask is None:
        sequences.fail(f"cannot read {path}")
    return mask


def track(folder, mask, cca):
    """The cars of a video, as the data set has them: points on the road, with their frames."""
    cars = {}
    frames = sequences.track_video(folder / "video.avi", cca, folder / "video_mask.png")
    for frame, tracks in enumerate(frames):
        for identity, x, y, width, height in tracks:
            # The middle of the lower side stands on the road.
            foot = x + width / 2, y + height
            if mask[min(int(foot[1]), mask.shape[0] - 1), min(int(foot[0]), mask.shape[1] - 1)]:
                car = cars.setdefault(identity, {"id": identity, "frames": [], "posX": [], "posY": []})
                for name, value in zip(("frames", "posX", "posY"), (frame, *foot)):
                    car[name].append(value)
    return list(cars.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--calibration", default="dubska_optimal_calib")
    parser.add_argument("--split", choices=list(TRAINING))
    parser.add_argument("--cca", default="")
    arguments = parser.parse_args()
    folders = sorted(path.parent for path in arguments.folder.glob("dataset/session*_*/gt_data.pkl"))
    if arguments.split:
        training = [f"session{number}" for number in range(TRAINING[arguments.split])]
        folders = [folder for folder in folders if folder.name.split("_")[0] not in training]
    if not folders:
        sequences.fail(f"{arguments.folder} has no dataset/sessionN_PLACE/gt_data.pkl: give the unpacked archive")
    scores = {}
    for folder in folders:
        truth, mask = read_truth(folder / "gt_data.pkl"), read_mask(folder / "video_mask.png")
        results = arguments.folder / "results" / folder.name
        of_calibration = results / f"system_{arguments.calibration}.json"
        read_system(of_calibration)
        try:
            cars = track(folder, mask, arguments.cca)
        except RuntimeError as error:
            sequences.fail(f"{folder}: {error}")
        ours = arguments.output / "results" / folder.name / f"system_{OURS}.json"
        ours.parent.mkdir(parents=True, exist_ok=True)
        calibration = json.loads(of_calibration.read_text())["camera_calibration"]
        ours.write_text(json.dumps({"camera_calibration": calibration, "cars": cars}))
        for path in [ours, *sorted(results.glob("system_*.json"))]:
            score = Score(*read_system(path), truth, mask.shape[::-1])
            scores.setdefault(path.stem.removeprefix("system_"), {})[folder.name] = score
        print(f"{folder.name}: {len(cars)} tracks", flush=True)
    text = tables(scores)
    (arguments.output / "brnocompspeed.md").write_text(text + "\n")
    print(text)


main()
