#!/usr/bin/env python3
# gst-cca: how large an index of ccaindex is, and how fast it answers
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: index.py [--minutes N] [--rules FILE] GST_CCA_FIND CLIP...

Indexes each clip again and again, until there are so many minutes of it, and prints a Markdown table: objects and bytes
a frame; megabytes an hour at the clip's own rate, and at 25 frames a second; how many times faster than real time
gst-cca-find answers --rules and --box on one core, its start included. Wants GST_PLUGIN_PATH to name the built plugins.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import tempfile
import time

BEGIN = datetime.datetime(2026, 11, 23, tzinfo=datetime.timezone.utc)
RULES = {
    "units": "relative",
    "zones": [{"name": "all", "points": [[0, 0], [1, 0], [1, 1], [0, 1]], "dwell": 5, "left": 10}],
    "lines": [{"name": "middle", "points": [[0.5, 0], [0.5, 1]]}, {"name": "across", "points": [[0, 0.5], [1, 0.5]]}],
}


def index(clip, folder, start):
    """Indexes a clip that begins so many seconds after BEGIN. Returns its length in seconds and its tracks."""
    begin = (BEGIN + datetime.timedelta(seconds=start)).isoformat()
    pipeline = (
        f"filesrc location={clip} ! decodebin ! videoconvert ! cca foreground=motion post-messages=false !"
        f" ccatrack post-messages=false ! ccaindex start-utc={begin} location={folder}/%Y%m%dT%H.ccaindex !"
        " ccajson parts=tracks ! fdsink"
    )
    run = subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return lines[-1]["stream-time"] / 1e9 * len(lines) / (len(lines) - 1), sum(line["n-tracks"] for line in lines)


def seconds_of(command):
    """The least time of five runs on one core."""
    times = []
    for _ in range(5):
        begin = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, {0}))
        times.append(time.monotonic() - begin)
    return min(times)


def measure(find, clip, minutes, rules):
    with tempfile.TemporaryDirectory() as folder:
        seconds, n_tracks = 0, 0
        while seconds < 60 * minutes:
            length, n = index(clip, folder, seconds)
            seconds, n_tracks = seconds + length, n_tracks + n
        listed = subprocess.run([find, "--list", folder], check=True, capture_output=True, text=True).stdout
        files = [json.loads(line) for line in listed.splitlines()]
        n_frames, size = (sum(file[name] for file in files) for name in ("frames", "bytes"))
        times = [seconds_of([find, *how, folder]) for how in (["--rules", rules], ["--box", "100,100,60,60"])]
    hourly = size / seconds * 3600 / 1e6
    print(
        f"| {clip.stem} | {n_frames / seconds:.0f} | {n_tracks / n_frames:.2f} | {size / n_frames:.1f} | {hourly:.2f} |"
        f" {size / n_frames * 90000 / 1e6:.2f} | {seconds / times[0]:,.0f} | {seconds / times[1]:,.0f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("find", type=pathlib.Path)
    parser.add_argument("clips", type=pathlib.Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rules", type=pathlib.Path, help="default: a zone of the whole frame and two lines")
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as rules:
        json.dump(RULES, rules)
        rules.flush()
        print("| clip | frames/s | tracks a frame | bytes a frame | MB/h | MB/h at 25/s | × real time, rules | box |")
        print("|---|---|---|---|---|---|---|---|")
        for clip in options.clips:
            measure(options.find.resolve(), clip, options.minutes, options.rules or rules.name)


if __name__ == "__main__":
    main()
