#!/usr/bin/env python3
# gst-cca: how well ccacamera tells what happens to a camera
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Composes trouble on real clips and measures how often and how fast the element names it, and what it says of clips
that nothing happened to.

usage: camera.py [--set develop|held|all] [--only TEXT] [--begin SECONDS] [--verbose] CLIP…
       camera.py --loop SECONDS CLIP…
       camera.py --events [--only TEXT] CLIP…
       camera.py --cost CLIP…
       camera.py --picture FILE.webp CLIP

A clip is of the set "held" if its place in the sorted list is odd. Needs GST_PLUGIN_PATH,
python3-opencv and python3-gi.
"""

import argparse
import math
import pathlib
import sys
import time
import zlib

import cv2
import gi
import numpy as np
import tamper

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

RATE = 5  # frames a second of composed runs, at most
LONGEST = 19.0  # seconds of a composed run
BEGIN = 14.0  # of the trouble
LASTING = 5.0
IN_TIME = 2.0
RULES_OF_ALL = (
    '{"units": "relative", "zones": [{"name": "all", "points": [[0, 0], [1, 0], [1, 1], [0, 1]]}], '
    '"lines": [{"name": "across", "points": [[0, 0.5], [1, 0.5]]}, {"name": "down", "points": [[0.5, 0], [0.5, 1]]}]}'
)
RULES = pathlib.Path(__file__).resolve().parents[3] / "examples/vtest.rules.json"


def read_clip(path, longest=LONGEST, rate=RATE):
    """The clip's grey frames with their times, of so many seconds."""
    video = cv2.VideoCapture(str(path))
    fps = video.get(cv2.CAP_PROP_FPS) or 25
    step = max(1, round(fps / rate))
    frames = []
    while len(frames) * step / fps < longest:
        good, frame = video.read()
        if not good:
            break
        frames.append((len(frames) * step / fps, cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)))
        for _ in range(step - 1):
            video.grab()
    return frames


def longer(frames, longest=LONGEST):
    """Short clips go back and forth."""
    result, step = list(frames), frames[1][0] - frames[0][0]
    turn = [frame for _, frame in frames[-2:0:-1]] + [frame for _, frame in frames]
    while len(result) * step < longest:
        result.append((len(result) * step, turn[(len(result) - len(frames)) % len(turn)]))
    return result


def later(frames, begin):
    """The frames from a time on, which becomes 0."""
    rest = [(seconds, frame) for seconds, frame in frames if seconds >= begin]
    return [(seconds - rest[0][0], frame) for seconds, frame in rest]


def messages_of(pipeline, names, feed=lambda: None):
    """Plays a pipeline to its end; returns [(seconds, structure)] of its messages with these names."""
    bus = pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    feed()
    messages = []
    while True:
        message = bus.timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.ELEMENT
        )
        if message.type == Gst.MessageType.EOS:
            break
        if message.type == Gst.MessageType.ERROR:
            raise RuntimeError(message.parse_error()[0].message)
        structure = message.get_structure()
        if structure.get_name() in names:
            messages.append((structure.get_value("running-time") / Gst.SECOND, structure))
    pipeline.set_state(Gst.State.NULL)
    return messages


def states_of(pipeline, feed=lambda: None):
    """The same of the camera's states; returns [(seconds, state, structure)]."""
    return [(at, s.get_string("state"), s) for at, s in messages_of(pipeline, ["cca-camera"], feed)]


def pipeline_of(frames, apply, begin, end, name, elements):
    """A pipeline of elements, and what pushes frames into it, with something applied to those of a time."""
    height, width = frames[0][1].shape
    pipeline = Gst.parse_launch(
        f"appsrc name=source format=time caps=video/x-raw,format=GRAY8,width={width},height={height},"
        f"framerate=0/1 max-bytes=100000000 block=true ! {elements} ! fakesink sync=false"
    )
    source = pipeline.get_by_name("source")
    stride = (width + 3) // 4 * 4

    def feed():
        for seconds, frame in frames:
            if apply and begin <= seconds < end:
                frame = apply(frame, seconds - begin, np.random.default_rng(zlib.crc32(name.encode())))
            padded = np.zeros((height, stride), np.uint8)
            padded[:, :width] = frame
            buffer = Gst.Buffer.new_wrapped(padded.tobytes())
            buffer.pts = int(seconds * Gst.SECOND)
            source.emit("push-buffer", buffer)
        source.emit("end-of-stream")

    return pipeline, feed


