#!/usr/bin/env python3
# gst-cca: composes scenes with exact truth for foreground=motion: walkers of a real clip before real backgrounds
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes scenes for background subtraction. FOLDER/KIND-N/ gets the I420 frames one after the other (video.yuv), their
truth, a byte a pixel, 0 or 255 (truth.raw), and info.json.

Walkers of vtest.avi are pasted onto a photograph or the clip's median; then light, camera and sensor act on the whole
picture. A pixel is foreground where walkers cover at least half of it. The same options and the same versions of
OpenCV, NumPy and libav give the same scenes. Scenes that are there already stay.
"""

import argparse
import hashlib
import json
import math
import pathlib
import subprocess
import sys
import zlib

import cv2
import numpy

import walkers


class Actor:
    """A walker on a straight way through the picture, who stands still in the frames of `hold`, begin and end."""

    def __init__(self, walker, scale, mirror, tone, at, when, hold):
        self.walker, self.scale, self.mirror, self.tone = walker, scale, mirror, tone
        self.at, self.when, self.hold = at, when, hold
        self.step = numpy.array(walker.step) * scale * (-1 if mirror else 1, 1)

    def clock(self, time):
        """Frames not stood still until `time`."""
        begin, end = self.hold
        return time - min(max(time - begin, 0), end - begin)

    def walked(self, time):
        """Frames walked since frame `when`, at which the walker is at `at`."""
        return self.clock(time) - self.clock(self.when)

    def feet(self, time):
        return self.at + self.step * self.walked(time)

    def sprite(self, time):
        colour, alpha = self.walker.sprites[int(self.walked(time)) % len(self.walker.sprites)]
        if self.mirror:
            colour, alpha = colour[:, ::-1], alpha[:, ::-1]
        size = max(round(alpha.shape[1] * self.scale), 1), max(round(alpha.shape[0] * self.scale), 1)
        how = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_LINEAR
        colour, alpha = cv2.resize(colour, size, interpolation=how), cv2.resize(alpha, size, interpolation=how)
        return numpy.minimum(colour * self.tone, 255 * alpha[..., None]), alpha


def clip_to(shape, left, top, height, width):
    """The parts of a picture and of a sprite at (left, top) that overlap, or None."""
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + width, shape[1]), min(top + height, shape[0])
    if x0 >= x1 or y0 >= y1:
        return None
    return numpy.s_[y0:y1, x0:x1], numpy.s_[y0 - top : y1 - top, x0 - left : x1 - left]


def cast_shadow(picture, alpha, foot, strength):
    """Darkens the ground: the matte, flattened and sheared to the right, with a soft rim."""
    h, w = alpha.shape
    shear, flat = 0.9, 0.35
    transform = numpy.float32([[1, -shear, shear * h + 8], [0, flat, 8]])
    shadow = cv2.warpAffine(alpha, transform, (int(w + shear * h) + 16, int(h * flat) + 16))
    shadow = cv2.GaussianBlur(shadow, (0, 0), 1.5)
    left, top = int(foot[0] - w / 2 - 8), int(foot[1] - h * flat - 8 - 0.02 * h)
    parts = clip_to(picture.shape, left, top, *shadow.shape)
    if parts:
        picture[parts[0]] *= 1 - strength * shadow[parts[1]][..., None]


def compose(background, actors, time, shadow):
    """The picture, BGR float, and its truth."""
    picture, clear = background.copy(), numpy.ones(background.shape[:2], numpy.float32)
    drawn = []
    for actor in sorted(actors, key=lambda a: a.feet(time)[1]):
        colour, alpha = actor.sprite(time)
        foot = actor.feet(time)
        drawn.append((colour, alpha, foot))
        if shadow:
            cast_shadow(picture, alpha, foot, shadow)
    for colour, alpha, foot in drawn:
        h, w = alpha.shape
        parts = clip_to(picture.shape, round(foot[0] - w / 2), round(foot[1] - h), h, w)
        if parts:
            rest = 1 - alpha[parts[1]]
            picture[parts[0]] = colour[parts[1]] + rest[..., None] * picture[parts[0]]
            clear[parts[0]] *= rest
    return picture, clear


def place_actors(cast, kind, size, frames, warmup, random):
    """About five walkers in the picture at a time, and those that the kind asks for."""
    width, height = size
    unit = height / 576
    actors = []

    def add(x, y, when, hold=(0, 0)):
        walker = cast[random.integers(len(cast))]
        scale = unit * random.uniform(80, 210) / walker.height
        tone = (random.uniform(0.7, 1.5) * random.uniform(0.85, 1.15, 3)).astype(numpy.float32)
        actors.append(Actor(walker, scale, bool(random.integers(2)), tone, numpy.array([x, y]), when, hold))

    def somewhere():
        return random.uniform(0.08, 0.92) * width, random.uniform(0.3, 0.98) * height

    for _ in range({"ghosts": 6, "stop-go": 5}.get(kind, 9)):
        add(*somewhere(), random.uniform(-0.1, 1.1) * frames)
    if kind == "ghosts":
        for _ in range(3):
            leaves = warmup + random.uniform(-0.05, 0.1) * (frames - warmup)
            add(*somewhere(), 0, (-1e6, leaves))
    if kind == "stop-go":
        for _ in range(5):
            stops = warmup + random.uniform(0, 0.3) * (frames - warmup)
            add(*somewhere(), stops, (stops, stops + random.uniform(0.25, 0.5) * (frames - warmup)))
    return actors


# What light, camera and sensor do to a scene. step, ramp and shadow are factors of the light, contrast is one of the
# distance from mid-grey; jitter and sway are pixels at 768x576; noise and mean are grey levels.
KINDS = {
    "baseline": {},
    "low-contrast": {"contrast": 0.45},
    "stop-go": {},
    "light-step": {"step": 1.17},
    "light-ramp": {"ramp": 1.12},
    "jitter": {"jitter": 1.1},
    "moving-background": {"sway": 3.0},
    "shadow": {"shadow": 0.4},
    "night": {"mean": 30, "noise": 3.5},
    "compression": {"quantizer": 16},
    "ghosts": {},
}
NOISE = 2.0


def light(effects, time, frames, warmup):
    gain = 1
    if "step" in effects and time >= warmup + (frames - warmup) // 4:
        gain *= effects["step"]
    if "ramp" in effects:
        begin = warmup / 2
        gain *= 1 + (effects["ramp"] - 1) * min(max((time - begin) / (0.9 * frames - begin), 0), 1)
    return gain


class Sway:
    """Moves parts of a background as wind moves leaves."""

    def __init__(self, size, amplitude, random):
        width, height = size
        self.y, self.x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
        unit = height / 576
        self.amplitude = amplitude * unit
        self.phase = self.smooth_noise(size, 40 * unit, random) * 4
        self.where = numpy.clip(self.smooth_noise(size, 60 * unit, random) - 0.6, 0, 0.5) * 2
        self.periods = random.uniform(7, 13), random.uniform(9, 17)

    @staticmethod
    def smooth_noise(size, sigma, random):
        small = random.standard_normal((size[1] // 8, size[0] // 8), numpy.float32)
        small = cv2.GaussianBlur(small, (0, 0), sigma / 8)
        return cv2.resize(small / small.std(), size, interpolation=cv2.INTER_CUBIC)

    def __call__(self, background, time):
        a, b = (2 * math.pi * time / period for period in self.periods)
        gust = self.amplitude * (0.6 + 0.4 * math.sin(a / 5))
        x = self.x + gust * self.where * numpy.sin(a + self.phase)
        y = self.y + 0.6 * gust * self.where * numpy.sin(b + 1.7 * self.phase)
        return cv2.remap(background, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def make_frames(kind, background, cast, frames, warmup, random):
    """Yields (I420 frame, truth)."""
    effects = KINDS[kind]
    height, width = background.shape[:2]
    unit = height / 576
    actors = place_actors(cast, kind, (width, height), frames, warmup, random)
    sway = Sway((width, height), effects["sway"], random) if "sway" in effects else None
    noise = effects.get("noise", NOISE)
    exposure = effects["mean"] / background.mean() if "mean" in effects else 1
    shake = numpy.zeros(2)
    for time in range(frames):
        scene = sway(background, time) if sway else background
        picture, clear = compose(scene, actors, time, effects.get("shadow", 0))
        if "jitter" in effects:
            shake = 0.6 * shake + random.normal(0, effects["jitter"] * unit * 0.8, 2)
            move = numpy.float32([[1, 0, shake[0]], [0, 1, shake[1]]])
            picture = cv2.warpAffine(picture, move, (width, height), borderMode=cv2.BORDER_REFLECT)
            clear = cv2.warpAffine(clear, move, (width, height), borderMode=cv2.BORDER_REFLECT)
        picture = picture * (exposure * light(effects, time, frames, warmup))
        if "contrast" in effects:
            picture = 128 + effects["contrast"] * (picture - 128)
        picture = numpy.clip(picture, 0, 255).astype(numpy.uint8)
        yuv = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).astype(numpy.float32)
        yuv[:height] += noise * random.standard_normal((height, width), numpy.float32)
        yuv[height:] += 0.7 * noise * random.standard_normal((height // 2, width), numpy.float32)
        yield numpy.clip(numpy.rint(yuv), 0, 255).astype(numpy.uint8), (clear <= 0.5).astype(numpy.uint8) * 255


def compress(path, width, height, quantizer):
    """Encodes and decodes a file of I420 frames as MPEG-4 with a coarse quantizer."""
    coarse = path.with_suffix(".coarse")
    pipeline = (
        f"filesrc location={path} ! rawvideoparse format=i420 width={width} height={height} framerate={RATE}/1"
        f" ! avenc_mpeg4 qmin={quantizer} qmax={quantizer} gop-size=50 ! avdec_mpeg4 max-threads=1"
        f" ! video/x-raw,format=I420 ! filesink location={coarse}"
    )
    subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], check=True, stdin=subprocess.DEVNULL)
    if coarse.stat().st_size != path.stat().st_size:
        sys.exit(f"scenes: {path}: {coarse.stat().st_size} of {path.stat().st_size} bytes came back from MPEG-4")
    coarse.replace(path)


class Material:
    """What scenes are made of: the clip's walkers and median, and photographs in the same folder."""

    def __init__(self, folder, n_frames=None):
        self.folder = pathlib.Path(folder)
        clip = walkers.read_clip(self.folder / CLIP, n_frames)
        self.median = walkers.median_of(clip)
        self.cast = walkers.cut_walkers(clip, self.median)

    def background(self, name, size, random):
        """A part of a photograph, or of the clip's median, in the wanted size."""
        picture = self.median if name == CLIP else cv2.imread(str(self.folder / name))
        if picture is None:
            sys.exit(f"scenes: {self.folder / name}: OpenCV cannot read this picture")
        width, height = size
        rows, columns = picture.shape[:2]
        part = min(columns / width, rows / height) * random.uniform(0.8, 1)
        w, h = int(width * part), int(height * part)
        x, y = random.integers(columns - w + 1), random.integers(rows - h + 1)
        picture = picture[y : y + h, x : x + w]
        if random.integers(2):
            picture = picture[:, ::-1]
        how = cv2.INTER_AREA if part > 1 else cv2.INTER_CUBIC
        return cv2.resize(picture, size, interpolation=how).astype(numpy.float32)


