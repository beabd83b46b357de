#!/usr/bin/env python3
# gst-cca: an archive's tracks and events are those of its files, each once, whatever is interrupted
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-archive.py SOURCE_ROOT BUILD_ROOT

Runs itself again with the example's Python packages. Wants GST_PLUGIN_PATH to name the built plugins."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT, BUILD = map(Path, sys.argv[1:3])
EXAMPLE = ROOT / "examples" / "archive"
PYTHON = ROOT / "build-archive" / "bin" / "python"
sys.path[:0] = [str(ROOT / "tests"), str(EXAMPLE)]
import tap  # noqa: E402

if sys.executable != str(PYTHON):
    installed = subprocess.run(
        [EXAMPLE / "run.sh", "--install"], capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
    )
    if installed.returncode:
        print(f"1..0 # SKIP no packages of PyPI: {installed.stderr.strip().splitlines()[-1]}")
        sys.exit(0)
    os.execv(PYTHON, [str(PYTHON), *sys.argv])

import pyarrow.dataset  # noqa: E402
import recordings  # noqa: E402

# A white ball that crosses a line in the middle; the pause makes a recording last longer than it takes to kill.
ANALYSIS = (
    "{cca} foreground=threshold post-messages=false ! identity sleep-time=%d"
    " ! ccatrack post-messages=false ! {index} ccazones post-messages=false config={rules}"
)
RULES = '{"units": "relative", "lines": [{"name": "middle", "points": [[0.5, 0], [0.5, 1]]}]}'
PAUSE_US = 4000
TABLES = ("tracks", "events")
INDEX = subprocess.run(["gst-inspect-1.0", "--exists", "ccaindex"], stdin=subprocess.DEVNULL).returncode == 0
FILES = {
    "gate/2026-11-23T09-00-00Z.avi": (300, "2026-11-23T09:00:00+00:00"),
    "gate/night/2026-11-23T22-30-00.250+0100.avi": (280, "2026-11-23T21:30:00.250+00:00"),
    "yard/cam_20260701-120000.avi": (260, "2026-07-01T10:00:00+00:00"),
    'yard/a "b" \\c 2026-01-01_00-00-00.avi': (240, "2025-12-31T23:00:00+00:00"),
    "yard/_first.avi": (220, None),
    "loose.avi": (200, None),
}


def times_in_names_are_found():
    berlin = ZoneInfo("Europe/Berlin")
    for name, expected in {
        "gate/2026-11-23T09-00-00Z.mkv": "2026-11-23T09:00:00+00:00",
        "20261123T090000Z.mkv": "2026-11-23T09:00:00+00:00",
        "20261123T090000.mkv": "2026-11-23T08:00:00+00:00",
        "ch01_20260701120000.mp4": "2026-07-01T10:00:00+00:00",
        "2026-11-23 09:00:00.5-0330.ts": "2026-11-23T12:30:00.500000+00:00",
        "gate-2026-11-23T09.00.05.120Z-00.mkv": "2026-11-23T09:00:05.120000+00:00",
        "20261323T090000Z.mkv": None,
        "20261123T090061Z.mkv": None,
        "2026-11-23.mkv": None,
        "120261123T090000Z.mkv": None,
        "2026-11-23T09-00-00Z/clip.mkv": None,
    }.items():
        found = recordings.start_in_name(name, berlin)
        assert found == (expected and datetime.fromisoformat(expected)), (name, found)


def recordings_are_found_with_their_cameras():
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "shop"
        for name in ("gate/x/a.MP4", "gate/a.txt", "b.mkv", ".hidden/c.mkv", "gate/.d.mkv"):
            (archive / name).parent.mkdir(parents=True, exist_ok=True)
            (archive / name).write_text("x")
        found = [(each.file, each.camera, each.size) for each in recordings.find(archive)]
        assert found == [("b.mkv", "shop", 1), ("gate/x/a.MP4", "gate", 1)], found


