#!/usr/bin/env python3
# gst-cca: what ccagate saves a detector on real clips, and what of the objects it lets pass
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: gate.py CLIPS [--scenes FILE] [--cca "PROPERTIES"] [--gate "PROPERTIES"] [--only NAME]

Runs cca foreground=motion ! ccatrack ! ccagate on each clip and prints a Markdown table:

calls      frames that passed, of all: a detector is called for these only
pixels     with mode=crops, pixels of all crops, of those of all frames
crossings  true crossings with a frame that passed within 0.1 s, of all; in crops: with a crop that shows the place
boxes      true boxes in frames that passed, of all; in crops: at least 90 % of the box in one crop
objects    the same, of objects: in at least one frame

Wants GST_PLUGIN_PATH to name the built plugin."""

import argparse
import pathlib

import gi

import clips as real
import pipeline as play

gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo  # noqa: E402

NEAR = 0.1
SHOWN = 0.9


def crops_of(buffer):
    """The crops of a frame as (x, y, width, height)."""
    found, number = [], 1
    while meta := GstVideo.buffer_get_video_region_of_interest_meta_id(buffer, number):
        found.append((meta.x, meta.y, meta.w, meta.h))
        number += 1
    return found


def run(clip, cca, gate):
    """Returns ({time: crops} of the frames that passed, [time] of all frames, (width, height))."""
    source = f"cca foreground=motion post-messages=false {cca} ! ccatrack post-messages=false"
    passed, times = {}, []
    description = f"{source} ! identity name=all ! ccagate {gate} ! appsink name=sink sync=false max-buffers=4"
    line = play.set_up(clip, description)

    def note(_pad, info):
        times.append(info.get_buffer().pts)
        return Gst.PadProbeReturn.OK

    line.get_by_name("all").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, note)
    sink = line.get_by_name("sink")
    line.set_state(Gst.State.PLAYING)
    size, segment = None, None
    while sample := sink.emit("pull-sample"):
        size, segment, buffer = play.size_of(sample.get_caps()), sample.get_segment(), sample.get_buffer()
        passed[buffer.pts] = crops_of(buffer)
    message = line.get_bus().pop_filtered(Gst.MessageType.ERROR)
    line.set_state(Gst.State.NULL)
    if message:
        raise RuntimeError(f"{clip.name}: {message.parse_error().gerror.message}")

    def seconds(pts):
        return segment.to_stream_time(Gst.Format.TIME, pts) / Gst.SECOND

    return {seconds(pts): crops for pts, crops in passed.items()}, [seconds(pts) for pts in times], size


def shown(box, crop):
    """The part of a box that a crop shows."""
    x = min(box[0] + box[2], crop[0] + crop[2]) - max(box[0], crop[0])
    y = min(box[1] + box[3], crop[1] + crop[3]) - max(box[1], crop[1])
    return max(x, 0) * max(y, 0) / (box[2] * box[3])


def crossings(clip, passed, in_crops):
    """Returns (seen, all) of the true crossings; a crossing is seen in crops if one of them meets the line."""
    right = n = 0
    for name, ways in clip.crossings.items():
        points = clip.lines[name]
        for time in [time for way in ways.values() for time in way]:
            near = [crops for at, crops in passed.items() if abs(at - time) <= NEAR]
            n += 1
            right += any(not in_crops or any(meets(points, crop) for crop in crops) for crops in near)
    return right, n


def meets(points, crop):
    """Whether a line goes through a crop, by points on it."""
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        for i in range(101):
            x, y = x0 + (x1 - x0) * i / 100, y0 + (y1 - y0) * i / 100
            if crop[0] <= x <= crop[0] + crop[2] and crop[1] <= y <= crop[1] + crop[3]:
                return True
    return False


def boxes(clip, passed, times, size, in_crops):
    """Returns ((seen, all) of the boxes, (seen, all) of the objects); None without true boxes. Only the part of a box
    that lies in the frame can be seen."""
    truth, seen, n, ids, seen_ids = clip.true_boxes(), 0, 0, set(), set()
    if not truth:
        return None
    for frame, found in truth.items():
        crops = passed.get(times[frame - 1])
        for number, x, y, width, height in found:
            left, top = max(x, 0), max(y, 0)
            box = (left, top, min(x + width, size[0]) - left, min(y + height, size[1]) - top)
            if box[2] <= 0 or box[3] <= 0:
                continue
            right = crops is not None and (not in_crops or any(shown(box, crop) >= SHOWN for crop in crops))
            n += 1
            seen += right
            ids.add(number)
            if right:
                seen_ids.add(number)
    return (seen, n), (len(seen_ids), len(ids))


def share(pair):
    return f"{pair[0]} / {pair[1]}" if pair else ""


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=pathlib.Path)
    parser.add_argument("--scenes", type=pathlib.Path, default=here / "scenes.json")
    parser.add_argument("--cca", default="")
    parser.add_argument("--gate", default="")
    parser.add_argument("--only")
    options = parser.parse_args()
    found, problems = real.read(options.scenes, [options.clips])
    print("| clip | frames | calls | crossings | boxes | objects | pixels of crops | crossings | boxes | objects |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |")
    sums, times = [0] * 6, []
    for clip in found:
        if options.only and clip.name != options.only:
            continue
        cells = []
        for mode in ("frames", "crops"):
            passed, times, size = run(clip, options.cca, f"mode={mode} {options.gate}")
            truth = boxes(clip, passed, times, size, mode == "crops")
            crossed = crossings(clip, passed, mode == "crops")
            area = sum(w * h for crops in passed.values() for _, _, w, h in crops) / (size[0] * size[1] * len(times))
            if mode == "frames":
                cells += [str(len(times)), f"{100 * len(passed) / len(times):.0f} %"]
                sums = [a + b for a, b in zip(sums, (len(times), len(passed), *crossed, 0, 0))]
            else:
                cells += [f"{100 * area:.0f} %"]
                sums = [a + b for a, b in zip(sums, (0, 0, 0, 0, *crossed))]
            cells += [share(crossed), share(truth and truth[0]), share(truth and truth[1])]
        print(f"| {clip.name} | " + " | ".join(cells) + " |", flush=True)
    if sums[0]:
        calls, seen = f"{100 * sums[1] / sums[0]:.0f} %", f"{sums[4]} / {sums[5]}"
        print(f"| all | {sums[0]} | {calls} | {sums[2]} / {sums[3]} | | | | {seen} | | |")
    for problem in problems:
        print(problem)


if __name__ == "__main__":
    main()
