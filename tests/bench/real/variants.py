# gst-cca: clips as another camera would show them
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a small change of the picture turns over was luck. So the benchmark can show each clip mirrored, at other sizes
and in other light, too: the errors of all variants tell more than those of the clip alone."""

import dataclasses

LIGHTS = {"darker": "brightness=-0.08 contrast=0.85", "brighter": "brightness=0.08 contrast=1.1"}
SIZES = {"at 3/4": 0.75, "at 3/2": 1.5}


def changed(clip, variant, elements, move=lambda x, y: [x, y]):
    """The clip behind the elements, which move points of the picture. True boxes are left out."""
    lines = {name: [move(x, y) for x, y in points] for name, points in clip.lines.items()}
    change = {"variant": variant, "lines": lines, "elements": f"{elements} ! videoconvert ! ", "true_boxes_path": None}
    return dataclasses.replace(clip, name=f"{clip.name}, {variant}", **change)


def mirrored(clip, width):
    clip = changed(clip, "mirrored", "videoflip video-direction=horiz", lambda x, y: [width - x, y])
    # What was on a line's left side is on its right one, unless its ends change places.
    return dataclasses.replace(clip, lines={name: points[::-1] for name, points in clip.lines.items()})


def scaled(clip, variant, factor, width, height):
    x_size, y_size = (round(size * factor / 2) * 2 for size in (width, height))  # even, for chroma at half the size
    caps = f"video/x-raw,width={x_size},height={y_size},pixel-aspect-ratio=1/1"
    move = lambda x, y: [x * x_size / width, y * y_size / height]  # noqa: E731
    return changed(clip, variant, f"videoscale method=bilinear2 ! {caps}", move)


def of(clip, width, height):
    """The clip and its variants."""
    return [
        clip,
        mirrored(clip, width),
        *(scaled(clip, variant, factor, width, height) for variant, factor in SIZES.items()),
        *(changed(clip, variant, f"videobalance {light}") for variant, light in LIGHTS.items()),
    ]