def record(path, frames):
    path.parent.mkdir(parents=True, exist_ok=True)
    pipeline = (
        f"videotestsrc pattern=ball num-buffers={frames} ! video/x-raw,width=320,height=240,framerate=25/1"
        f" ! jpegenc ! avimux ! fdsink"
    )
    with open(path, "wb") as file:
        subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], stdout=file, check=True, timeout=60)


def direct(archive, file, rules, start):
    """What ccajson writes for a recording."""
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as lines:
        words = ["filesrc", "!", "decodebin", "!", "videoconvert", "!"]
        words += (ANALYSIS % 0).replace("{cca}", "cca").replace("{rules}", str(rules)).replace("{index}", "").split()
        words += ["!", "ccajson", f"start-utc={start}", "!", "filesink", f"location={lines.name}"]
        escaped = str(archive / file).replace("\\", "\\\\").replace('"', '\\"')
        words[1:1] = [f'location="{escaped}"']
        subprocess.run(["gst-launch-1.0", "-q", *words], check=True, timeout=120)
        return [json.loads(line) for line in lines]


def expected_rows(archive, rules):
    """Points of tracks and events of all recordings, from ccajson's own lines."""
    points, events = [], []
    for file, (frames, start) in FILES.items():
        if start is None:
            # Python's st_mtime differs in the last bit, and so now and then in the microsecond.
            end = datetime.fromtimestamp((archive / file).stat().st_mtime_ns / 1e9, timezone.utc)
            start = (end - timedelta(seconds=frames / 25)).isoformat()
        for line in direct(archive, file, rules, start):
            when = (file, datetime.fromisoformat(line["utc"]), line["stream-time"])
            points += [(*when, *sorted(track.items())) for track in line["tracks"]]
            events += [(*when, *sorted(event.items())) for event in line["events"]]
    return points, events


def found_rows(output):
    """The same from the data sets."""
    points, events = [], []
    tracks = pyarrow.dataset.dataset(output / "tracks").to_table().to_pylist()
    seen = [(track["file"], track["track-id"]) for track in tracks]
    assert len(seen) == len(set(seen)), "a track has several rows"
    for track in tracks:
        file, times = track["file"], [point["utc"] for point in track["points"]]
        assert track["camera"] == ("archive" if "/" not in file else file.split("/")[0]), track["camera"]
        assert (track["begin"], track["end"]) == (times[0], times[-1]) and times == sorted(times), file
        source = "name" if FILES[file][1] else "mtime"
        assert (track["utc-source"], track["frame-width"], track["frame-height"]) == (source, 320, 240), track
        for point in track["points"]:
            when = (file, point.pop("utc"), point.pop("stream-time"))
            point["track-id"] = track["track-id"]
            points.append((*when, *sorted((name, value) for name, value in point.items() if value is not None)))
    for event in pyarrow.dataset.dataset(output / "events").to_table().to_pylist():
        when = [event.pop(name) for name in ("file", "utc", "stream-time")]
        del event["camera"], event["utc-source"]
        events.append((*when, *sorted((name, value) for name, value in event.items() if value is not None)))
    return points, events