def run_frames(frames, apply, begin, end, name):
    """Returns the states that ccacamera tells of frames."""
    return states_of(*pipeline_of(frames, apply, begin, end, name, "ccacamera lost-time=0"))


def events_of(frames, apply, name, camera="ccacamera lost-time=0 !"):
    """Returns the events of rules over all of the picture, [(seconds, text)], and when the camera was not well."""
    analysis = "cca name=analysis foreground=motion post-messages=false"
    elements = f"{camera} {analysis} ! ccatrack post-messages=false ! ccazones name=zones"
    pipeline, feed = pipeline_of(frames, apply, BEGIN, math.inf, name, elements)
    pipeline.get_by_name("zones").set_property("rules", RULES_OF_ALL)
    messages = messages_of(pipeline, ["cca-event", "cca-camera"], feed)
    events = sorted((at, s.to_string()) for at, s in messages if s.get_name() == "cca-event")
    return events, [at for at, s in messages if s.get_name() == "cca-camera" and s.get_string("state") != "well"]


def watch_time(element, times):
    """Adds to times, for each frame, (its running time in s, the thread's time in the element in µs)."""
    begun = []

    def begin(pad, info):
        begun.append(time.thread_time_ns())
        return Gst.PadProbeReturn.OK

    def end(pad, info):
        times.append((info.get_buffer().pts / Gst.SECOND, (time.thread_time_ns() - begun.pop()) / 1000))
        return Gst.PadProbeReturn.OK

    element.get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, begin)
    element.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, end)


def measure_cost(clips):
    """Prints the time that ccacamera takes of a thread, beside that of the analysis. What Python itself takes is that
    of an element that does nothing."""
    parts = {"learning": (0, 10), "well": (10, 30), "a hand over 80 %": (30, 40)}
    print("| clip | frame | " + " | ".join(f"{name}, µs a frame" for name in parts) + " | analysis | share, well |")
    print("|---" * (len(parts) + 4) + "|")
    for path in clips:
        frames = longer(read_clip(path, 40, 25), 40)
        elements = (
            "videoconvert ! video/x-raw,format=I420 ! identity name=nothing ! ccacamera name=health lost-time=0 ! "
            "cca name=analysis foreground=motion n-threads=1 post-messages=false"
        )
        apply = tamper.TROUBLES["hand over 80 %"][1]()
        pipeline, feed = pipeline_of(frames, apply, 30, math.inf, path.name, elements)
        times = {name: [] for name in ("nothing", "health", "analysis")}
        for name, own in times.items():
            watch_time(pipeline.get_by_name(name), own)
        states = states_of(pipeline, feed)
        if [state for _, state, _ in states] != ["covered"]:
            print(f"{path.name}: the states are {[state for _, state, _ in states]}, not covered")

        def mean(name, begin, end):
            took = [np.mean([took for at, took in times[i] if begin <= at < end]) for i in (name, "nothing")]
            return took[0] - took[1]

        health = [mean("health", *part) for part in parts.values()]
        analysis = mean("analysis", *parts["well"])
        height, width = frames[0][1].shape
        values = " | ".join(f"{value:.0f}" for value in [*health, analysis])
        print(f"| {path.name} | {width}×{height} | {values} | {100 * health[1] / analysis:.1f} % |", flush=True)


