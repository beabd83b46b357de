#!/usr/bin/env python3
# gst-cca: cuts walkers out of a clip whose camera stands still
# SPDX-License-Identifier: LGPL-2.1-or-later

import math
import sys

import cv2
import numpy

# Tracks shorter than this, in frames, are not used.
MIN_TRACK = 16


class Walker:
    """A walker's gait: for each frame the colour times alpha, and alpha; and the mean step, pixels a frame."""

    def __init__(self, sprites, step):
        self.sprites, self.step = sprites, step
        self.height = float(numpy.median([alpha.shape[0] for _, alpha in sprites]))


def read_clip(path, n_frames=None):
    """The frames of a clip, at most n_frames, BGR."""
    clip, frames = cv2.VideoCapture(str(path)), []
    while n_frames is None or len(frames) < n_frames:
        ok, frame = clip.read()
        if not ok:
            break
        frames.append(frame)
    if not frames:
        sys.exit(f"walkers: {path}: there is no frame in it, or OpenCV cannot decode it")
    return frames


def median_of(frames):
    """What the camera sees when nobody walks by."""
    return numpy.median(numpy.array(frames[::8]), axis=0).astype(numpy.uint8)


def find_blobs(frame, background):
    """What differs from the background, holes filled: labels, and a row (x, y, width, height, area) for each label."""
    difference = cv2.GaussianBlur(cv2.absdiff(frame, background), (3, 3), 0).max(axis=2)
    mask = (difference > 36).astype(numpy.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, numpy.ones((3, 3), numpy.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = numpy.zeros_like(mask)
    cv2.drawContours(filled, [c for c in contours if cv2.contourArea(c) > 300], -1, 1, cv2.FILLED)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(filled, connectivity=8)
    return labels, stats


def cut_sprite(frame, background, labels, number, stats):
    """Colour times alpha, and alpha, of a blob. The background's share of the colour at the rim is taken out."""
    x, y, w, h = (int(value) for value in stats[number][:4])
    margin = 4
    window = numpy.s_[y - margin : y + h + margin, x - margin : x + w + margin]
    alpha = cv2.GaussianBlur((labels[window] == number).astype(numpy.float32), (0, 0), 0.6)
    colour = frame[window] - (1 - alpha[..., None]) * background[window]
    return numpy.clip(colour, 0, 255 * alpha[..., None]).astype(numpy.float32), alpha


def stands_free(stats, rows, columns):
    """Whether a blob may be a whole walker: upright, of a walker's height, and off the picture's border."""
    x, y, w, h, _ = stats
    inside = x > 6 and y > 6 and x + w < columns - 6 and y + h < rows - 6
    return inside and h > 1.4 * w and 45 <= h <= 160


def is_near(stats, last):
    """Whether a blob is close enough to a blob of the last frame to be the same."""
    (x, y, w, h, _), (last_x, last_y, last_w, last_h, _) = stats, last
    return (
        abs(x + w / 2 - last_x - last_w / 2) < 0.5 * last_w + 6 and abs(y + h / 2 - last_y - last_h / 2) < 0.3 * last_h
    )


def follow(frames, background):
    """Tracks: lists of (row of stats, sprite). A track ends where no blob, or more than one, can be its next."""
    rows, columns = background.shape[:2]
    growing, tracks = [], []
    for frame in frames:
        labels, stats = find_blobs(frame, background)
        free = {i for i in range(1, len(stats)) if stands_free(stats[i], rows, columns)}
        following = []
        for track in growing:
            last = track[-1][0]
            next_ones = [i for i in range(1, len(stats)) if is_near(stats[i], last)]
            i = next_ones[0] if len(next_ones) == 1 else 0
            if i in free and 0.7 * last[4] < stats[i][4] < 1.4 * last[4]:
                free.remove(i)
                track.append((stats[i], cut_sprite(frame, background, labels, i, stats)))
                following.append(track)
            else:
                tracks.append(track)
        following += [[(stats[i], cut_sprite(frame, background, labels, i, stats))] for i in sorted(free)]
        growing = following
    return tracks + growing


def cut_walkers(frames, background):
    """The walkers whom the camera sees alone for a while."""
    walkers = []
    for track in follow(frames, background):
        feet = [(x + w / 2, y + h) for (x, y, w, h, _), _ in (track[0], track[-1])]
        step = (numpy.array(feet[1]) - feet[0]) / max(len(track) - 1, 1)
        if len(track) >= MIN_TRACK and math.hypot(*step) > 1:
            walkers.append(Walker([sprite for _, sprite in track], step))
    return walkers