def processes():
    """Parent and title of each process."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            found[int(folder.name)] = (parent, (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except (OSError, ValueError):
            continue
    return found


def below(ancestor, title):
    """The processes below another one whose title begins so."""
    table = processes()

    def is_below(process):
        while process in table:
            process = table[process][0]
            if process == ancestor:
                return True
        return False

    return [process for process, (_, name) in table.items() if name.startswith(title) and is_below(process)]


class Run:
    """A run of the example."""

    def __init__(self, archive, output, rules):
        command = [EXAMPLE / "run.sh", "--build", BUILD, archive, "--output", output, "--rules", rules]
        command += ["--index"] if INDEX else []
        command += ["--timezone", "Europe/Berlin", "--analysis", ANALYSIS % PAUSE_US]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL
        )
        self.lines = []

    def read_until(self, what):
        for line in self.process.stdout:
            self.lines.append(line)
            if what in line:
                return
        raise AssertionError(f"no {what!r} in {self.lines}")

    def kill(self):
        # With what belongs to it: Ray's agents would outlive it for a while.
        others = below(self.process.pid, "")
        self.process.kill()
        self.process.wait()
        for process in others:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def finish(self):
        self.lines += self.process.stdout.readlines()
        return self.process.wait(timeout=120)

    def done(self):
        return sorted(line.split(": ")[2] for line in self.lines if " tracks, " in line)


def asked(output, camera, rules):
    """What the index of a camera says of its events: when, and which."""
    words = (
        f"ccaindexsrc location={output}/index/{camera} ! ccazones config={rules} ! ccajson only-events=true ! fdsink"
    )
    run = subprocess.run(["gst-launch-1.0", "-q", *words.split()], check=True, capture_output=True, timeout=60)
    found = map(json.loads, run.stdout.splitlines())
    return [(datetime.fromisoformat(line["utc"]), event["type"]) for line in found for event in line["events"]]


def files_of(output):
    """The Parquet files of the data sets, with what tells whether one was written again."""
    return {path: path.stat().st_ino for path in output.glob("*/*.parquet") if not path.name.startswith(".")}


def every_track_and_event_is_there_once_after_kills():
    with tempfile.TemporaryDirectory() as folder:
        archive, output, rules = Path(folder) / "archive", Path(folder) / "output", Path(folder) / "rules.json"
        rules.write_text(RULES)
        for file, (frames, _) in FILES.items():
            record(archive / file, frames)

        first = Run(archive, output, rules)
        first.read_until("1 of 6: ")
        first.kill()
        before = files_of(output)
        assert 2 <= len(before) < 2 * len(FILES), before

        # A worker dies, too: Ray does its recording again.
        second = Run(archive, output, rules)
        second.read_until("using ")
        end = time.monotonic() + 60
        while not (pipelines := below(second.process.pid, "gst-launch-1.0")):
            assert time.monotonic() < end, "no pipeline"
            time.sleep(0.05)
        worker = processes()[pipelines[0]][0]
        assert "ray::" in processes()[worker][1], processes()[worker]
        os.kill(worker, signal.SIGKILL)
        assert second.finish() == 0, second.lines
        after = files_of(output)
        complete = [path for path in before if all(output / name / path.name in before for name in TABLES)]
        assert all(after[path] == before[path] for path in complete), "a recording was done twice"
        assert len(second.done()) == len(FILES) - len(complete) / 2, (second.lines, before)
        assert len(after) == 2 * len(FILES), after

        (points, events), (found_points, found_events) = expected_rows(archive, rules), found_rows(output)
        assert len(points) > 1000 and len(events) > len(FILES), (len(points), len(events))
        assert sorted(points) == sorted(found_points)
        assert sorted(events) == sorted(found_events)

        if INDEX:
            for camera in ("gate", "yard"):
                named = [file for file, (_, start) in FILES.items() if start and file.startswith(f"{camera}/")]
                expected = [(when, dict(event)["type"]) for file, when, _, *event in events if file in named]
                assert expected and sorted(asked(output, camera, rules)) == sorted(expected), camera

        # What changes is done again, what is broken is told, and nothing else happens.
        record(archive / "loose.avi", 100)
        (archive / "gate" / "broken.mkv").write_text("no video")
        third = Run(archive, output, rules)
        assert third.finish() == 1, third.lines
        assert third.done() == ["loose.avi"], third.lines
        assert any("gate/broken.mkv: failed: " in line for line in third.lines), third.lines
        changed = {path for path, inode in files_of(output).items() if after.get(path) != inode}
        assert len(changed) == 2, changed


sys.exit(
    tap.run(
        times_in_names_are_found,
        recordings_are_found_with_their_cameras,
        every_track_and_event_is_there_once_after_kills,
    )
)