def watch_events(clips, only):
    """Prints how many events come of a camera that is not well, and whether ccacamera changes any of one that is."""
    n_false = n_different = n_runs = n_events = 0
    for path in clips:
        frames = longer(read_clip(path, BEGIN + 3, 25), BEGIN + 3)
        first = next(seconds for seconds, _ in frames if seconds >= BEGIN)  # of a frozen picture, this is still right
        for name, (_, make) in tamper.TROUBLES.items():
            if only in name:
                events, told = events_of(frames, make(), path.name + name)
                late = [at - BEGIN for at, _ in events if (at > first if name == "frozen" else at >= first)]
                n_false += len(late)
                n_runs += 1
                if late:
                    known = f"{told[0] - BEGIN:.1f} s" if told else "never"
                    print(f"{path.name} {name}: {len(late)} events, at {late[0]:.2f} to {late[-1]:.2f} s; told {known}")
        for name, make in {"as it is": None, **tamper.HARMLESS}.items():
            if only in name:
                with_camera, told = events_of(frames, make and make(), path.name)
                without, _ = events_of(frames, make and make(), path.name, "")
                n_events += len(without)
                if with_camera != without or told:
                    n_different += 1
                    print(f"{path.name} {name}: {len(with_camera)} events instead of {len(without)}; told {told}")
        print(f"{path.name} done", flush=True)
    print(f"{n_false} events in {n_runs} runs with trouble; {n_different} harmless runs, of {n_events} events, differ")


def run_file(path):
    """The clip as it is, all of it."""
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=I420 ! "
        "ccacamera lost-time=0 ! fakesink sync=false"
    )
    pipeline.get_by_name("file").set_property("location", str(path))
    return states_of(pipeline)


def loop_clips(clips, seconds):
    """Plays each clip back and forth, untouched, and prints each alarm."""
    n = 0
    for path in clips:
        frames = longer(read_clip(path, 60), seconds)
        states = run_frames(frames, None, 0, 0, "")
        n += sum(state != "well" for _, state, _ in states)
        print(f"{path.name}: {frames[-1][0]:.0f} s, {len(states)} changes", flush=True)
        for at, _, structure in states:
            print(f"    {at:.1f} s {structure.to_string()[12:]}", flush=True)
    print(f"{n} false alarms in {len(clips)} clips of {seconds:.0f} s")


def show_trouble(frames, name):
    """Returns the frame that the overlay shows three seconds after a trouble began."""
    height, width = frames[0][1].shape
    pipeline = Gst.parse_launch(
        f"appsrc name=source format=time caps=video/x-raw,format=GRAY8,width={width},height={height},"
        "framerate=0/1 max-bytes=100000000 block=true ! videoconvert ! video/x-raw,format=I420 ! "
        f"ccacamera lost-time=0 ! cca foreground=motion ! ccatrack ! ccazones config={RULES} ! "
        'ccaoverlay show-labels=false font-desc="Sans Bold 18" ! videoconvert ! '
        "video/x-raw,format=BGR ! appsink name=sink sync=false max-buffers=1"
    )
    pipeline.set_state(Gst.State.PLAYING)
    apply, source, sink = tamper.TROUBLES[name][1](), pipeline.get_by_name("source"), pipeline.get_by_name("sink")
    for seconds, frame in frames:
        if seconds >= BEGIN:
            rng = np.random.default_rng(zlib.crc32(name.encode()))
            frame = apply(frame, seconds - BEGIN, rng)
        buffer = Gst.Buffer.new_wrapped(np.ascontiguousarray(frame).tobytes())
        buffer.pts = int(seconds * Gst.SECOND)
        source.emit("push-buffer", buffer)
        shown = sink.emit("pull-sample").get_buffer()
        if seconds >= BEGIN + 3:
            break
    data = shown.extract_dup(0, shown.get_size())
    pipeline.set_state(Gst.State.NULL)
    return np.frombuffer(data, np.uint8).reshape(height, -1)[:, : 3 * width].reshape(height, width, 3)


