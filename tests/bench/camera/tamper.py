# gst-cca: what can happen to a camera, composed on its frames
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each function gets a grey frame, the seconds since it begins, and a generator of random numbers that is the same for
every frame of a run; it returns another frame. TROUBLES names the states that are right; HARMLESS wants none."""

import cv2
import numpy as np


def smooth_noise(rng, height, width, sigma):
    """Noise of unit deviation, whose grains are of sigma pixels."""
    scale = max(1, int(sigma))
    small = rng.standard_normal((height // scale + 3, width // scale + 3)).astype(np.float32)
    noise = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return noise / max(noise.std(), 1e-6)


def sensor(frame, seed):
    """The frame with a sensor's noise."""
    noise = np.random.default_rng(seed).standard_normal(frame.shape).astype(np.float32)
    return np.clip(frame + noise * 1.5, 0, 255).astype(np.uint8)


def cover(part, level, texture):
    """A hand or a cloth close to the lens: soft texture, a soft edge, and a tremble."""

    def apply(frame, seconds, rng):
        height, width = frame.shape
        blob = level + texture * smooth_noise(rng, height, width, width / 12)
        angle = rng.uniform(0, 2 * np.pi)
        x, y = np.meshgrid(np.linspace(-0.5, 0.5, width), np.linspace(-0.5, 0.5, height))
        depth = x * np.cos(angle) + y * np.sin(angle) + 0.03 * smooth_noise(rng, height, width, width / 8)
        edge = np.quantile(depth, part) if part < 1 else depth.max() + 1
        mask = np.clip((edge - depth) / 0.04 + 0.5, 0, 1)
        shift = int(3 * np.sin(seconds * 5))
        return sensor(np.roll(blob, shift, 1) * mask + frame * (1 - mask), int(seconds * 1000))

    return apply


def spray(frame, seconds, rng):
    """Paint in drops that grow together and hide 85 to 95 %."""
    height, width = frame.shape
    drops = smooth_noise(rng, height, width, width / 40) + 0.5 * smooth_noise(rng, height, width, width / 10)
    mask = np.clip((np.quantile(drops, rng.uniform(0.85, 0.95)) - drops) * 4, 0, 1)
    paint = rng.uniform(40, 200)
    return sensor(paint * mask + frame * (1 - mask), int(seconds * 1000))


def torch(frame, seconds, rng):
    """A lamp into the lens: a white disc, its halo, and a veil over the rest."""
    height, width = frame.shape
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    at_x, at_y = width * rng.uniform(0.35, 0.65), height * rng.uniform(0.35, 0.65)
    distance = np.hypot((x - at_x) / width, (y - at_y) / height)
    light = 600 * np.exp(-((distance / rng.uniform(0.35, 0.45)) ** 2)) + 40
    return sensor(frame * 0.7 + light, int(seconds * 1000))


def blur(sigma):
    return lambda frame, seconds, rng: cv2.GaussianBlur(frame, (0, 0), sigma)


def turn(part, degrees):
    """The camera aims elsewhere by a part of the picture, or is rolled; its mirror comes into view."""

    def apply(frame, seconds, rng):
        height, width = frame.shape
        heading = rng.uniform(0, 2 * np.pi)
        sign = rng.choice([-1, 1])
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), sign * degrees, 1)
        matrix[:, 2] += part * width * np.cos(heading), part * height * np.sin(heading)
        return cv2.warpAffine(frame, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)

    return apply


def freeze():
    kept = {}

    def apply(frame, seconds, rng):
        return kept.setdefault("frame", frame)

    return apply


def darkness(frame, seconds, rng):
    return sensor(frame * 0.05 + 4, int(seconds * 1000))


def blank(frame, seconds, rng):
    return np.full_like(frame, int(rng.uniform(10, 200)))


TROUBLES = {
    "hand over 80 %": ({"covered", "dark"}, lambda: cover(0.8, 90, 25)),
    "hand over 90 %": ({"covered", "dark"}, lambda: cover(0.9, 60, 15)),
    "hand over all": ({"covered", "dark"}, lambda: cover(1, 120, 30)),
    "dark cloth": ({"covered", "dark"}, lambda: cover(1, 18, 3)),
    "spray": ({"covered"}, lambda: spray),
    "torch": ({"blinded"}, lambda: torch),
    "blur 2": ({"defocused"}, lambda: blur(2)),
    "blur 3": ({"defocused"}, lambda: blur(3)),
    "blur 4": ({"defocused"}, lambda: blur(4)),
    "turned by 5 %": ({"moved"}, lambda: turn(0.05, 0)),
    "turned by 10 %": ({"moved"}, lambda: turn(0.1, 0)),
    "turned by 20 %": ({"moved"}, lambda: turn(0.2, 0)),
    "rolled by 5 degrees": ({"moved"}, lambda: turn(0, 5)),
    "rolled by 10 degrees": ({"moved"}, lambda: turn(0, 10)),
    "rolled by 20 degrees": ({"moved"}, lambda: turn(0, 20)),
    "frozen": ({"frozen"}, freeze),
    "darkness": ({"dark"}, lambda: darkness),
    "blank": ({"lost"}, lambda: blank),
}


def exposure(frame, seconds, rng):
    """Automatic exposure hunts for its level."""
    return np.clip(frame * (1 + 0.45 * np.sin(seconds * 1.5)), 0, 255).astype(np.uint8)


def light(frame, seconds, rng):
    """A lamp goes on at one side."""
    ramp = np.linspace(1.6, 1.1, frame.shape[1], dtype=np.float32)
    return np.clip(frame * ramp + 10, 0, 255).astype(np.uint8)


def sway(frame, seconds, rng):
    """The mast sways by 0.4 % of the width."""
    height, width = frame.shape
    matrix = np.float32([[1, 0, 0.004 * width * np.sin(seconds * 6)], [0, 1, 0.002 * width * np.cos(seconds * 5)]])
    return cv2.warpAffine(frame, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)


def fault(frame, seconds, rng):
    """Half a second of wrong blocks, every three seconds."""
    if seconds % 3 > 0.5:
        return frame
    damaged = frame.copy()
    for y in range(0, frame.shape[0] - 16, 16):
        if rng.random() < 0.7:
            damaged[y : y + 16] = np.roll(frame[y : y + 16], int(rng.integers(16, 200)), 1)
    return damaged


def flash(frame, seconds, rng):
    return np.full_like(frame, 255) if seconds % 3 < 0.5 else frame


def passing(frame, seconds, rng):
    """A lorry before the lens for 0.7 s, every three seconds."""
    if seconds % 3 > 0.7:
        return frame
    return cover(0.8, 90, 25)(frame, seconds, rng)


def repeated():
    """Three pictures a second."""
    kept = {}

    def apply(frame, seconds, rng):
        return kept.setdefault(int(seconds * 3), frame)

    return apply


HARMLESS = {
    "exposure": lambda: exposure,
    "light": lambda: light,
    "sway": lambda: sway,
    "fault": lambda: fault,
    "flash": lambda: flash,
    "passing": lambda: passing,
    "repeated": repeated,
}