CLIP = "vtest.avi"
RATE = 10
# The first scene of a kind is before the clip's median, the others are before a photograph.
SETS = {"develop": ["leuvenA.jpg", "building.jpg", "graf1.png"], "held": ["home.jpg", "board.jpg", "aloeL.jpg"]}


def backdrop(scene_set, kind, number):
    names = SETS[scene_set]
    return names[(list(KINDS).index(kind) + number - 1) % len(names)] if number > 1 else CLIP


def make_scene(folder, material, scene_set, kind, number, size, frames, warmup):
    """Writes the scene of a kind and a number, from 1."""
    random = numpy.random.default_rng(zlib.crc32(f"{scene_set} {kind} {number - 1}".encode()))
    name = backdrop(scene_set, kind, number)
    background = material.background(name, size, random)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "video.yuv", "wb") as video, open(folder / "truth.raw", "wb") as truth:
        for frame, mask in make_frames(kind, background, material.cast, frames, warmup, random):
            video.write(frame.tobytes())
            truth.write(mask.tobytes())
    if "quantizer" in KINDS[kind]:
        compress(folder / "video.yuv", *size, KINDS[kind]["quantizer"])
    info = {"width": size[0], "height": size[1], "frames": frames, "fps": RATE, "warmup": warmup}
    (folder / "info.json").write_text(json.dumps({**info, "kind": kind, "background": name, "made-by": fingerprint()}))


