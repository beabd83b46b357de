#!/usr/bin/env python3
# gst-cca: what an index answers is what the pipeline tells, and what stood in a box is found
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-index.py SOURCE_ROOT GST_CCA_FIND

Wants GST_PLUGIN_PATH to name the built plugins."""

import functools
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

ROOT, FIND = Path(sys.argv[1]), sys.argv[2]
sys.path[:0] = [str(ROOT / "tests")]
import tap  # noqa: E402

WIDTH, HEIGHT, RATE = 320, 240, 10
SECONDS = 150
BEGIN = datetime.fromisoformat("2026-11-23T08:59:00+00:00")
# Somebody walks by every 20 s; a car parks at PARKED from its 40th to its 110th second; what stood at TAKEN from the
# beginning drives away in the 70th.
PARKED, TAKEN = (64, 32, 64, 32), (200, 96, 48, 32)
WALKER = (24, 56)
WALK_TOP, WALK_EVERY = 168, 20
# What ccazones is asked is not known when the index is written.
RULES = {
    "units": "relative",
    "zones": [
        {"name": "parking", "points": [[0.15, 0.1], [0.45, 0.1], [0.45, 0.3], [0.15, 0.3]], "dwell": 20, "left": 30},
        {"name": "all", "points": [[0, 0], [1, 0], [1, 1], [0, 1]], "motion": {"on": 1, "off": 5}},
    ],
    "lines": [{"name": "path", "points": [[0.5, 0.6], [0.5, 1]]}],
}

media = tempfile.TemporaryDirectory(prefix="index.")
FOLDER = Path(media.name)
RULES_FILE = FOLDER / "rules.json"
RULES_FILE.write_text(json.dumps(RULES))


def actors(second):
    """The boxes that are there in a second of the clip, with their greys."""
    walk = second % WALK_EVERY
    if walk < 14:
        yield (round(walk * 28) - 30, WALK_TOP, *WALKER), 235
    if second < 40:
        pass
    elif second < 44:
        yield (PARKED[0] - round((44 - second) * 32), *PARKED[1:]), 200
    elif second < 110:
        yield PARKED, 200
    else:
        yield (PARKED[0] + round((second - 110) * 32), *PARKED[1:]), 200
    if second < 70:
        yield TAKEN, 20
    else:
        yield (TAKEN[0] + round((second - 70) * 32), *TAKEN[1:]), 20


def paint(frame, box, grey):
    left, top, width, height = box
    first, last = max(left, 0), min(left + width, WIDTH)
    for y in range(top, top + height):
        frame[y * WIDTH + first : y * WIDTH + last] = bytes([grey]) * max(last - first, 0)


@functools.cache
def clip():
    """The path of the clip, which is written once."""
    rough = random.Random(1).randbytes(WIDTH * HEIGHT).translate(bytes(90 + i % 40 for i in range(256)))
    path = FOLDER / "clip.raw"
    with path.open("wb") as file:
        for n in range(SECONDS * RATE):
            frame = bytearray(rough)
            for box, grey in actors(n / RATE):
                paint(frame, box, grey)
            file.write(frame)
    return path


def gst(*words, **options):
    return subprocess.run(
        ["gst-launch-1.0", "-q", *" ".join(map(str, words)).split()],
        capture_output=True,
        text=True,
        timeout=250,
        stdin=subprocess.DEVNULL,
        **options,
    )


def analysis(index, more=""):
    parse = f"rawvideoparse width={WIDTH} height={HEIGHT} format=gray8 framerate={RATE}/1"
    model = "cca foreground=motion post-messages=false ! ccatrack post-messages=false"
    start = BEGIN.isoformat().replace("+00:00", "Z")
    return (
        f"filesrc location={clip()} ! {parse} ! {model} ! {more}"
        f" ccaindex camera=gate start-utc={start} location={index}/gate-%Y%m%dT%H.ccaindex"
    )


def rules():
    start = BEGIN.isoformat().replace("+00:00", "Z")
    return f"ccazones config={RULES_FILE} post-messages=false ! ccajson camera=gate start-utc={start}"


@functools.cache
def index():
    """The folder of the index of the clip, and all lines of the run that wrote it."""
    folder, lines = FOLDER / "index", FOLDER / "lines.ndjson"
    result = gst(analysis(folder), "!", rules(), f"! filesink location={lines}")
    assert result.returncode == 0, result.stderr
    return folder, lines.read_text().splitlines()


def find(*options):
    result = subprocess.run([FIND, *map(str, options)], capture_output=True, text=True, timeout=60)
    return result.returncode, result.stdout.splitlines(), result.stderr


def found(*options):
    status, lines, errors = find(*options)
    assert status == 0 and not errors, errors
    return [json.loads(line) for line in lines]


def seconds(text):
    return (datetime.fromisoformat(text) - BEGIN).total_seconds()


def all_lines_are_those_of_the_run():
    """Components, tracks, events, counters and times, byte for byte, over the border of an hour."""
    folder, lines = index()
    again = FOLDER / "again.ndjson"
    result = gst(f"ccaindexsrc location={folder} ! {rules()} ! filesink location={again}")
    assert result.returncode == 0, result.stderr
    assert len(lines) == SECONDS * RATE and again.read_text().splitlines() == lines
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["gate-20261123T08.ccaindex", "gate-20261123T09.ccaindex"], names


def events_are_those_of_the_run():
    folder, lines = index()
    expected = [line for line in map(json.loads, lines) if line["events"]]
    types = {event["type"] for line in expected for event in line["events"]}
    assert {"enter", "leave", "dwell", "left", "cross", "motion-on"} <= types, types
    answer = found("--rules", RULES_FILE, folder)
    assert [(line["utc"], line["events"]) for line in answer] == [(line["utc"], line["events"]) for line in expected]
    assert all(line["camera"] == "gate" and line["utc-source"] == "start" for line in answer)


def a_part_of_the_time_has_the_events_of_the_whole():
    """With all that was before, down to the counters; with less, without what began before that."""
    folder, _ = index()
    whole = found("--rules", RULES_FILE, folder)
    first, last = BEGIN + timedelta(seconds=55), BEGIN + timedelta(seconds=115)
    part = [line for line in whole if first <= datetime.fromisoformat(line["utc"]) < last]
    assert 3 < len(part) < len(whole)
    times = ["--from", first.isoformat(), "--to", last.isoformat()]
    assert found("--rules", RULES_FILE, *times, "--warm-up=-1", folder) == part
    assert found("--rules", RULES_FILE, *times, folder) == part
    short = found("--rules", RULES_FILE, *times, "--warm-up=5", folder)
    # The car that has been parked for long is not told as one that enters.
    entered = [line["utc"] for line in short for event in line["events"] if event["rule"] == "parking"]
    assert all(seconds(utc) > 65 for utc in entered), entered


def what_came_and_went_is_found():
    folder, _ = index()
    box = ",".join(map(str, PARKED))
    (car,) = found("--box", box, folder)
    assert car["type"] == "visited" and car["camera"] == "gate", car
    assert abs(seconds(car["begin"]) - 44) <= 2 and abs(seconds(car["end"]) - 111) <= 3, car
    later = [f"--from={(BEGIN + timedelta(seconds=60)).isoformat()}", "--box", box]
    assert found(*later, folder) == [car]
    assert found("--box", box, "--from", (BEGIN + timedelta(seconds=130)).isoformat(), folder) == []


def when_something_vanished_is_found():
    folder, _ = index()
    changes = found("--box", ",".join(map(str, TAKEN)), folder)
    assert len(changes) == 1 and changes[0]["type"] in ("vanished", "changed"), changes
    assert abs(seconds(changes[0]["utc"]) - 70) <= 2, changes


def walkers_are_no_change():
    folder, _ = index()
    box = f"140,{WALK_TOP},{WALKER[0]},{WALKER[1]}"
    assert found("--box", box, folder) == []
    visits = found("--box", box, "--least=0", folder)
    assert len(visits) >= 6 and {visit["type"] for visit in visits} == {"visited"}, visits


def files_are_listed():
    folder, lines = index()
    files = found("--list", folder)
    assert [Path(file["file"]).name for file in files] == ["gate-20261123T08.ccaindex", "gate-20261123T09.ccaindex"]
    assert sum(file["frames"] for file in files) == len(lines)
    assert {file["end"] for file in files} == {"ended"}, files
    assert seconds(files[0]["first"]) == 0 and seconds(files[1]["first"]) == 60, files


def a_writer_that_is_killed_leaves_what_was_whole():
    _, lines = index()
    folder = FOLDER / "killed"
    words = f"{analysis(folder, 'identity sleep-time=2000 !')} ! fakesink".split()
    process = subprocess.Popen(["gst-launch-1.0", "-q", *words], stdin=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while not list(folder.glob("*T09*")):
        assert time.monotonic() < end and process.poll() is None, "no second file"
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    files = found("--list", folder)
    assert files[0]["end"] == "ended" and files[-1]["end"] == "open", files
    answer = found("--rules", RULES_FILE, folder)
    expected = [line for line in map(json.loads, lines) if line["events"] and seconds(line["utc"]) < 60]
    assert [line["events"] for line in answer[: len(expected)]] == [line["events"] for line in expected]


def errors_name_what_is_wrong():
    folder, _ = index()
    nowhere = FOLDER / "nowhere"
    wrong = FOLDER / "wrong.ccaindex"
    wrong.write_bytes(b"CCAINDEX" + (2).to_bytes(4, "little") + bytes(16))
    without = FOLDER / "without"
    result = gst(
        f"videotestsrc num-buffers=30 ! cca foreground=threshold ! ccatrack ! ccaindex location={without}/a.ccaindex"
        " ! fakesink"
    )
    assert result.returncode == 0, result.stderr
    for options, pattern in (
        ([], "Name the index"),
        ([folder], "--rules, --box and --list"),
        (["--list", "--box", "1,2,3,4", folder], "--rules, --box and --list"),
        (["--list", folder, folder], "a pattern in quotes"),
        (["--list", nowhere], f"{nowhere} cannot be read: No such file"),
        (["--list", wrong], f"{wrong} is an index of version 2, and this program reads version 1"),
        (["--box", "1,2,0,4", folder], "--box is '1,2,0,4'; write it as X,Y,WIDTH,HEIGHT"),
        (["--box", "1,2,3,4", without], "does not say where the foreground was.*coverage=true"),
        (["--rules", nowhere, folder], f"{nowhere}.*No such file"),
        (["--rules", RULES_FILE, "--from", "noon", folder], "--from is 'noon'.*write it as in"),
    ):
        status, lines, errors = find(*options)
        assert status == 1 and not lines, (options, status, lines)
        assert re.search(pattern, errors), (options, errors)


sys.exit(
    tap.run(
        all_lines_are_those_of_the_run,
        events_are_those_of_the_run,
        a_part_of_the_time_has_the_events_of_the_whole,
        what_came_and_went_is_found,
        when_something_vanished_is_found,
        walkers_are_no_change,
        files_are_listed,
        a_writer_that_is_killed_leaves_what_was_whole,
        errors_name_what_is_wrong,
    )
)
