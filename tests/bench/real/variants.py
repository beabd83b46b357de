# gst-cca: clips as another camera would show them
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a small change of the picture turns over was luck. So the benchmark can show each clip mirrored, at other sizes
and in other light, too: the errors of all variants tell more than those of the clip alone. It also shows each from
twice as far away."""

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


def scale(factor, width, height):
    """The size at a factor, even for chroma at half the size, and the elements that bring pictures to it."""
    x_size, y_size = (round(size * factor / 2) * 2 for size in (width, height))
    caps = f"video/x-raw,width={x_size},height={y_size},pixel-aspect-ratio=1/1"
    return x_size, y_size, f"videoscale method=bilinear2 ! {caps}"


def scaled(clip, variant, factor, width, height):
    x_size, y_size, elements = scale(factor, width, height)
    return changed(clip, variant, elements, lambda x, y: [x * x_size / width, y * y_size / height])


def far(clip, width, height):
    """Half as large, in the middle of a black frame of the same size."""
    x_size, y_size, elements = scale(0.5, width, height)
    left, top = (width - x_size) // 4 * 2, (height - y_size) // 4 * 2
    right, bottom = width - x_size - left, height - y_size - top
    box = f"videobox fill=black left={-left} right={-right} top={-top} bottom={-bottom}"
    move = lambda x, y: [left + x * x_size / width, top + y * y_size / height]  # noqa: E731
    return changed(clip, "twice as far", f"{elements} ! {box}", move)


def of(clip, width, height):
    """The clip and its variants."""
    return [
        clip,
        mirrored(clip, width),
        *(scaled(clip, variant, factor, width, height) for variant, factor in SIZES.items()),
        *(changed(clip, variant, f"videobalance {light}") for variant, light in LIGHTS.items()),
        far(clip, width, height),
    ]