def fingerprint():
    """Changes with what makes the scenes."""
    return hashlib.sha256(b"".join(pathlib.Path(f).read_bytes() for f in (__file__, walkers.__file__))).hexdigest()


def is_made(folder, size, frames, warmup):
    try:
        info = json.loads((folder / "info.json").read_text())
    except FileNotFoundError:
        return False
    wanted = {"width": size[0], "height": size[1], "frames": frames, "warmup": warmup, "made-by": fingerprint()}
    return wanted.items() <= info.items()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--media", type=pathlib.Path, required=True, help="folder of vtest.avi and the photographs")
    parser.add_argument("--size", default="768x576")
    parser.add_argument("--set", choices=SETS, default="develop")
    parser.add_argument("--frames", type=int, default=220)
    parser.add_argument("--warmup", type=int, default=60, help="frames at the beginning that are not scored")
    parser.add_argument("--number", type=int, default=2, help="scenes of each kind")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    options = parser.parse_args()
    size = tuple(int(n) for n in options.size.split("x"))

    wanted = [(kind, number) for kind in options.kinds for number in range(1, options.number + 1)]
    missing = [
        (options.folder / f"{kind}-{number}", kind, number)
        for kind, number in wanted
        if not is_made(options.folder / f"{kind}-{number}", size, options.frames, options.warmup)
    ]
    material = Material(options.media) if missing else None
    for folder, kind, number in missing:
        make_scene(folder, material, options.set, kind, number, size, options.frames, options.warmup)
    return 0


if __name__ == "__main__":
    sys.exit(main())