def save_picture(path, clip):
    """Draws two troubles side by side, in at most 40 kB."""
    frames = longer(read_clip(clip))
    shown = np.hstack([show_trouble(frames, name) for name in ("hand over 80 %", "rolled by 10 degrees")])
    shown = cv2.resize(shown, None, fx=800 / shown.shape[1], fy=800 / shown.shape[1], interpolation=cv2.INTER_AREA)
    for quality in range(90, 10, -5):
        good, data = cv2.imencode(".webp", shown, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if good and len(data) <= 40000:
            path.write_bytes(data.tobytes())
            return
    raise RuntimeError(f"{path}: cannot be made of 40 kB")


def judge(states, begin, wanted):
    """The delay of the first right state, or None; that of any trouble; and the states before."""
    noticed = [(seconds - begin, state) for seconds, state, _ in states if seconds >= begin and state != "well"]
    right = [delay for delay, state in noticed if state in wanted]
    before = [state for seconds, state, _ in states if seconds < begin]
    return (right[0] if right else None), (noticed[0][0] if noticed else None), before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", type=pathlib.Path)
    parser.add_argument("--set", choices=("develop", "held", "all"), default="all")
    parser.add_argument("--only", default="", help="only troubles whose name has this text")
    parser.add_argument("--begin", type=int, default=0, help="of the runs in the clip, s; trouble is elsewhere then")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--loop", type=float, help="play each clip for so many seconds, untouched, and do nothing else")
    parser.add_argument("--events", action="store_true", help="count events of rules, and do nothing else")
    parser.add_argument("--cost", action="store_true", help="measure the time of looks, and do nothing else")
    parser.add_argument("--picture", type=pathlib.Path, help="draw two troubles on the clip, and do nothing else")
    args = parser.parse_args()
    Gst.init(None)
    if args.picture:
        save_picture(args.picture, args.clips[0])
        return 0

    clips = sorted(args.clips, key=lambda path: path.name)
    if args.set != "all":
        clips = clips[args.set == "held" :: 2]
    if args.loop:
        loop_clips(clips, args.loop)
        return 0
    if args.cost:
        measure_cost(clips)
        return 0
    if args.events:
        watch_events(clips, args.only)
        return 0
    delays, false, watched = {name: [] for name in tamper.TROUBLES if args.only in name}, [], 0.0
    noticed = {name: [] for name in delays}
    for path in clips:
        longest, elsewhere = LONGEST + args.begin, str(args.begin or "")
        frames = later(longer(read_clip(path, longest), longest), args.begin)
        begin, end = BEGIN, BEGIN + LASTING
        if not args.only:
            false += [
                (path.name, "as it is", f"{s:.1f} s {state} {t.to_string()[12:]}") for s, state, t in run_file(path)
            ]
            for name, make in tamper.HARMLESS.items():
                states = run_frames(frames, make(), begin, frames[-1][0] + 1, path.name + elsewhere)
                watched += frames[-1][0]
                false += [(path.name, name, f"{s:.1f} s {state} {t.to_string()[12:]}") for s, state, t in states]
        for name in delays:
            wanted, make = tamper.TROUBLES[name]
            states = run_frames(frames, make(), begin, end, path.name + name + elsewhere)
            delay, any_delay, before = judge(states, begin, wanted)
            noticed[name].append(any_delay is not None and any_delay <= IN_TIME)
            delays[name].append(delay)
            false += [(path.name, "before " + name, state) for state in before]
            if args.verbose or delay is None or delay > IN_TIME:
                shown = [(round(seconds - begin, 1), t.to_string()[12:]) for seconds, _, t in states]
                print(f"{path.name} {name}: {delay} {shown}", flush=True)

    print(
        f"\n{len(clips)} clips\n\n"
        "| trouble | runs | noticed in 2 s | named in 2 s | median delay, s | longest, s |\n|---|---|---|---|---|---|"
    )
    everything = []
    for name, values in delays.items():
        right = [value for value in values if value is not None]
        everything += values
        print(
            f"| {name} | {len(values)} | {np.mean(noticed[name]):.3f} | "
            f"{sum(v <= IN_TIME for v in right) / len(values):.3f} | "
            f"{np.median(right) if right else float('nan'):.1f} | {max(right, default=float('nan')):.1f} |"
        )
    named = [value for value in everything if value is not None and value <= IN_TIME]
    print(
        f"| all | {len(everything)} | {len(named) / len(everything):.3f} | {np.median(named):.1f} | {max(named):.1f} |"
    )
    print(f"\n{len(false)} false alarms; {watched:.0f} s of composed harmless runs")
    for line in false:
        print(*line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
